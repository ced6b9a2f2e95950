import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { gitPorts } from "../../src/adapters/git/hands.ts";
import { openGitHost } from "../../src/adapters/git/host.ts";
import { installedGit } from "../../src/adapters/git/run.ts";
import { forEachStore, openTestHouse } from "../../src/testing/house.ts";
import { git, makeFolder, repositoryAt } from "../git/scratch.ts";
import { makeWorkspace, openScene, type Scene } from "./scene.ts";

const list = async ({ house, workflowId }: Scene): Promise<Record<string, unknown>[]> =>
  (await house.call<{ workspaces: Record<string, unknown>[] }>("workspace_list", { workflow_id: workflowId }))
    .workspaces;

forEachStore("workspace_create", (_open, kind) => {
  test("[GT19, GT25] makes the folder and answers when it is ready", async () => {
    const scene = await openScene(kind);
    const before = (await scene.house.entries()).at(-1)?.seq ?? 0;

    const made = await makeWorkspace(scene, "login");

    const path = scene.place("login");
    expect(made).toEqual({ id: made.id, path, ready: true, base_behind: null, problem: null });
    expect(git(path, "status", "--porcelain", "-b")).toBe("## work/login");
    expect(await list(scene)).toEqual([
      {
        id: made.id,
        workflow_id: scene.workflowId,
        path,
        branch: "work/login",
        base_branch: null,
        status: "active",
        merge_commit: null,
        repository_path: scene.repository.path,
        ready: true,
        base_behind: null,
        skipped_filters: [],
        problem: null,
        task_ids: [],
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
    const kinds = (await scene.house.entries("work", before)).map((entry) => entry.kind);
    expect(kinds).toEqual(["worktree.registered", "worktree.prepared"]);
  });

  test("[GT19] without create_worktree touches nothing on the disk", async () => {
    const scene = await openScene(kind);
    const made = await makeWorkspace(scene, "login", { create_worktree: false });
    expect(made).toEqual({ id: made.id });
    expect(existsSync(scene.place("login"))).toBe(false);
    expect(await list(scene)).toMatchObject([{ ready: true, status: "active" }]);
  });

  test("[GT20] takes the repository that is named, else the workflow's", async () => {
    const scene = await openScene(kind);
    const other = repositoryAt(join(scene.repository.around, "other"), { "o.txt": "o\n" });
    await makeWorkspace(scene, "there", { repo_path: other.path });
    expect(readdirSync(scene.place("there"))).toEqual([".git", "o.txt"]);
    expect(await list(scene)).toMatchObject([{ repository_path: other.path }]);

    const workflow = { name: "Nowhere", source_type: "prompt", source_content: "x" };
    const { id: workflow_id } = await scene.house.call<{ id: string }>("workflow_create", workflow);
    const ask = { workflow_id, path: scene.place("x"), branch: "x", create_worktree: true };
    expect(await scene.house.refusal("workspace_create", ask)).toBe("MISSING_REPO_PATH");
  });
});

describe("what is refused", () => {
  /** Nothing of a refused call is left: no record, no work, no file, no branch. */
  async function expectRefused(scene: Scene, code: string, more: Record<string, unknown>): Promise<void> {
    const { house, repository } = scene;
    const before = { files: readdirSync(repository.around), refs: repository.git("for-each-ref") };
    const events = await house.eventsOf(async () => {
      const ask = {
        workflow_id: scene.workflowId,
        path: scene.place("new"),
        branch: "work/new",
        create_worktree: true,
      };
      expect(await house.refusal("workspace_create", { ...ask, ...more })).toBe(code);
    });
    expect(events).toEqual([]);
    expect(await list(scene)).toEqual([]);
    const rows = await house.house.store.read((db) => db.all(db.q.selectFrom("errand").selectAll()));
    expect(rows).toEqual([]);
    expect({ files: readdirSync(repository.around), refs: repository.git("for-each-ref") }).toEqual(before);
  }

  test.each([
    "-D",
    "--upload-pack=touch x",
    "a..b",
    "@{-1}",
    "HEAD",
    "a.lock",
    "x^{/re}",
    "a b",
    ";id",
    "$(id)",
    "`id`",
    "x|y",
    "'x",
    '"x',
    "x\ny",
    "ünï",
    ".hidden",
    "a/",
    "/a",
    "a//b",
    "a\\b",
    "a~1",
    "a:b",
  ])("[GT14, GT13] the branch name %j", async (branch) => {
    const scene = await openScene("sqlite", { git: { ...installedGit, program: "/nowhere/no-git-is-asked" } });
    await expectRefused(scene, "INVALID_INPUT", { branch });
    await expectRefused(scene, "INVALID_INPUT", { base_branch: branch });
  });

  test("[GT13, GT8] places outside, in every spelling", async () => {
    const scene = await openScene();
    const { path } = scene.repository;
    const places = [
      "/etc/new",
      "relative/path",
      `${path}-worktrees/../../../etc/new`,
      `${path}/.git/new`,
      `${path}/new`,
      `${path}-worktrees/nul\0byte`,
      `${path}-worktrees/line\nend`,
      "/",
      "/root",
    ];
    for (const place of places) await expectRefused(scene, "INVALID_INPUT", { path: place });
  });

  test("[GT13, GT10, GT11] places that are taken, and links that lead elsewhere", async () => {
    const scene = await openScene();
    const { around, path } = scene.repository;
    symlinkSync(makeFolder(), join(around, "out"));
    mkdirSync(join(around, "full", "inner"), { recursive: true });
    await expectRefused(scene, "INVALID_INPUT", { path: join(around, "out", "new") });
    await expectRefused(scene, "CONFLICT", { path: join(around, "full") });
    await expectRefused(scene, "CONFLICT", { path });
  });

  test("[GT13, GT16] branches that are in use and bases that are not there", async () => {
    const scene = await openScene();
    await expectRefused(scene, "CONFLICT", { branch: "main" });
    await expectRefused(scene, "INVALID_INPUT", { base_branch: "nowhere" });
  });

  test("[GT13, GT4] repositories that are none", async () => {
    const scene = await openScene();
    await expectRefused(scene, "REPOSITORY_NOT_FOUND", { repo_path: "/nowhere/at/all" });
    await expectRefused(scene, "REPOSITORY_NOT_FOUND", { repo_path: scene.repository.around });
    await expectRefused(scene, "FORBIDDEN", { repo_path: "/root" });
    rmSync(join(scene.repository.path, ".git", "HEAD"));
    const ask = { workflow_id: scene.workflowId, path: scene.place("new"), branch: "b", create_worktree: true };
    expect(await scene.house.refusal("workspace_create", ask)).toBe("REPOSITORY_NOT_FOUND");
  });

  test("[GT13] another developer's workflow, before anything is looked at", async () => {
    const scene = await openScene();
    const { caller: bob } = await scene.house.developer("bob");
    const ask = { workflow_id: scene.workflowId, path: "/nowhere", branch: "b", create_worktree: true };
    expect(await scene.house.refusal("workspace_create", ask, bob)).toBe("FORBIDDEN");
  });

  test("[GT4] workspace_create without git is CAPABILITY_MISSING, with a git that fails GIT_ERROR", async () => {
    const { house, repository, workflowId, place } = await openScene();
    const ask = { workflow_id: workflowId, path: place("new"), branch: "b", create_worktree: true };
    await house.house.close();
    for (const [program, code] of [
      ["/nowhere/git", "CAPABILITY_MISSING"],
      ["false", "GIT_ERROR"],
    ] as const) {
      const host = openGitHost({ dataDir: repository.around, git: { ...installedGit, program } });
      const next = await openTestHouse("sqlite", { location: house.location, ports: gitPorts(host) });
      expect(await next.refusal("workspace_create", ask, house.owner)).toBe(code);
      await next.house.close();
    }
  });
});
