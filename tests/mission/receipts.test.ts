import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TaskId } from "../../src/contract/ids.ts";
import type { Receipt } from "../../src/domain/evidence/model.ts";
import { decideLevel } from "../../src/domain/evidence/operations.ts";
import type { TestHouse } from "../../src/testing/house.ts";
import { allow, configure, script, show } from "./checks.ts";
import {
  completeTask,
  makeRepository,
  openMissionHouse,
  startMission,
  startTask,
  type TestRepository,
  tempDir,
} from "./repository.ts";

const passes = script("unit", 'console.log("42 passed")');
const fails = script("lint", 'console.log("1 problem"); process.exit(1)');

interface Verified {
  readonly level: string;
  readonly is_stale: boolean;
  readonly stale_files: string[];
  readonly files: Record<string, string | null>;
  readonly checks: { readonly state: string; readonly results: { name: string; status: string }[] };
  readonly rerun: { readonly state: string; readonly results: { name: string; status: string }[] } | null;
}

const verify = (house: TestHouse, task_id: string, more: object = {}): Promise<Verified> =>
  house.call<Verified>("task_verify", { task_id, ...more });

/** A task that wrote one file, in a repository with these checks. */
async function workIn(r: TestRepository, house: TestHouse, ask: { areas?: string[]; end?: object } = {}) {
  const mission_id = await startMission(house);
  const { task_id } = await startTask(house, { mission_id, areas: ask.areas ?? [], repository_path: r.dir });
  r.write("src/new.ts", `${task_id}\n`);
  const answer = await completeTask(house, task_id, ask.end as Record<string, unknown>);
  return { mission_id, task_id, answer };
}

function checkedRepository(...checks: object[]): TestRepository {
  const r = makeRepository();
  configure(r.dir, checks);
  r.commit("checks");
  return r;
}

