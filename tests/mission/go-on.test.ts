import { describe, expect, test } from "vitest";
import { completeTask, makeRepository, openMissionHouse, startMission, startTask } from "./repository.ts";

type House = Awaited<ReturnType<typeof openMissionHouse>>;

const standing = async (house: House, id: string): Promise<unknown[]> => [
  (await house.call("get_context", { mission_id: id, include: [] }))["mission_status"],
  (await house.call("workflow_get", { id }))["status"],
];

const startOld = async (house: House): Promise<string> =>
  (await house.call<{ workflow_id: string }>("start_workflow", { name: "Old" })).workflow_id;

describe.each(["sqlite", "postgres"] as const)("work that goes on, on %s", (kind) => {
  test("[MI17] an older client's workflow that ended by itself is under way with its next task and ends again", async () => {
    const house = await openMissionHouse(kind);
    const repository_path = makeRepository().dir;
    const workflow_id = await startOld(house);
    const first = await startTask(house, { workflow_id, repository_path });
    await completeTask(house, first.task_id);
    expect(await standing(house, workflow_id)).toEqual(["COMPLETED", "completed"]);
    const before = (await house.entries()).at(-1)?.seq ?? 0;
    const second = await startTask(house, { workflow_id, repository_path });
    expect(await standing(house, workflow_id)).toEqual(["IN_PROGRESS", "in_progress"]);
    const announced = (await house.entries("work", before)).map((entry) => entry.announced);
    expect(announced).toEqual(["workflow:status", "task:created", "workflow:updated"]);
    await completeTask(house, second.task_id, { status: "failed" });
    expect(await standing(house, workflow_id)).toEqual(["FAILED", "failed"]);
  });

  test("[MI8] a task that ends with the wish for a review blocks its mission until a person has resolved it", async () => {
    const house = await openMissionHouse(kind);
    const mission_id = await startMission(house);
    const { task_id } = await startTask(house, { mission_id, repository_path: makeRepository().dir });
    const outcome = { summary: "Done.", manual_review_needed: true, manual_review_reason: "Look at the keys." };
    await house.call("complete_task", { task_id, status: "success", outcome });
    const blockersOf = async () =>
      (await house.call<{ blockers: { id: string }[] }>("get_context", { mission_id, include: ["blockers"] })).blockers;
    const [blocker, ...others] = await blockersOf();
    expect([others, JSON.stringify(blocker)]).toEqual([[], expect.stringContaining("Look at the keys.")]);
    const issue = (await house.entries()).findLast(({ announced }) => announced === "issue:created");
    await house.call("issue_resolve", { id: issue?.subject });
    expect(await blockersOf()).toEqual([]);
  });

  test("[MI17] a new plan for a task of an older client's workflow is announced as its progress", async () => {
    const house = await openMissionHouse(kind);
    const workflow_id = await startOld(house);
    const { task_id } = await startTask(house, { workflow_id, repository_path: makeRepository().dir });
    await house.call("task_update_status", { id: task_id, status: "failed", error: "No way." });
    const before = (await house.entries()).at(-1)?.seq ?? 0;
    const new_plan = { approach: "Another way", steps: ["Go"], files_to_modify: [] };
    await house.call("task_replan", { id: task_id, reason: "Try again", new_plan });
    const announced = (await house.entries("work", before)).map((entry) => entry.announced);
    expect(announced).toContain("workflow:updated");
  });

  test("[MI7] a task that another family's tool failed makes an older client's workflow fail too", async () => {
    const house = await openMissionHouse(kind);
    const repository_path = makeRepository().dir;
    const workflow_id = await startOld(house);
    const first = await startTask(house, { workflow_id, repository_path });
    const second = await startTask(house, { workflow_id, repository_path });
    await house.call("task_update_status", { id: first.task_id, status: "failed", error: "No way." });
    await completeTask(house, second.task_id);
    expect(await standing(house, workflow_id)).toEqual(["FAILED", "failed"]);
  });

  test("[MI17] what somebody has ended takes no more tasks, whatever family made it", async () => {
    const house = await openMissionHouse(kind);
    const repository_path = makeRepository().dir;
    const old = await startOld(house);
    await house.call("complete_mission", { mission_id: old, status: "completed", summary: "Enough." });
    const plain = { name: "Plain", source_type: "prompt", source_content: "c" };
    const done = await house.call<{ id: string }>("workflow_create", plain);
    for (const status of ["ready", "in_progress", "completed"]) {
      await house.call("workflow_update_status", { id: done.id, status });
    }
    const abandoned = await house.call<{ id: string }>("workflow_create", plain);
    await house.call("workflow_update_status", { id: abandoned.id, status: "abandoned" });
    for (const workflow_id of [old, done.id, abandoned.id]) {
      const before = await standing(house, workflow_id);
      const ask = { workflow_id, name: "Late", goal: "g", repository_path };
      expect(await house.refusal("start_task", ask)).toBe("INVALID_STATE");
      expect(await standing(house, workflow_id)).toEqual(before);
    }
  });

  test("[MI18] a failed mission that is set back to work is under way for every family and can be ended again", async () => {
    const house = await openMissionHouse(kind);
    const mission_id = await startMission(house);
    const { task_id } = await startTask(house, { mission_id, repository_path: makeRepository().dir });
    await completeTask(house, task_id);
    await house.call("complete_mission", { mission_id, status: "failed", summary: "Not yet." });
    await house.call("workflow_update_status", { id: mission_id, status: "in_progress" });
    expect(await standing(house, mission_id)).toEqual(["IN_PROGRESS", "in_progress"]);
    await house.call("complete_mission", { mission_id, status: "completed", summary: "Now." });
    expect(await standing(house, mission_id)).toEqual(["COMPLETED", "completed"]);
  });

  test("[MI8] a paused mission that a task sets under way is announced", async () => {
    const house = await openMissionHouse(kind);
    const repository_path = makeRepository().dir;
    const mission_id = await startMission(house);
    await startTask(house, { mission_id, repository_path });
    await house.call("workflow_update_status", { id: mission_id, status: "paused" });
    const before = (await house.entries()).at(-1)?.seq ?? 0;
    await startTask(house, { mission_id, repository_path });
    const announced = (await house.entries("work", before)).map((entry) => entry.announced);
    expect(announced).toEqual(["workflow:status", "mission:updated", "task:created"]);
  });
});
