import { describe, expect, test } from "vitest";
import type { TestHouse } from "../../src/testing/house.ts";
import { allow, configure, script } from "./checks.ts";
import { completeTask, makeRepository, openMissionHouse, startMission, startTask } from "./repository.ts";

interface Loaded {
  readonly current_task: { highlights: object[]; checkpoints: { type: string }[]; files_changed: string[] };
  readonly mission?: Record<string, unknown>;
}

const load = (house: TestHouse, task_id: string, more: object = {}): Promise<Loaded> =>
  house.call<Loaded>("task_load_context", { task_id, ...more });

/** A mission whose first task ended with a check that failed, and that waits for a person. */
async function openTroubled(kind: "sqlite" | "postgres") {
  const house = await openMissionHouse(kind);
  const r = makeRepository();
  configure(r.dir, [script("unit", 'console.log("2 of 9 failed: login"); process.exit(1)')]);
  r.commit("checks");
  await allow(house, r.dir);
  const mission_id = await startMission(house, { name: "Passkeys", objective: "People sign in with passkeys." });
  const ask = { mission_id, repository_path: r.dir };
  const first = await startTask(house, { ...ask, phase: 1, phase_name: "Setup", name: "Begin" });
  const decision = { category: "library_choice", question: "Which?", chosen: "ours", reasoning: "It is here." };
  await house.call("log_decision", { task_id: first.task_id, ...decision });
  const { issue_id } = await house.call<{ issue_id: string }>("log_issue", {
    task_id: first.task_id,
    ...{ type: "other", description: "May we store keys?", resolution: "Not yet", requires_human_review: true },
  });
  r.write("src/auth/key.ts", "key\n");
  await completeTask(house, first.task_id, { metadata: { tests_status: "passed" } });
  const second = await startTask(house, { ...ask, phase: 2, phase_name: "Build", name: "Go on" });
  return { house, r, mission_id, first: first.task_id, second: second.task_id, issue_id };
}

const failing = [{ name: "unit", task: "Begin", status: "failed", last_lines: "2 of 9 failed: login" }];

describe.each(["sqlite", "postgres"] as const)("going on with a mission on %s", (kind) => {
  test("[CX13] a task's context has its mission: phase, what blocks it, what fails, its receipt and its files", async () => {
    const { house, first, second, issue_id } = await openTroubled(kind);
    const blockers = [{ id: issue_id, description: "May we store keys?" }];
    const objective = "People sign in with passkeys.";
    const done = await load(house, first);
    expect(done.mission).toEqual({
      objective,
      phase: { number: 1, name: "Setup", current: 2, total: 3 },
      level: "verified",
      scope_match: true,
      tests_status: "passed",
      blockers,
      failing_checks: failing,
    });
    expect(done.current_task.files_changed).toEqual(["src/auth/key.ts"]);
    expect(done.current_task.checkpoints.map(({ type }) => type)).toEqual(["decision", "issue"]);
    const running = await load(house, second);
    const phase = { number: 2, name: "Build", current: 2, total: 3 };
    expect(running.mission).toEqual({ objective, phase, blockers, failing_checks: failing });
  });

  test("[CX13] in a small budget what fails and what blocks come first", async () => {
    const { house, second, issue_id } = await openTroubled(kind);
    const { mission } = await load(house, second, { max_tokens: 400 });
    expect(mission).toMatchObject({ blockers: [{ id: issue_id }], failing_checks: [{ name: "unit" }] });
  });

  test("[CX13] a check that has passed since, and an issue that was resolved, are not brought back", async () => {
    const { house, r, second, issue_id } = await openTroubled(kind);
    configure(r.dir, [script("unit", "")]);
    await allow(house, r.dir);
    await completeTask(house, second);
    await house.call("issue_resolve", { id: issue_id });
    expect((await load(house, second)).mission).toMatchObject({
      level: "reproduced",
      blockers: [],
      failing_checks: [],
    });
  });

  test("[CX14] a mission's summary says its phase, what waits for a person and what fails", async () => {
    const { house, mission_id: id, issue_id } = await openTroubled(kind);
    const { summary } = await house.call<{ summary: object }>("workflow_get_summary", { id });
    expect(summary).toMatchObject({
      name: "Passkeys",
      mission: {
        phase: "2 of 3, Build",
        blockers: [{ id: issue_id, description: "May we store keys?" }],
        failing_checks: [{ name: "unit", task: "Begin" }],
      },
    });
    const { summary: text } = await house.call("workflow_get_summary", { id, format: "markdown" });
    expect(String(text)).toContain("Phase: 2 of 3, Build");
    expect(String(text)).toContain(`## Waits for a person\n\n- May we store keys? (${issue_id})`);
    expect(String(text)).toContain("## Failing checks\n\n- unit: after Begin");
  });

  test("[CX14] a workflow that is no mission has none of this", async () => {
    const house = await openMissionHouse(kind);
    const { id } = await house.call<{ id: string }>("workflow_create", {
      name: "Plain",
      source_type: "prompt",
      source_content: "Do it.",
    });
    const { summary } = await house.call<{ summary: object }>("workflow_get_summary", { id });
    expect(summary).not.toHaveProperty("mission");
  });
});
