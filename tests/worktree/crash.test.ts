import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openTestHouse } from "../../src/testing/house.ts";
import { letPass } from "../../src/testing/waiting.ts";
import { ensureBuilt } from "../cli/program.ts";
import { Program } from "../crash/program.ts";
import { git, makeFolder, writeIn } from "../git/scratch.ts";
import { type Capture, capture } from "./capture.ts";
import { cleanUp, listCopies, makeWorkspace, openScene, type Scene, theCopy } from "./scene.ts";

const serverFile = fileURLToPath(new URL("programs/server.mjs", import.meta.url));

interface Ask {
  readonly location: string;
  readonly request?: { tool: string; args: Record<string, unknown> };
  readonly stopAt?: { kind: string; when: "before" | "after" };
}

function startServer(ask: Ask): Program {
  const args = [serverFile, JSON.stringify({ dataDir: makeFolder(), ...ask })];
  const program = new Program(spawn(process.execPath, args, { stdio: ["pipe", "pipe", "pipe"] }));
  onTestFinished(() => program.kill());
  return program;
}

/** Kills a server at a point of its outside work, and lets a second one finish. */
async function killAndFinish(ask: Required<Ask>): Promise<void> {
  const doomed = startServer(ask);
  await doomed.waitForLines(1);
  expect(doomed.lines[0]).toEqual({ standsStillAt: ask.stopAt.kind });
  await doomed.kill();
  const next = startServer({ location: ask.location });
  await next.waitForLines(1);
  expect(next.lines).toEqual([{ settled: true }]);
  await next.ended;
}

beforeAll(ensureBuilt);

/** A scene whose house is closed, so that other processes can have its store. */
async function leave(scene: Scene): Promise<string> {
  await scene.house.house.close();
  return scene.house.location;
}

/** The ledger, the workspaces and the copies as the next server finds them. */
async function findOut(scene: Scene) {
  const house = await openTestHouse("sqlite", { location: scene.house.location, hands: {} });
  const { owner } = scene.house;
  const again: Scene = { ...scene, house: Object.assign(house, { owner }) };
  const kinds = (await house.entries()).map(({ kind }) => kind);
  const { workspaces } = await house.call<{ workspaces: Record<string, unknown>[] }>(
    "workspace_list",
    { workflow_id: scene.workflowId },
    owner,
  );
  const count = (kind: string): number => kinds.filter((one) => one === kind).length;
  return { count, workspaces, copies: await listCopies(again) };
}

const moments = ["before", "after"] as const;

describe.each(moments)("a server that is killed %s git has done its part", (when) => {
  test("[EF13, GT21] has made the worktree once, when it runs again", async () => {
    const scene = await openScene();
    const path = scene.place("login");
    const args = { workflow_id: scene.workflowId, path, branch: "work/login", create_worktree: true };
    const location = await leave(scene);

    await killAndFinish({
      location,
      request: { tool: "workspace_create", args },
      stopAt: { kind: "worktree.make", when },
    });

    const { count, workspaces } = await findOut(scene);
    expect([count("worktree.registered"), count("worktree.prepared"), count("worktree.failed")]).toEqual([1, 1, 0]);
    expect(workspaces).toMatchObject([{ path, ready: true, status: "active" }]);
    expect(git(path, "status", "--porcelain", "-b")).toBe("## work/login");
    expect(scene.repository.git("worktree", "list").split("\n")).toHaveLength(2);
  });

  test.each([
    "worktree.store",
    "worktree.remove",
  ])("[EF13, VA1, VA15] has stored and removed the folder once, when it runs again after %s", async (kind) => {
    const scene = await openScene();
    const { id, path } = await makeWorkspace(scene, "login");
    writeIn(path, "new.txt", "untracked\n");
    const args = { id, status: "abandoned", cleanup_worktree: true };
    const location = await leave(scene);

    await killAndFinish({ location, request: { tool: "workspace_update", args }, stopAt: { kind, when } });

    const { count, workspaces, copies } = await findOut(scene);
    expect([count("vault.stored"), count("worktree.removed"), count("worktree.kept")]).toEqual([1, 1, 0]);
    expect(workspaces).toMatchObject([{ id, ready: false, status: "abandoned", problem: null }]);
    expect(copies).toMatchObject([{ worktree_id: id, untracked: 1 }]);
    expect(existsSync(path)).toBe(false);
    expect(scene.repository.git("for-each-ref", "--format=%(refname)", "refs/crewdeck")).toBe(copies[0]?.ref);
  });

  test("[EF13, VA21] has restored the copy once, when it runs again", async () => {
    const scene = await openScene();
    const { id, path } = await makeWorkspace(scene, "login");
    writeIn(path, "new.txt", "untracked\n");
    const before: Capture = capture(path);
    await cleanUp(scene, id);
    const copy = await theCopy(scene);
    const location = await leave(scene);

    await killAndFinish({
      location,
      request: { tool: "vault_restore", args: { id: copy.id } },
      stopAt: { kind: "vault.restore", when },
    });

    const { count, copies } = await findOut(scene);
    expect([count("vault.restored"), count("vault.restoreFailed")]).toEqual([1, 0]);
    expect(copies).toMatchObject([{ id: copy.id, restored_to: path, problem: null }]);
    expect(capture(path)).toEqual(before);
  });
});

test("[EF13, GT21, GT22] a server that is killed at any moment has made each worktree it promised, and whole", async () => {
  const scene = await openScene();
  const location = await leave(scene);
  const names = ["one", "two", "three", "four", "five", "six"];
  for (const name of names) {
    const args = {
      workflow_id: scene.workflowId,
      path: scene.place(name),
      branch: `work/${name}`,
      create_worktree: true,
    };
    const doomed = startServer({ location, request: { tool: "workspace_create", args } });
    await letPass(500 + Math.random() * 700, "a kill comes at a random moment");
    await doomed.kill();
    const next = startServer({ location });
    await next.waitForLines(1);
    await next.ended;
  }
  const { count, workspaces } = await findOut(scene);
  expect(count("worktree.prepared")).toBe(workspaces.length);
  for (const { path, branch, ready } of workspaces) {
    expect({ ready, status: git(String(path), "status", "--porcelain", "-b") }).toEqual({
      ready: true,
      status: `## ${branch}`,
    });
  }
  expect(scene.repository.git("worktree", "list").split("\n")).toHaveLength(workspaces.length + 1);
  expect(scene.repository.git("worktree", "list", "--porcelain")).not.toContain("locked");
});
