import { describe, expect, test } from "vitest";
import { completeTask, makeRepository, openMissionHouse, startMission, startTask } from "./repository.ts";

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

  test("[MI19] what was said at a mission's end is read back from its context and from the list", async () => {
    const house = await openMissionHouse(kind);
    const mission_id = await startMission(house);
    const read = () => house.call("get_context", { mission_id, include: [] });
    expect(await read()).not.toHaveProperty("outcome");
    const said = { summary: "Mostly there", achievements: ["Tokens"], limitations: ["No refresh"] };
    const { completed_at } = await house.call("complete_mission", { mission_id, status: "partial", ...said });
    const end = { outcome: "partial", ...said, completed_at };
    expect(await read()).toMatchObject({ mission_status: "COMPLETED", ...end });
    expect(await house.call("mission_list", {})).toMatchObject({ missions: [{ id: mission_id, ...end }] });
  });

  test("[MI20] a workflow of the older form is listed as a mission of profile simple", async () => {
    const house = await openMissionHouse(kind);
    const { workflow_id } = await house.call<{ workflow_id: string }>("start_workflow", { name: "Tidy up" });
    const line = { id: workflow_id, name: "Tidy up", profile: "SIMPLE", status: "IN_PROGRESS", total_phases: 2 };
    const none = { name: "Planned", source_type: "prompt", source_content: "c" };
    await house.call("workflow_create", none);
    expect(await house.call("mission_list", {})).toMatchObject({ total: 1, missions: [line] });
    expect(await house.call("mission_list", { status: "COMPLETED" })).toEqual({ missions: [], total: 0 });
  });

  test("[MI20] a workflow of the older form has the phases that its tasks name, and ends with its last task", async () => {
    const house = await openMissionHouse(kind);
    const { workflow_id } = await house.call<{ workflow_id: string }>("start_workflow", { name: "Tidy up" });
    const read = () => house.call("get_context", { mission_id: workflow_id, include: ["phase_summary"] });
    const ask = { repository_path: makeRepository().dir };
    const phased = { ...ask, mission_id: workflow_id, phase: 1, phase_name: "Setup" };
    for (const status of ["success", "failed"]) {
      const { task_id, phase_id } = await startTask(house, phased);
      expect(phase_id).not.toBeNull();
      expect(await read()).toMatchObject({ mission_status: "IN_PROGRESS", phase_summary: [{ name: "Setup" }] });
      await completeTask(house, task_id, { status });
    }
    expect(await read()).toMatchObject({ mission_status: "FAILED", current_phase: 1, total_phases: 2 });
    const { phase_id } = await startTask(house, { ...ask, workflow_id });
    expect(phase_id).toBeNull();
  });
});
