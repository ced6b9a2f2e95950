import { describe, expect, test } from "vitest";
import { makeRepository, openMissionHouse, startMission, startTask } from "./repository.ts";

const statuses = ["PENDING", "IN_PROGRESS", "BLOCKED", "COMPLETED", "FAILED"] as const;

describe.each(["sqlite", "postgres"] as const)("the list of missions on %s", (kind) => {
  test("[HT73] each mission is found under the status it shows, and under no other", async () => {
    const house = await openMissionHouse(kind);
    const repository_path = makeRepository().dir;
    const pending = await startMission(house);
    const running = await startMission(house);
    await startTask(house, { mission_id: running, repository_path });
    const blocked = await startMission(house);
    const { task_id } = await startTask(house, { mission_id: blocked, repository_path });
    const issue = { task_id, type: "other", description: "d", resolution: "r", requires_human_review: true };
    await house.call("log_issue", issue);
    const partial = await startMission(house);
    await house.call("complete_mission", { mission_id: partial, status: "partial", summary: "s" });
    const failed = await startMission(house);
    await house.call("complete_mission", { mission_id: failed, status: "failed", summary: "s" });
    const ids = [pending, running, blocked, partial, failed];
    for (const [at, status] of statuses.entries()) {
      const found = await house.call("mission_list", { status });
      expect(found).toMatchObject({ total: 1, missions: [{ id: ids[at], status }] });
    }
    expect(await house.call("mission_list", {})).toMatchObject({ total: 5 });
  });
});
