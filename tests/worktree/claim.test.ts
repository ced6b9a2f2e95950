import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { forEachStore } from "../../src/testing/house.ts";
import { git, makeRepository } from "../git/scratch.ts";
import { openScene, type Scene } from "./scene.ts";

interface Planned {
  readonly workflowId: string;
  /** By name: `left` and `right` run side by side, `alone` does not. */
  readonly tasks: Readonly<Record<string, string>>;
}

async function plan({ house, repository }: Scene, more: Record<string, unknown> = {}): Promise<Planned> {
  const { id: workflowId } = await house.call<{ id: string }>("workflow_create", {
    name: "Side by side",
    source_type: "prompt",
    source_content: "x",
    repository_path: repository.path,
    auto_create_workspaces: true,
    max_parallel_tasks: 2,
    ...more,
  });
  const task = (name: string, group?: string) => ({
    name,
    description: name,
    sequence: 1,
    ...(group === undefined ? {} : { parallel_group: group }),
  });
  const tasks = [task("left", "both"), task("right", "both"), task("alone")];
  await house.call("workflow_set_plan", { id: workflowId, plan: { summary: "s", approach: "a", tasks } });
  const listed = await house.call<{ tasks: { id: string; name: string }[] }>("workflow_get", {
    id: workflowId,
    include_tasks: true,
  });
  return { workflowId, tasks: Object.fromEntries(listed.tasks.map(({ id, name }) => [name, id])) };
}

const workspacesOf = async ({ house }: Scene, workflow_id: string): Promise<Record<string, unknown>[]> =>
  (await house.call<{ workspaces: Record<string, unknown>[] }>("workspace_list", { workflow_id })).workspaces;

