import { describe, expect, test } from "vitest";
import { completeTask, makeRepository, openMissionHouse, startMission, startTask } from "./repository.ts";

describe.each(["sqlite", "postgres"] as const)("missions on %s", (kind) => {
  test("[MI1, MI2, MI3] the usual course of a mission: start, task, decision, milestone, end of the phase, end", async () => {
    const house = await openMissionHouse(kind);
    const repository = makeRepository();
    const started = await house.call("start_mission", { name: "Auth", objective: "JWT", profile: "standard" });
    expect(started).toEqual({
      mission_id: expect.stringMatching(/^wf_/),
      profile: "STANDARD",
      total_phases: 3,
      created_at: expect.any(String),
    });
    const mission_id = String(started["mission_id"]);
    const task = await house.call("start_task", {
      mission_id,
      phase: 1,
      phase_name: "Setup",
      caller_type: "orchestrator",
      name: "Middleware",
      goal: "Verify tokens",
      areas: ["auth"],
      repository_path: repository.dir,
    });
    expect(task).toEqual({
      task_id: expect.stringMatching(/^tk_/),
      snapshot_id: repository.git("rev-parse", "HEAD").trim(),
      snapshot_type: "git",
      started_at: expect.any(String),
      phase_id: expect.stringMatching(/^ph_/),
      phase_created: true,
      caller_type: "orchestrator",
      agent_name: null,
    });
    const task_id = String(task["task_id"]);
    await house.call("log_decision", {
      task_id,
      category: "library_choice",
      question: "Which?",
      options_considered: ["a", "b"],
      chosen: "a",
      reasoning: "Older.",
    });
    await house.call("log_milestone", { task_id, message: "Installing", progress: 50 });
    repository.write("src/auth/token.ts", "token\n");
    repository.commit("token");
    repository.write("a.txt", "changed\n");
    expect(
      await house.call("complete_task", {
        task_id,
        status: "success",
        outcome: { summary: "Done.", achievements: ["It works"], limitations: [] },
        metadata: { tests_status: "passed" },
        phase_complete: true,
      }),
    ).toEqual({
      task_id,
      duration_seconds: expect.any(Number),
      files_changed: { added: ["src/auth/token.ts"], modified: ["a.txt"], deleted: [] },
      verification: {
        scope_match: false,
        unexpected_files: ["a.txt"],
        warnings: ["1 changed file is outside the areas: auth."],
      },
      phase_status: "completed",
      phase_number: 1,
    });
    const context = await house.call("get_context", {
      mission_id,
      include: ["phase_summary", "decisions", "blockers", "tasks"],
    });
    expect(context).toMatchObject({
      mission_name: "Auth",
      mission_status: "IN_PROGRESS",
      current_phase: 2,
      total_phases: 3,
      phase_summary: [{ phase_number: 1, name: "Setup", status: "COMPLETED", tasks_count: 1 }],
      decisions: [{ category: "LIBRARY_CHOICE", question: "Which?", chosen: "a", reasoning: "Older." }],
      blockers: [],
      tasks: [{ id: task_id, status: "SUCCESS", phase: 1, caller_type: "orchestrator" }],
    });
    expect(
      await house.call("complete_mission", { mission_id, status: "partial", summary: "Mostly", achievements: ["JWT"] }),
    ).toMatchObject({
      mission_id,
      status: "partial",
      metrics: { total_phases: 1, total_tasks: 1, files_changed: 2 },
      limitations: [],
    });
    expect(
      await house.refusal("start_task", { mission_id, name: "x", goal: "y", repository_path: repository.dir }),
    ).toBe("INVALID_STATE");
  });

  test("[MI3] a mission's sums are those of its tasks: time taken together, files counted once, partial is an end", async () => {
    const house = await openMissionHouse(kind);
    const r = makeRepository();
    const mission_id = await startMission(house);
    for (const [at, seconds] of [60, 90].entries()) {
      const { task_id } = await startTask(house, { mission_id, phase: at + 1, repository_path: r.dir });
      house.clock.advance(seconds * 1_000);
      r.write("shared.txt", String(at));
      r.write(`own-${at}.txt`, "1");
      await completeTask(house, task_id, { phase_complete: true });
    }
    const { metrics } = await house.call<{ metrics: Record<string, number> }>("complete_mission", {
      ...{ mission_id, status: "partial", summary: "Mostly", limitations: ["No OAuth"] },
    });
    expect(metrics).toMatchObject({ total_phases: 2, total_tasks: 2, files_changed: 3 });
    const seconds = metrics["total_duration_seconds"] ?? 0;
    expect(seconds).toBeGreaterThanOrEqual(150);
    expect(metrics["total_duration_minutes"]).toBe(Math.round(seconds / 6) / 10);
    const context = await house.call("get_context", { mission_id, include: ["phase_summary"] });
    expect(context["mission_status"]).toBe("COMPLETED");
  });

  test("[MI4] an issue that needs a person blocks the mission until a person has resolved it", async () => {
    const house = await openMissionHouse(kind);
    const mission_id = await startMission(house);
    const { task_id } = await startTask(house, { mission_id, repository_path: makeRepository().dir });
    const issue = await house.call<{ issue_id: string }>("log_issue", {
      task_id,
      type: "unclear_requirement",
      description: "Which one?",
      resolution: "Took the first.",
      requires_human_review: true,
    });
    const status = async () =>
      (await house.call("get_context", { mission_id, include: ["blockers"] }))["mission_status"];
    expect(await status()).toBe("BLOCKED");
    await house.call("issue_resolve", { id: issue.issue_id });
    expect(await status()).toBe("IN_PROGRESS");
  });

  test("[MI5] a task is completed once, after its sub-tasks", async () => {
    const house = await openMissionHouse(kind);
    const mission_id = await startMission(house);
    const dir = makeRepository().dir;
    const parent = await startTask(house, { mission_id, repository_path: dir });
    const child = await startTask(house, { mission_id, repository_path: dir, parent_task_id: parent.task_id });
    const end = { status: "success", outcome: { summary: "x" } };
    expect(await house.refusal("complete_task", { task_id: parent.task_id, ...end })).toBe("INVALID_STATE");
    await completeTask(house, child.task_id);
    await completeTask(house, parent.task_id);
    expect(await house.refusal("complete_task", { task_id: parent.task_id, ...end })).toBe("INVALID_TRANSITION");
    expect(await house.refusal("complete_task", { task_id: "tk_none", ...end })).toBe("NOT_FOUND");
  });

  test("[MI6] the sixth milestone of a task warns and the hundred-and-first is refused", async () => {
    const house = await openMissionHouse(kind);
    const mission_id = await startMission(house);
    const { task_id } = await startTask(house, { mission_id, repository_path: makeRepository().dir });
    const log = () => house.call<{ warning?: string }>("log_milestone", { task_id, message: "on it" });
    for (let count = 1; count <= 5; count += 1) expect((await log()).warning).toBeUndefined();
    expect(await house.entries("feedback")).toEqual([]);
    expect((await log()).warning).toContain("milestone 6");
    expect(await house.entries("feedback")).toMatchObject([{ kind: "feedback.warning", subject: task_id }]);
    for (let count = 7; count <= 100; count += 1) await log();
    expect(await house.refusal("log_milestone", { task_id, message: "one more" })).toBe("VALIDATION_ERROR");
  });

  test("[MI7] an older client's workflow is under way at once and ends with its last task", async () => {
    const house = await openMissionHouse(kind);
    const dir = makeRepository().dir;
    const { workflow_id } = await house.call<{ workflow_id: string }>("start_workflow", { name: "Old" });
    const first = await startTask(house, { workflow_id, repository_path: dir });
    expect(first.phase_id).toBeNull();
    const second = await startTask(house, { workflow_id, repository_path: dir });
    await completeTask(house, first.task_id);
    expect((await house.call("workflow_get", { id: workflow_id }))["status"]).toBe("in_progress");
    await completeTask(house, second.task_id, { status: "partial_success" });
    expect((await house.call("workflow_get", { id: workflow_id }))["status"]).toBe("failed");
  });

  test("[MI8] every change is announced under the contract's names", async () => {
    const house = await openMissionHouse(kind);
    const dir = makeRepository().dir;
    const before = (await house.entries()).at(-1)?.seq ?? 0;
    const mission_id = await startMission(house);
    const { task_id } = await startTask(house, { mission_id, repository_path: dir });
    await house.call("log_milestone", { task_id, message: "m" });
    await completeTask(house, task_id, { phase_complete: true });
    await house.call("complete_mission", { mission_id, status: "completed", summary: "s" });
    expect((await house.entries("work", before)).map((entry) => entry.announced)).toEqual([
      "workflow:created",
      "mission:created",
      "phase:created",
      "mission:updated",
      "task:created",
      "milestone:created",
      "task:updated",
      "phase:updated",
      "mission:updated",
      "mission:updated",
    ]);
  });

  test("[MI8] a workflow of the older form is announced under its own names, whichever family changes its tasks", async () => {
    const house = await openMissionHouse(kind);
    const before = (await house.entries()).at(-1)?.seq ?? 0;
    const { workflow_id } = await house.call<{ workflow_id: string }>("start_workflow", { name: "Old" });
    const ask = { workflow_id, repository_path: makeRepository().dir };
    const first = await startTask(house, ask);
    const second = await startTask(house, ask);
    await house.call("task_update_status", { id: first.task_id, status: "completed", outcome: "Done." });
    await completeTask(house, second.task_id);
    expect((await house.entries("work", before)).map((entry) => entry.announced)).toEqual([
      "workflow:created",
      ...["task:created", "workflow:updated", "task:created", "workflow:updated"],
      ...["task:updated", "workflow:updated", "task:updated", "workflow:updated", "workflow:status"],
    ]);
  });

  test("[MI8] what blocks a mission, and what another family does to it, is announced as a change of the mission", async () => {
    const house = await openMissionHouse(kind);
    const mission_id = await startMission(house);
    const { task_id } = await startTask(house, { mission_id, repository_path: makeRepository().dir });
    const before = (await house.entries()).at(-1)?.seq ?? 0;
    const issue = { task_id, type: "other", description: "d", resolution: "r", requires_human_review: true };
    const raised = await house.call<{ issue_id: string }>("log_issue", issue);
    const again = await house.call<{ issue_id: string }>("log_issue", issue);
    await house.call("issue_resolve", { id: raised.issue_id });
    await house.call("issue_resolve", { id: again.issue_id });
    await house.call("log_milestone", { task_id, message: "Half way", progress: 50 });
    await house.call("workflow_update_status", { id: mission_id, status: "completed" });
    const entries = await house.entries("work", before);
    expect(entries.map(({ announced }) => announced)).toEqual([
      ...["issue:created", "mission:updated", "issue:created"],
      ...["issue:updated", "issue:updated", "mission:updated"],
      ...["milestone:created", "workflow:status", "mission:updated"],
    ]);
    expect(entries[1]?.data).toEqual({ is_blocked: true });
    expect(entries[6]?.data).toMatchObject({ progress: 50 });
    const { mission_status } = await house.call("get_context", { mission_id, include: ["blockers"] });
    expect(mission_status).toBe("COMPLETED");
    const late = { mission_id, name: "n", goal: "g", repository_path: makeRepository().dir };
    expect(await house.refusal("start_task", late)).toBe("INVALID_STATE");
  });

  test("[MI9] phase_complete on a failed task makes the phase failed; the current phase never goes back", async () => {
    const house = await openMissionHouse(kind);
    const dir = makeRepository().dir;
    const mission_id = await startMission(house, { total_phases: 3 });
    const third = await startTask(house, { mission_id, phase: 3, repository_path: dir });
    const first = await startTask(house, { mission_id, phase: 1, repository_path: dir });
    const reply = await completeTask(house, first.task_id, { status: "failed", phase_complete: true });
    expect(reply).toMatchObject({ phase_status: "failed", phase_number: 1 });
    const context = await house.call("get_context", { mission_id, include: ["phase_summary"] });
    expect(context["current_phase"]).toBe(3);
    await completeTask(house, third.task_id);
  });

  test("[MI9, MI21] a failed phase is announced and does not move the mission on, nor does the last one", async () => {
    const house = await openMissionHouse(kind);
    const repository_path = makeRepository().dir;
    const mission_id = await startMission(house, { total_phases: 2 });
    const currentPhases = async (phase: number, status: string) => {
      const before = (await house.entries()).at(-1)?.seq ?? 0;
      const { task_id } = await startTask(house, { mission_id, phase, repository_path });
      await completeTask(house, task_id, { status, phase_complete: true });
      const entries = await house.entries("work", before);
      return entries.filter(({ announced }) => announced === "mission:updated").map(({ data }) => data);
    };
    expect(await currentPhases(1, "failed")).toEqual([{ current_phase: 1 }, { current_phase: 1 }]);
    expect(await currentPhases(2, "success")).toEqual([{ current_phase: 2 }, { current_phase: 2 }]);
    expect(await house.call("get_context", { mission_id, include: ["phase_summary"] })).toMatchObject({
      current_phase: 2,
      phase_summary: [{ status: "FAILED" }, { status: "COMPLETED" }],
    });
  });
});
