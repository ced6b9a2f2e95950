import { describe, expect, test } from "vitest";
import { checkBranch } from "../../src/domain/worktree/rules.ts";
import type { TestHouse } from "../../src/testing/house.ts";
import { forEachStillStore, momentAt, traceOf, usedWell, wasRefused } from "../domain/still-house.ts";
import { claim, type PlannedWork, planned } from "./work.ts";

const path = "/srv/code/shop-worktrees/login";
const commit = "abc123";

const register = async (house: TestHouse, work: PlannedWork, ask: Record<string, unknown> = {}): Promise<string> =>
  (await house.call<{ id: string }>("workspace_create", { workflow_id: work.id, path, branch: "work/login", ...ask }))
    .id;

const listed = async (house: TestHouse, work: PlannedWork, status?: string[]) =>
  (
    await house.call<{ workspaces: Record<string, unknown>[] }>("workspace_list", {
      workflow_id: work.id,
      ...(status ? { status } : {}),
    })
  ).workspaces;

forEachStillStore("workspaces", (open) => {
  test("[WT1] registering answers the id, assigns the tasks that are named and records it all", async () => {
    const house = await open();
    const work = await planned(house, [{ name: "a" }, { name: "b" }, { name: "c" }]);
    const [a, b] = [work.task("a"), work.task("b")];
    let id = "";
    const trace = await traceOf(house, async () => {
      id = await register(house, work, { base_branch: "main", task_ids: [b, a, b], path: `${path}/` });
    });
    const by = { developerId: house.owner.developerId };
    const assigned = (taskId: string) => ({
      kind: "task.assigned",
      announced: "task:updated",
      subject: taskId,
      channels: [`task:${taskId}`, `workflow:${work.id}`],
      data: { workflow_id: work.id, workspace_id: id },
      ...by,
    });
    expect(trace).toEqual({
      work: [
        {
          kind: "worktree.registered",
          announced: "workspace:created",
          subject: id,
          channels: [`worktree:${id}`, `workflow:${work.id}`],
          data: { workflow_id: work.id, branch: "work/login" },
          ...by,
        },
        assigned(b),
        assigned(a),
      ],
      usage: [usedWell("workspace_create")],
    });
    expect(await listed(house, work)).toMatchObject([
      {
        id,
        workflow_id: work.id,
        path,
        branch: "work/login",
        base_branch: "main",
        status: "active",
        merge_commit: null,
        task_ids: [a, b],
        created_at: momentAt(0),
        updated_at: momentAt(0),
      },
    ]);
    expect(await house.call("task_get", { id: a })).toMatchObject({ workspace_id: id });
  });

  test("[WT2] a workspace is merged, with its commit, or abandoned, and neither is taken back", async () => {
    const house = await open();
    const work = await planned(house, [{ name: "a" }]);
    const merged = await register(house, work);
    expect(await house.refusal("workspace_update", { id: merged, status: "merged" })).toBe("MISSING_MERGE_COMMIT");
    house.clock.advance(3);
    const trace = await traceOf(house, () =>
      house.call("workspace_update", { id: merged, status: "merged", merge_commit: commit }),
    );
    expect(trace.work).toEqual([
      {
        kind: "worktree.updated",
        announced: "workspace:updated",
        subject: merged,
        channels: [`worktree:${merged}`, `workflow:${work.id}`],
        data: { workflow_id: work.id, status: "merged" },
        developerId: house.owner.developerId,
      },
    ]);
    expect(await listed(house, work, ["merged"])).toMatchObject([
      { id: merged, merge_commit: commit, updated_at: momentAt(3) },
    ]);
    const abandoned = await register(house, work);
    await house.call("workspace_update", { id: abandoned, status: "abandoned" });
    for (const [id, from] of [
      [merged, "merged"],
      [abandoned, "abandoned"],
    ] as const) {
      for (const status of ["active", "merged", "abandoned"].filter((one) => one !== from)) {
        const reply = await house.reply("workspace_update", { id, status, merge_commit: commit });
        const failure = { code: "INVALID_TRANSITION", from, to: status, allowed: [] };
        expect(reply).toMatchObject({ ok: false, failure });
      }
    }
    expect(await listed(house, work, ["active"])).toEqual([]);
    expect((await listed(house, work)).map((one) => one["id"]).sort()).toEqual([merged, abandoned].sort());
  });

  test("[WT3] a task is done in an active workspace of its own workflow, and in no other", async () => {
    const house = await open();
    const work = await planned(house, [{ name: "a" }]);
    const other = await planned(house, [{ name: "b" }]);
    const [id, gone] = [await register(house, work), await register(house, work)];
    await house.call("workspace_update", { id: gone, status: "abandoned" });
    const assign = (taskId: string, workspaceId: string) =>
      house.refusal("task_assign_workspace", { task_id: taskId, workspace_id: workspaceId });
    const trace = await traceOf(house, async () => {
      expect(await assign(other.task("b"), id)).toBe("WORKFLOW_MISMATCH");
      expect(await assign(work.task("a"), gone)).toBe("INVALID_STATE");
      const args = { workflow_id: work.id, path, branch: "b", task_ids: [work.task("a"), other.task("b")] };
      expect(await house.refusal("workspace_create", args)).toBe("WORKFLOW_MISMATCH");
    });
    expect(trace.work).toEqual([]);
    await house.call("task_assign_workspace", { task_id: work.task("a"), workspace_id: id });
    expect(await house.call("task_get", { id: work.task("a") })).toMatchObject({ workspace_id: id });
  });

  test("[WT4] workspaces are registered by the workflow's owner; tasks are assigned by who may write to them", async () => {
    const house = await open();
    const { caller: bob } = await house.developer("bob");
    const work = await planned(house, [{ name: "a" }]);
    const id = await register(house, work);
    const assign = { task_id: work.task("a"), workspace_id: id };
    const trace = await traceOf(house, async () => {
      const args = { workflow_id: work.id, path, branch: "b" };
      expect(await house.refusal("workspace_create", args, bob)).toBe("FORBIDDEN");
      expect(await house.refusal("workspace_update", { id, status: "abandoned" }, bob)).toBe("FORBIDDEN");
      expect(await house.refusal("task_assign_workspace", assign, bob)).toBe("FORBIDDEN");
    });
    expect(trace.work).toEqual([]);
    await claim(house, work.task("a"), await house.agent("His", bob), bob);
    await house.call("task_assign_workspace", assign, bob);
    expect(await house.refusal("task_assign_workspace", assign)).toBe("FORBIDDEN");
    expect(await house.call("workspace_list", { workflow_id: work.id }, bob)).toEqual(
      await house.call("workspace_list", { workflow_id: work.id }),
    );
  });

  for (const { what, ask } of [
    { what: "a path that is not absolute", ask: { path: "worktrees/a" } },
    { what: "a path that climbs", ask: { path: "/srv/../etc" } },
    { what: "a branch that looks like an option", ask: { branch: "--upload-pack=evil" } },
    { what: "a base that looks like one", ask: { base_branch: "-b" } },
  ]) {
    test(`[WT5] workspace_create refuses ${what} with INVALID_INPUT`, async () => {
      const house = await open();
      const work = await planned(house, [{ name: "a" }]);
      const trace = await traceOf(house, async () => {
        const args = { workflow_id: work.id, path, branch: "b", ...ask };
        expect(await house.refusal("workspace_create", args)).toBe("INVALID_INPUT");
      });
      expect(trace).toEqual({ work: [], usage: [wasRefused("workspace_create", "INVALID_INPUT")] });
    });
  }
});

describe("names of branches", () => {
  test.each(["main", "work/login", "a", "feature/1.2+x", "A_b-c.d/e"])("[WT5] %s is one", (name) => {
    expect(() => checkBranch(name)).not.toThrow();
  });

  test.each([
    "-x",
    ".hidden",
    "/abs",
    "a/",
    "a.",
    "a..b",
    "a//b",
    "a/.b",
    "a.lock",
    "a.lock/b",
    "HEAD",
    "a b",
    "a~1",
    "a^",
    "a:b",
    "a?",
    "a*",
    "a[",
    "a\\b",
    "a\nb",
    "a\u0000",
    "@{-1}",
    "@",
    "ü",
    "",
    "x".repeat(251),
  ])("[WT5] %j is none", (name) => {
    expect(() => checkBranch(name)).toThrow();
  });
});