forEachStore("task_claim", (_open, kind) => {
  test("[GT23, GT25] gives a task of a parallel group a worktree of its own", async () => {
    const scene = await openScene(kind);
    const { house, repository } = scene;
    const { workflowId, tasks } = await plan(scene);
    const agent = await house.agent("Ada");
    const before = (await house.entries()).at(-1)?.seq ?? 0;

    const claim = await house.call("task_claim", { task_id: tasks["left"], agent_id: agent });

    const id = claim["workspace_id"];
    expect(claim).toEqual({ success: true, fence: 1, workspace_id: expect.stringMatching(/^ws_/) });
    expect(await house.call("task_get", { id: tasks["left"] })).toMatchObject({ workspace_id: id });
    await house.house.errands.settle();
    const path = `${repository.path}-worktrees/${id}`;
    const branch = `crewdeck/${tasks["left"]}`;
    expect(await workspacesOf(scene, workflowId)).toMatchObject([
      { id, path, branch, ready: true, task_ids: [tasks["left"]] },
    ]);
    expect(git(path, "status", "--porcelain", "-b")).toBe(`## ${branch}`);
    const kinds = (await house.entries("work", before)).map((entry) => entry.kind);
    expect(kinds.filter((one) => /^(task|worktree)\./.test(one))).toEqual([
      "task.claimed",
      "worktree.registered",
      "task.assigned",
      "worktree.prepared",
    ]);
  });

  test("[GT25] shows the worktree as active and not ready until its folder is there", async () => {
    let finish: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const scene = await openScene(kind, {
      hands: {
        "worktree.make": {
          async run({ repositoryPath, path }) {
            await gate;
            return { repositoryPath, path, head: "0", behind: null, skippedFilters: [] };
          },
        },
      },
    });
    const { workflowId, tasks } = await plan(scene);
    await scene.house.call("task_claim", { task_id: tasks["left"], agent_id: await scene.house.agent("Ada") });
    expect(await workspacesOf(scene, workflowId)).toMatchObject([{ status: "active", ready: false, problem: null }]);
    const [{ id } = {}] = await workspacesOf(scene, workflowId);
    const ask = { id, status: "abandoned", cleanup_worktree: true };
    expect(await scene.house.refusal("workspace_update", ask)).toBe("INVALID_STATE");
    finish();
    await scene.house.house.errands.settle();
    expect(await workspacesOf(scene, workflowId)).toMatchObject([{ status: "active", ready: true }]);
  });

  test("[GT23] gives none to a task that stands alone, is held, or whose workflow does not wish it", async () => {
    const scene = await openScene(kind);
    const { house } = scene;
    const [ada, bob] = [await house.agent("Ada"), await house.agent("Bob")];
    const wished = await plan(scene);
    const unwished = await plan(scene, { auto_create_workspaces: false });
    const nowhere = await plan(scene, { repository_path: undefined });
    const claim = (task: string | undefined, agent = ada) =>
      house.call("task_claim", { task_id: task, agent_id: agent });

    expect(await claim(wished.tasks["alone"])).toEqual({ success: true, fence: 1 });
    await claim(wished.tasks["left"]);
    expect(await claim(wished.tasks["left"], bob)).toEqual({ success: false, already_claimed_by: ada });
    expect(await claim(wished.tasks["left"])).toEqual({ success: true, fence: 1 });
    expect(await claim(unwished.tasks["left"])).toEqual({ success: true, fence: 1 });
    expect(await claim(nowhere.tasks["left"])).toEqual({ success: true, fence: 1 });
    expect(await workspacesOf(scene, wished.workflowId)).toHaveLength(1);
    expect(await workspacesOf(scene, unwished.workflowId)).toEqual([]);
  });

  test("[GT24] lets the next holder go on in the worktree, and gives the next one the next branch", async () => {
    const scene = await openScene(kind);
    const { house } = scene;
    const { workflowId, tasks } = await plan(scene);
    const task_id = tasks["left"];
    const [ada, bob] = [await house.agent("Ada"), await house.agent("Bob")];
    const { workspace_id: first } = await house.call("task_claim", { task_id, agent_id: ada });
    await house.house.errands.settle();
    await house.call("task_release", { task_id, agent_id: ada });

    expect(await house.call("task_claim", { task_id, agent_id: bob })).not.toHaveProperty("workspace_id");
    expect(await house.call("task_get", { id: task_id })).toMatchObject({ workspace_id: first });

    await house.call("workspace_update", { id: first, status: "abandoned" });
    await house.call("task_release", { task_id, agent_id: bob });
    const { workspace_id: second } = await house.call("task_claim", { task_id, agent_id: ada });
    await house.house.errands.settle();
    expect(await workspacesOf(scene, workflowId)).toMatchObject([
      { id: first, branch: `crewdeck/${task_id}`, status: "abandoned" },
      { id: second, branch: `crewdeck/${task_id}-2`, status: "active", ready: true },
    ]);
  });

  test("[GT22] a worktree that cannot be made does not take the claim back, and says why", async () => {
    const scene = await openScene(kind);
    const gone = makeRepository();
    const { workflowId, tasks } = await plan(scene, { repository_path: `${gone.path}-elsewhere` });
    const agent = await scene.house.agent("Ada");
    const claim = await scene.house.call("task_claim", { task_id: tasks["left"], agent_id: agent });
    await scene.house.house.errands.settle();
    expect(claim).toMatchObject({ success: true });
    expect(await workspacesOf(scene, workflowId)).toMatchObject([
      { status: "abandoned", ready: false, problem: expect.stringContaining("REPOSITORY_NOT_FOUND") },
    ]);
    expect(existsSync(`${gone.path}-elsewhere-worktrees`)).toBe(false);
    expect(await scene.house.call("task_get", { id: tasks["left"] })).toMatchObject({ claimed_by: agent });
  });

  test("[GT23] lets whoever claimed it update the worktree, beside the workflow's owner", async () => {
    const scene = await openScene(kind);
    const { house } = scene;
    const { tasks } = await plan(scene);
    const [{ caller: bob }, { caller: eve }] = [await house.developer("bob"), await house.developer("eve")];
    const agent_id = await house.agent("Bob's", bob);
    const { workspace_id: id } = await house.call("task_claim", { task_id: tasks["left"], agent_id }, bob);
    await house.house.errands.settle();
    expect(await house.refusal("workspace_update", { id, status: "abandoned" }, eve)).toBe("FORBIDDEN");
    const ask = { id, status: "abandoned", cleanup_worktree: true };
    expect(await house.call("workspace_update", ask, bob)).toMatchObject({ removed: true });
  });
});
