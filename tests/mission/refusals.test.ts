import { expect, test } from "vitest";
import { completeTask, makeRepository, openMissionHouse, startMission, startTask } from "./repository.ts";

const decision = { category: "other", question: "q", chosen: "c", reasoning: "r" };
const issue = { type: "other", description: "d", resolution: "r" };
const end = { status: "success", outcome: { summary: "s" } };

test("[MI10] what does not exist is NOT_FOUND in this family's words", async () => {
  const house = await openMissionHouse("sqlite");
  const dir = makeRepository().dir;
  expect(await house.refusal("start_task", { name: "n", goal: "g", repository_path: dir })).toBe("NOT_FOUND");
  expect(await house.refusal("start_task", { mission_id: "wf_x", name: "n", goal: "g", repository_path: dir })).toBe(
    "NOT_FOUND",
  );
  expect(await house.refusal("complete_task", { task_id: "tk_x", ...end })).toBe("NOT_FOUND");
  expect(await house.refusal("complete_mission", { mission_id: "wf_x", status: "failed", summary: "s" })).toBe(
    "NOT_FOUND",
  );
  expect(await house.refusal("get_context", { mission_id: "wf_x", include: ["tasks"] })).toBe("NOT_FOUND");
  expect(await house.refusal("log_decision", { task_id: "tk_x", ...decision })).toBe("NOT_FOUND");
  expect(await house.refusal("log_issue", { task_id: "tk_x", ...issue })).toBe("NOT_FOUND");
  expect(await house.refusal("log_milestone", { task_id: "tk_x", message: "m" })).toBe("NOT_FOUND");
  expect(await house.refusal("issue_resolve", { id: "cp_x" })).toBe("NOT_FOUND");
});

test("[MI11] another developer's mission, tasks and issues are FORBIDDEN", async () => {
  const house = await openMissionHouse("sqlite");
  const dir = makeRepository().dir;
  const { caller: bob } = await house.developer("bob");
  const mission_id = await startMission(house);
  const { task_id } = await startTask(house, { mission_id, repository_path: dir });
  const { issue_id: id } = await house.call<{ issue_id: string }>("log_issue", {
    task_id,
    ...issue,
    requires_human_review: true,
  });
  for (const [tool, args] of [
    ["start_task", { mission_id, name: "n", goal: "g", repository_path: dir }],
    ["complete_task", { task_id, ...end }],
    ["complete_mission", { mission_id, status: "failed", summary: "s" }],
    ["log_decision", { task_id, ...decision }],
    ["log_issue", { task_id, ...issue }],
    ["log_milestone", { task_id, message: "m" }],
    ["issue_resolve", { id }],
  ] as const) {
    expect([tool, await house.refusal(tool, args, bob)]).toEqual([tool, "FORBIDDEN"]);
  }
});

test("[MI12] a folder that is not there is GIT_ERROR, a relative one INVALID_INPUT, and nothing starts", async () => {
  const house = await openMissionHouse("sqlite");
  const mission_id = await startMission(house);
  const ask = { mission_id, name: "n", goal: "g" };
  expect(await house.refusal("start_task", { ...ask, repository_path: "/nowhere/at/all" })).toBe("GIT_ERROR");
  expect(await house.refusal("start_task", { ...ask, repository_path: "relative" })).toBe("INVALID_INPUT");
  const repository = makeRepository();
  const { task_id } = await startTask(house, { mission_id, repository_path: repository.dir });
  repository.remove(".");
  expect(await house.refusal("complete_task", { task_id, ...end })).toBe("GIT_ERROR");
  expect(
    (await house.call<{ tasks: unknown[] }>("get_context", { mission_id, include: ["tasks"] })).tasks,
  ).toHaveLength(1);
});

