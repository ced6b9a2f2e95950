import { expect, test } from "vitest";
import { cursorOf } from "../../src/domain/ledger/cursor.ts";
import { LiveClient } from "../http/live-client.ts";
import { openServer } from "../http/routes.ts";
import { makeRepository, startMission, startTask } from "./repository.ts";

test("[MI8] whoever follows a mission on the WebSocket hears every change of it, milestones with their progress", async () => {
  const server = await openServer();
  const { house } = server;
  const mission_id = await startMission(house);
  const client = await LiveClient.open(server, { subscribe: [`workflow:${mission_id}`], after: cursorOf(0) });
  const ask = { mission_id, repository_path: makeRepository().dir };
  const { task_id } = await startTask(house, { ...ask, phase: 1 });
  const decision = { category: "other", question: "q", chosen: "c", reasoning: "r" };
  await house.call("log_decision", { task_id, ...decision });
  const issue = { type: "other", description: "d", resolution: "r", requires_human_review: true };
  await house.call("log_issue", { task_id, ...issue });
  await house.call("log_milestone", { task_id, message: "Half way", progress: 50 });
  await house.call("checkpoint_add", { task_id, type: "progress", summary: "By another family." });
  const end = { task_id, status: "success", outcome: { summary: "s" }, phase_complete: true };
  await house.call("complete_task", end);
  await house.call("complete_mission", { mission_id, status: "completed", summary: "s" });
  await client.until(({ kind }) => kind === "mission.ended");
  expect(client.heard.map(({ event }) => event)).toEqual([
    ...["workflow:created", "mission:created"],
    ...["phase:created", "mission:updated", "task:created"],
    ...["decision:created", "issue:created", "mission:updated", "milestone:created", "note:created"],
    ...["task:updated", "phase:updated", "mission:updated", "mission:updated"],
  ]);
  expect(client.heard.find(({ event }) => event === "milestone:created")?.data).toMatchObject({ progress: 50 });
});