describe.each(["sqlite", "postgres"] as const)("receipts on %s", (kind) => {
  test("[RC4] a receipt holds both trees, the changed files with hashes, scope, declared tests and checks", async () => {
    const house = await openMissionHouse(kind);
    const r = makeRepository();
    const head = r.git("rev-parse", "HEAD").trim();
    const mission_id = await startMission(house);
    const { task_id } = await startTask(house, { mission_id, areas: ["src"], repository_path: r.dir });
    r.write("src/new.ts", "new\n");
    r.remove("a.txt");
    await completeTask(house, task_id, { metadata: { tests_status: "passed" } });
    expect(await house.call("task_verify", { task_id })).toEqual({
      task_id,
      level: "self-reported",
      is_stale: false,
      stale_files: [],
      files: { "a.txt": null, "src/new.ts": `f:${r.git("hash-object", "src/new.ts").trim()}` },
      start: { head, digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
      end: { head, digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
      scope_match: false,
      unexpected_files: ["a.txt"],
      tests_status: "passed",
      checks: { state: "absent", results: [] },
      rerun: null,
    });
  });

  test("[RC3, CK6] once a person has allowed them the checks are run, and a receipt whose checks pass is reproduced", async () => {
    const house = await openMissionHouse(kind);
    const r = checkedRepository(passes, script("also", ""));
    expect((await allow(house, r.dir)).is_allowed).toBe(true);
    const before = (await house.entries()).at(-1)?.seq ?? 0;
    const { task_id, mission_id, answer } = await workIn(r, house);
    expect(answer.verification).toEqual({
      scope_match: true,
      unexpected_files: [],
      warnings: [],
      level: "reproduced",
      checks: [
        {
          name: "unit",
          status: "passed",
          exit_code: 0,
          duration_ms: expect.any(Number),
          output_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
          last_lines: "42 passed",
        },
        expect.objectContaining({ name: "also", status: "passed" }),
      ],
    });
    const settled = (await house.entries("work", before)).find(({ kind: name }) => name === "receipt.settled");
    expect(settled).toMatchObject({
      announced: "task:updated",
      subject: task_id,
      channels: [`receipt:${task_id}`, `task:${task_id}`, `workflow:${mission_id}`],
      data: { level: "reproduced", passed: 2, failed: 0 },
    });
  });

  test("[RC2, CK8] a failing check leaves the receipt at verified, and says so against what was declared", async () => {
    const house = await openMissionHouse(kind);
    const r = checkedRepository(passes, fails);
    await allow(house, r.dir);
    const { answer, task_id, mission_id } = await workIn(r, house, { end: { metadata: { tests_status: "passed" } } });
    expect(answer.verification).toMatchObject({
      level: "verified",
      warnings: ["1 of 2 checks of the repository did not pass.", "The tests were declared as passed anyway."],
      checks: [{ status: "passed" }, { name: "lint", status: "failed", exit_code: 1, last_lines: "1 problem" }],
    });
    const { tasks } = await house.call<{ tasks: object[] }>("get_context", { mission_id, include: ["tasks"] });
    expect(tasks).toMatchObject([
      {
        id: task_id,
        receipt: {
          level: "verified",
          tests_status: "passed",
          checks: "done",
          failing_checks: [{ name: "lint", status: "failed", last_lines: "1 problem" }],
          files_changed: ["src/new.ts"],
          files_changed_count: 1,
        },
      },
    ]);
  });

  test("[CK6] a repository that nobody allowed runs nothing, and neither does one whose checks were changed since", async () => {
    const house = await openMissionHouse(kind);
    const trace = join(tempDir(), "trace");
    const r = checkedRepository(script("evil", `require("node:fs").writeFileSync(${JSON.stringify(trace)}, "")`));
    const warnings = [expect.stringContaining("crewdeck checks allow")];
    expect((await workIn(r, house)).answer.verification).toMatchObject({ level: "verified", checks: [], warnings });
    const { config_hash } = await show(house, r.dir);
    configure(r.dir, [script("other", "")]);
    expect(await house.refusal("checks_allow", { path: r.dir, config_hash })).toBe("CONFLICT");
    expect(existsSync(trace)).toBe(false);
    await allow(house, r.dir);
    configure(r.dir, [script("evil", `require("node:fs").writeFileSync(${JSON.stringify(trace)}, "")`)]);
    expect((await workIn(r, house)).answer.verification).toMatchObject({ level: "verified", checks: [], warnings });
    expect((await show(house, r.dir)).is_allowed).toBe(false);
    expect(existsSync(trace)).toBe(false);
    await allow(house, r.dir);
    await workIn(r, house);
    expect(existsSync(trace)).toBe(true);
    rmSync(trace);
    await house.call("checks_forbid", { path: r.dir });
    await workIn(r, house);
    expect(existsSync(trace)).toBe(false);
  });

  test("[CK9] checks that change the tree, or meet another one, prove nothing", async () => {
    const house = await openMissionHouse(kind);
    const r = checkedRepository(script("writes", 'require("node:fs").writeFileSync("left.txt", "")'));
    await allow(house, r.dir);
    const { answer, task_id } = await workIn(r, house);
    expect(answer.verification).toMatchObject({
      level: "verified",
      warnings: ["The tree changed before the repository's checks had ended, so they say nothing about it."],
    });
    expect((await verify(house, task_id)).checks.state).toBe("moved");
  });

  test("[CK10] of a failed task nothing is checked", async () => {
    const house = await openMissionHouse(kind);
    const r = checkedRepository(passes);
    await allow(house, r.dir);
    const { task_id } = await workIn(r, house, { end: { status: "failed" } });
    expect((await verify(house, task_id)).checks).toEqual({ state: "skipped", results: [] });
  });

  test("[RC5] a receipt is stale once a file of it is something else, and fresh again when it is back", async () => {
    const house = await openMissionHouse(kind);
    const r = makeRepository();
    const { task_id } = await workIn(r, house);
    r.write("unrelated.txt", "1");
    r.commit("as it was, and something else");
    expect(await verify(house, task_id)).toMatchObject({ level: "verified", is_stale: false, rerun: null });
    r.write("src/new.ts", "changed");
    expect(await verify(house, task_id)).toMatchObject({ is_stale: true, stale_files: ["src/new.ts"] });
    r.write("src/new.ts", `${task_id}\n`);
    expect((await verify(house, task_id)).is_stale).toBe(false);
    r.remove("src/new.ts");
    expect((await verify(house, task_id)).stale_files).toEqual(["src/new.ts"]);
  });

  test("[RC6] verifying runs nothing unless it is asked to, and then only what is allowed, on the tree as it is", async () => {
    const house = await openMissionHouse(kind);
    const r = checkedRepository(script("unit", 'process.exit(require("node:fs").existsSync("broken") ? 1 : 0)'));
    const { task_id } = await workIn(r, house);
    expect(await house.refusal("task_verify", { task_id, run_checks: true })).toBe("FORBIDDEN");
    await allow(house, r.dir);
    const outcome = async () => (await verify(house, task_id, { run_checks: true })).rerun;
    expect(await outcome()).toMatchObject({ state: "done", results: [{ name: "unit", status: "passed" }] });
    r.write("broken", "");
    expect(await outcome()).toMatchObject({ state: "done", results: [{ name: "unit", status: "failed" }] });
    expect((await verify(house, task_id)).checks.state).toBe("not_allowed");
    rmSync(join(r.dir, ".crewdeck"), { recursive: true });
    expect(await house.refusal("task_verify", { task_id, run_checks: true })).toBe("INVALID_STATE");
  });
});

test("[RC1] where no snapshot could be taken the receipt is the agent's word alone, and that is said", async () => {
  const house = await openMissionHouse("sqlite");
  const r = makeRepository();
  const mission_id = await startMission(house);
  const folder = tempDir();
  const { task_id } = await startTask(house, { mission_id, repository_path: folder });
  await house.house.store.transact(async (db) => {
    const snapshot = JSON.stringify({ type: "none", id: "none", root: r.dir, head: null, files: {} });
    await db.run(db.q.updateTable("evidence").set({ snapshot }).where("taskId", "=", TaskId.parse(task_id)));
    return { value: undefined, entries: [] };
  });
  const { verification, files_changed } = await completeTask(house, task_id);
  expect(files_changed).toEqual({ added: [], modified: [], deleted: [] });
  expect(verification.warnings).toEqual(["No snapshot could be taken when the task started; changes are not known."]);
  expect((await verify(house, task_id)).level).toBe("self-reported");
});

test("[RC5] line ends that git converts do not make a receipt stale", async () => {
  const house = await openMissionHouse("sqlite");
  const r = makeRepository();
  r.write(".gitattributes", "*.bat text eol=crlf\n");
  r.commit("attributes");
  const mission_id = await startMission(house);
  const { task_id } = await startTask(house, { mission_id, repository_path: r.dir });
  r.write("run.bat", "a\r\nb\r\n");
  r.commit("committed during the task");
  await completeTask(house, task_id);
  expect((await verify(house, task_id)).is_stale).toBe(false);
  r.write("run.bat", "a\r\nc\r\n");
  expect((await verify(house, task_id)).stale_files).toEqual(["run.bat"]);
});

test("[RC5] a receipt of checksums turns stale in the same way, and a folder that is gone is GIT_ERROR", async () => {
  const house = await openMissionHouse("sqlite");
  const r = makeRepository();
  r.remove(".git");
  const { task_id } = await workIn(r, house);
  expect((await verify(house, task_id)).is_stale).toBe(false);
  r.write("src/new.ts", "other");
  expect((await verify(house, task_id)).stale_files).toEqual(["src/new.ts"]);
  r.remove(".");
  expect(await house.refusal("task_verify", { task_id })).toBe("GIT_ERROR");
});

test("[RC7] a receipt is verified by the task's developer or the team's owner", async () => {
  const house = await openMissionHouse("sqlite");
  const { caller: carl } = await house.developer("carl");
  const { caller: bob } = await house.developer("bob");
  const { mission_id } = await house.call<{ mission_id: string }>("start_mission", { name: "M", objective: "O" }, carl);
  const task = { mission_id, name: "n", goal: "g", repository_path: makeRepository().dir };
  const { task_id } = await house.call<{ task_id: string }>("start_task", task, carl);
  await house.call("complete_task", { task_id, status: "success", outcome: { summary: "s" } }, carl);
  expect(await house.refusal("task_verify", { task_id, run_checks: true }, bob)).toBe("FORBIDDEN");
  for (const caller of [carl, house.owner]) {
    expect(await house.call("task_verify", { task_id }, caller)).toMatchObject({ is_stale: false });
  }
});

test("[RC6] what has no receipt cannot be verified", async () => {
  const house = await openMissionHouse("sqlite");
  const mission_id = await startMission(house);
  const { task_id } = await startTask(house, { mission_id, repository_path: makeRepository().dir });
  expect(await house.refusal("task_verify", { task_id })).toBe("INVALID_STATE");
  expect(await house.refusal("task_verify", { task_id: "tk_none" })).toBe("NOT_FOUND");
});

test("[CK6] only the team's owner allows and forbids, and only people see; a folder without checks is NOT_FOUND", async () => {
  const house = await openMissionHouse("sqlite");
  const { caller: bob } = await house.developer("bob");
  const r = checkedRepository(passes);
  const { config_hash } = await show(house, r.dir);
  expect(await house.refusal("checks_allow", { path: r.dir, config_hash }, bob)).toBe("FORBIDDEN");
  expect(await house.refusal("checks_forbid", { path: r.dir }, bob)).toBe("FORBIDDEN");
  const agent = { ...house.owner, agentType: "codex" as const };
  expect(await house.refusal("checks_show", { path: r.dir }, agent)).toBe("FORBIDDEN");
  expect(await house.refusal("task_verify", { task_id: "tk_x" }, agent)).toBe("FORBIDDEN");
  for (const [tool, more] of [
    ["checks_show", {}],
    ["checks_allow", { config_hash }],
    ["checks_forbid", {}],
  ] as const) {
    expect([tool, await house.refusal(tool, { path: tempDir(), ...more })]).toEqual([tool, "NOT_FOUND"]);
    expect([tool, await house.refusal(tool, { path: "relative", ...more })]).toEqual([tool, "INVALID_INPUT"]);
  }
  configure(r.dir, "nonsense");
  const { config_hash: broken, problem } = await show(house, r.dir);
  expect(problem).toEqual(expect.any(String));
  expect(await house.refusal("checks_allow", { path: r.dir, config_hash: broken })).toBe("INVALID_STATE");
});

test("[CK7] one permission serves every worktree of a repository", async () => {
  const house = await openMissionHouse("sqlite");
  const r = checkedRepository(passes);
  await allow(house, r.dir);
  const worktree = join(tempDir(), "wt");
  r.git("worktree", "add", "-q", worktree, "-b", "wt");
  const mission_id = await startMission(house);
  const { task_id } = await startTask(house, { mission_id, repository_path: worktree });
  expect((await completeTask(house, task_id)).verification).toMatchObject({ level: "reproduced" });
});

describe("[RC1, RC2, RC3] what a receipt is worth", () => {
  const tree = { head: null, digest: "" };
  const changes = { added: [], modified: [], deleted: [], warnings: [], hashes: {}, start: tree, end: tree };
  const result = (status: "passed" | "failed" | "timed_out") => ({
    name: "unit",
    status,
    exitCode: null,
    durationMs: 0,
    outputHash: "",
    lastLines: "",
  });
  const levelOf = (
    isComplete: boolean,
    scopeMatch: boolean,
    state: Receipt["checks"]["state"],
    results: Receipt["checks"]["results"] = [],
  ) => decideLevel({ changes: { ...changes, isComplete }, scopeMatch, checks: { state, configHash: null, results } });

  test.each([
    { when: "not all changes are known", level: levelOf(false, true, "done", [result("passed")]), is: "self-reported" },
    {
      when: "some of it was not announced",
      level: levelOf(true, false, "done", [result("passed")]),
      is: "self-reported",
    },
    { when: "there are no checks", level: levelOf(true, true, "absent"), is: "verified" },
    { when: "the checks are not done", level: levelOf(true, true, "pending"), is: "verified" },
    { when: "no check was run", level: levelOf(true, true, "done"), is: "verified" },
    {
      when: "one did not pass",
      level: levelOf(true, true, "done", [result("passed"), result("timed_out")]),
      is: "verified",
    },
    { when: "the tree moved", level: levelOf(true, true, "moved", [result("passed")]), is: "verified" },
    { when: "all of them passed", level: levelOf(true, true, "done", [result("passed")]), is: "reproduced" },
  ])("[RC1, RC2, RC3] $is when $when", ({ level, is }) => {
    expect(level).toBe(is);
  });
});