test("[MI13] an ended phase takes late tasks and stays ended, an ended mission takes none and ends once", async () => {
  const house = await openMissionHouse("sqlite");
  const dir = makeRepository().dir;
  const mission_id = await startMission(house);
  const { task_id } = await startTask(house, { mission_id, phase: 1, repository_path: dir });
  await completeTask(house, task_id, { phase_complete: true });
  const late = { mission_id, phase: 1, repository_path: dir };
  expect(await startTask(house, late)).toMatchObject({ phase_created: false });
  expect(await house.call("get_context", { mission_id, include: ["phase_summary"] })).toMatchObject({
    current_phase: 2,
    phase_summary: [{ phase_number: 1, status: "COMPLETED", tasks_count: 2 }],
  });
  const end = { mission_id, status: "completed", summary: "s" };
  await house.call("complete_mission", end);
  expect(await house.refusal("start_task", { ...late, name: "n", goal: "g" })).toBe("INVALID_STATE");
  expect(await house.refusal("complete_mission", end)).toBe("INVALID_TRANSITION");
});

test("[MI10] a time that is none is VALIDATION_ERROR, and to ask for no section is to ask for the mission alone", async () => {
  const house = await openMissionHouse("sqlite");
  const mission_id = await startMission(house);
  expect(await house.call("get_context", { mission_id, include: [] })).toMatchObject({ mission_status: "PENDING" });
  expect(await house.refusal("get_context", { mission_id, include: ["tasks"], filter: { since: "soon" } })).toBe(
    "VALIDATION_ERROR",
  );
});

test("[ID17] a workflow of somebody else's beside the mission is refused, one that is not known is not", async () => {
  const house = await openMissionHouse("sqlite");
  const mission_id = await startMission(house);
  const grace = await house.developer("grace");
  const plain = { name: "Hers", source_type: "prompt", source_content: "c" };
  const { id: workflow_id } = await house.call<{ id: string }>("workflow_create", plain, grace.caller);
  const ask = { mission_id, name: "T", goal: "g", repository_path: makeRepository().dir };
  expect(await house.refusal("start_task", { ...ask, workflow_id })).toBe("FORBIDDEN");
  expect(await house.call("start_task", { ...ask, workflow_id: "wf_unknown" })).toHaveProperty("task_id");
});

test("[MI14] one world: a mission's task is seen by the workflow tools, and a checkpoint of theirs by the mission", async () => {
  const house = await openMissionHouse("sqlite");
  const mission_id = await startMission(house);
  const { task_id } = await startTask(house, { mission_id, repository_path: makeRepository().dir });
  expect(await house.call("task_get", { id: task_id })).toMatchObject({
    workflow_id: mission_id,
    status: "in_progress",
  });
  await house.call("checkpoint_add", { task_id, type: "decision", summary: "Take the short way." });
  await house.call("log_decision", { task_id, ...decision });
  const { decisions } = await house.call<{ decisions: { chosen: string }[] }>("get_context", {
    mission_id,
    include: ["decisions"],
  });
  expect(decisions.map(({ chosen }) => chosen).sort()).toEqual(["Take the short way.", "c"]);
  const { current_task } = await house.call<{ current_task: { checkpoints: unknown[] } }>("task_load_context", {
    task_id,
  });
  expect(current_task.checkpoints).toHaveLength(2);
  expect(await house.call("task_check_dependencies", { task_id })).toMatchObject({ satisfied: true });
  const agent = await house.agent("Ada");
  expect(await house.call("task_claim", { task_id, agent_id: agent })).toMatchObject({ success: true });
});

test("[MI14] a workflow of another family is read as a mission without phases, with its tasks and what is logged on them", async () => {
  const house = await openMissionHouse("sqlite");
  const { id } = await house.call<{ id: string }>("workflow_create", {
    ...{ name: "Plan", source_type: "prompt", source_content: "Do it." },
  });
  const tasks = [{ name: "First", description: "Do it.", sequence: 1 }];
  await house.call("workflow_set_plan", { id, plan: { summary: "One", approach: "Straight", tasks } });
  const planned = await house.call<{ tasks: { id: string }[] }>("workflow_get", { id, include_tasks: true });
  const task_id = planned.tasks[0]?.id ?? "";
  await house.call("log_decision", { task_id, ...decision });
  await house.call("log_milestone", { task_id, message: "Begun" });
  const issued = await house.call<{ issue_id: string }>("log_issue", {
    task_id,
    ...issue,
    requires_human_review: true,
  });
  const include = ["phase_summary", "tasks", "decisions", "milestones", "blockers"];
  expect(await house.call("get_context", { mission_id: id, include })).toMatchObject({
    mission_name: "Plan",
    mission_status: "BLOCKED",
    current_phase: 0,
    total_phases: 0,
    phase_summary: [],
    tasks: [{ id: task_id, name: "First", phase: null, receipt: null }],
    decisions: [{ chosen: "c" }],
    milestones: [{ message: "Begun" }],
    blockers: [{ id: issued.issue_id }],
  });
  const begun = await startTask(house, { workflow_id: id, repository_path: makeRepository().dir });
  expect(begun).toMatchObject({ phase_id: null, phase_created: false });
  await completeTask(house, begun.task_id);
});

test("[MI16] a task that the workflow tools or the team started is completed here too, without proof of what it changed", async () => {
  const house = await openMissionHouse("sqlite");
  const { id } = await house.call<{ id: string }>("workflow_create", {
    ...{ name: "Plan", source_type: "prompt", source_content: "Do it." },
  });
  const tasks = [{ name: "First", description: "Do it.", sequence: 1 }];
  await house.call("workflow_set_plan", { id, plan: { summary: "One", approach: "Straight", tasks } });
  const planned = await house.call<{ tasks: { id: string }[] }>("workflow_get", { id, include_tasks: true });
  const task_id = planned.tasks[0]?.id ?? "";
  const end = { status: "partial_success", outcome: { summary: "Half of it." } };
  expect(await house.refusal("complete_task", { task_id, ...end })).toBe("INVALID_TRANSITION");
  await house.call("task_update_status", { id: task_id, status: "planning" });
  await house.call("task_update_status", { id: task_id, status: "in_progress" });
  expect(await house.call("complete_task", { task_id, ...end })).toMatchObject({
    files_changed: { added: [], modified: [], deleted: [] },
    verification: { scope_match: true, unexpected_files: [], warnings: [expect.stringContaining("not known")] },
    phase_status: null,
    phase_number: null,
  });
  expect(await house.call("task_get", { id: task_id })).toMatchObject({ status: "completed", outcome: "Half of it." });
  const context = await house.call("get_context", { mission_id: id, include: ["tasks"] });
  expect(context).toMatchObject({
    tasks: [{ id: task_id, status: "PARTIAL_SUCCESS", receipt: { level: "self-reported" } }],
  });

  const aim = { title: "Translate the ferry timetable", task_type: "docs" };
  await house.call("covibe_task", { operation: "check", ...aim });
  const started = await house.call<{ data: { task_id: string } }>("covibe_task", { operation: "start", ...aim });
  await house.call("complete_task", { task_id: started.data.task_id, ...end, status: "success" });
  expect(await house.call("task_get", { id: started.data.task_id })).toMatchObject({ status: "completed" });
});

test("[MI8] what the team does to a mission's task is announced under the mission's names too", async () => {
  const house = await openMissionHouse("sqlite");
  const mission_id = await startMission(house);
  const { task_id } = await startTask(house, { mission_id, repository_path: makeRepository().dir });
  const before = (await house.entries()).at(-1)?.seq ?? 0;
  await house.call("covibe_task", { operation: "update", task_id, status: "blocked" });
  await house.call("covibe_task", { operation: "update", task_id, status: "active" });
  await house.call("covibe_task", { operation: "complete", task_id, result_summary: "Done." });
  expect((await house.entries("work", before)).map(({ announced }) => announced)).toEqual([
    ...["task:updated", "task.updated", "task:updated", "task.updated", "task:updated", "task.completed"],
  ]);
});
