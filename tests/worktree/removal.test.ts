import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { gitHands } from "../../src/adapters/git/hands.ts";
import { openGitHost } from "../../src/adapters/git/host.ts";
import { WorktreeId } from "../../src/contract/ids.ts";
import type { Hand } from "../../src/domain/errand.ts";
import type { RemovedWorktree, RemoveWorktree, StoredWorktree } from "../../src/domain/worktree/port.ts";
import { git, makeFolder, makeRepository, writeIn } from "../git/scratch.ts";
import { capture, listFiles } from "./capture.ts";
import { cleanUp, listCopies, makeWorkspace, openScene, restore, theCopy } from "./scene.ts";

/** A worktree that is made and stored, ready to be removed by hand. */
async function storeOne() {
  const repository = makeRepository();
  const hands = gitHands(openGitHost({ dataDir: makeFolder() }));
  const path = `${repository.path}-worktrees/one`;
  const ask = {
    worktreeId: WorktreeId.parse("ws_1"),
    repositoryPath: repository.path,
    path,
    branch: "work/one",
    baseBranch: null,
  };
  const turn = (key: string, attempt = 1) => ({ key, attempt, signal: new AbortController().signal });
  await hands["worktree.make"].run(ask, turn("ws_1"));
  writeIn(path, "a.txt", "changed\n");
  writeIn(path, "new.txt", "untracked\n");
  const storing = { ...ask, number: 1, at: 1_700_000_000_000 };
  const stored = (await hands["worktree.store"].run(storing, turn("store"))) as StoredWorktree;
  const { head, trees } = stored;
  const removing: RemoveWorktree = {
    worktreeId: WorktreeId.parse("ws_1"),
    repositoryPath: repository.path,
    path,
    head,
    trees,
  };
  return {
    repository,
    hands,
    path,
    stored,
    storing,
    removing,
    turn,
    leaving: `${path}.ws_1.leaving`,
    gone: `${path}.ws_1.gone`,
  };
}

describe("a removal", () => {
  test("[VA15] that was interrupted after the folder was moved aside goes on", async () => {
    const { hands, removing, turn, path, leaving } = await storeOne();
    renameSync(path, leaving);
    expect(await hands["worktree.remove"].run(removing, turn("remove", 2))).toEqual({ hasChanged: false });
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  test("[VA15] that was interrupted while it deleted goes on", async () => {
    const { hands, removing, turn, path, gone, repository } = await storeOne();
    renameSync(path, gone);
    rmSync(`${gone}/a.txt`);
    expect(await hands["worktree.remove"].run(removing, turn("remove", 2))).toEqual({ hasChanged: false });
    expect(readdirSync(dirname(path))).toEqual([]);
    expect(git(repository.path, "worktree", "list").split("\n")).toHaveLength(1);
  });

  test("[VA15] that was done already ends as done", async () => {
    const { hands, removing, turn } = await storeOne();
    await hands["worktree.remove"].run(removing, turn("remove"));
    expect(await hands["worktree.remove"].run(removing, turn("remove", 2))).toEqual({ hasChanged: false });
  });

  test("[VA15] that is given up puts the folder back", async () => {
    const { hands, removing, turn, path, leaving } = await storeOne();
    const before = capture(path);
    renameSync(path, leaving);
    await hands["worktree.remove"].undo?.(removing, turn("remove", 4));
    expect(capture(path)).toEqual(before);
  });

  test.each([
    { what: "a changed file", act: (path: string) => writeIn(path, "a.txt", "changed again\n") },
    { what: "a new file", act: (path: string) => writeIn(path, "late.txt", "late\n") },
    { what: "a staged file", act: (path: string) => void git(path, "add", "a.txt") },
    { what: "a commit", act: (path: string) => void git(path, "commit", "-q", "-a", "-m", "late") },
  ])("[VA13] that meets $what leaves the folder as it is", async ({ act }) => {
    const { hands, removing, turn, path } = await storeOne();
    act(path);
    const before = capture(path);
    expect(await hands["worktree.remove"].run(removing, turn("remove"))).toEqual({ hasChanged: true });
    expect(capture(path)).toEqual(before);
  });

  test("[VA13] does not mind that git has looked at the folder since", async () => {
    const { hands, removing, turn, path } = await storeOne();
    git(path, "status");
    expect(await hands["worktree.remove"].run(removing, turn("remove"))).toEqual({ hasChanged: false });
  });

  test("[VA1] made twice, the copy is the same commit", async () => {
    const { hands, storing, stored, turn } = await storeOne();
    expect(await hands["worktree.store"].run(storing, turn("store", 2))).toEqual(stored);
  });
});

/** Hands of which the first removals meet somebody who is still at work. */
function disturbed(times: number, disturb: (path: string) => void) {
  const host = openGitHost({ dataDir: makeFolder() });
  const hands = gitHands(host);
  let left = times;
  const remove: Hand<RemoveWorktree, RemovedWorktree> = {
    ...hands["worktree.remove"],
    run(payload, turn) {
      left -= 1;
      if (left >= 0) disturb(payload.path);
      return hands["worktree.remove"].run(payload, turn);
    },
  };
  return { ...hands, "worktree.remove": remove };
}

test("[VA13] a folder that changes after it was stored is stored again, and both copies are kept", async () => {
  const scene = await openScene("sqlite", {
    hands: disturbed(1, (path) => writeIn(path, "late.txt", "just in time\n")),
  });
  const { id, path } = await makeWorkspace(scene, "login");

  expect(await cleanUp(scene, id)).toMatchObject({ removed: true });

  const copies = await listCopies(scene);
  expect(copies).toMatchObject([{ untracked: 1 }, { untracked: 0 }]);
  expect(copies.map(({ ref }) => ref)).toEqual([`refs/crewdeck/vault/${id}/2`, `refs/crewdeck/vault/${id}/1`]);
  await restore(scene, copies[0]?.id ?? "");
  expect(listFiles(path)["late.txt"]).toBe("file just in time\n");
});

test("[VA14] a folder that keeps changing stays after five copies", async () => {
  let count = 0;
  const hands = disturbed(100, (path) => {
    count += 1;
    writeIn(path, "log.txt", `line ${count}\n`);
  });
  const scene = await openScene("sqlite", { hands });
  const { id, path } = await makeWorkspace(scene, "login");

  expect(await cleanUp(scene, id)).toMatchObject({ removed: false, problem: "CONFLICT: The folder keeps changing." });

  expect(await listCopies(scene)).toHaveLength(5);
  expect(listFiles(path)["log.txt"]).toBe("file line 5\n");
});

test("[VA16] a folder that somebody removed by hand ends as removed, and what was staged is stored", async () => {
  const scene = await openScene();
  const { id, path } = await makeWorkspace(scene, "login");
  writeIn(path, "staged.txt", "staged\n");
  git(path, "add", "staged.txt");
  rmSync(path, { recursive: true });

  expect(await cleanUp(scene, id)).toMatchObject({ removed: true, problem: null });

  const copy = await theCopy(scene);
  expect(copy).toMatchObject({ staged: 1, unstaged: 0, untracked: 0, merged: false });
  expect(scene.repository.git("show", `${copy.ref}:staged/staged.txt`)).toBe("staged");
  expect(scene.repository.git("worktree", "list").split("\n")).toHaveLength(1);
});

test("[VA16] a folder of which nothing is left at all needs no copy", async () => {
  const scene = await openScene();
  const { id, path } = await makeWorkspace(scene, "login");
  scene.repository.git("worktree", "remove", path);
  expect(await cleanUp(scene, id)).toMatchObject({ removed: true, problem: null });
  expect(await listCopies(scene)).toEqual([]);
});

test("[VA8] what the base has is marked as merged: merged, squashed, and nothing else in the folder", async () => {
  const scene = await openScene();
  const commitIn = (path: string, name: string): void => {
    writeIn(path, `${name}.txt`, `${name}\n`);
    git(path, "add", "-A");
    git(path, "commit", "-q", "-m", name);
  };
  const made = Object.fromEntries(
    await Promise.all(
      ["merged", "squashed", "dirty", "open"].map(async (name) => [name, await makeWorkspace(scene, name)] as const),
    ),
  );
  for (const [name, { path }] of Object.entries(made)) commitIn(path, name);
  scene.repository.git("merge", "-q", "work/merged", "-m", "merge");
  scene.repository.git("merge", "-q", "--squash", "work/squashed");
  scene.repository.commit("squashed");
  scene.repository.git("merge", "-q", "work/dirty", "-m", "merge");
  writeIn(made["dirty"]?.path ?? "", "left.txt", "over\n");

  for (const { id } of Object.values(made)) await cleanUp(scene, id);

  const copies = await listCopies(scene);
  const merged = Object.fromEntries(copies.map(({ path, merged: isMerged }) => [path.split("/").at(-1), isMerged]));
  expect(merged).toEqual({ merged: true, squashed: true, dirty: false, open: false });
});

test("[VA8] an upstream that has the work counts, the word of whoever cleans up does not", async () => {
  const scene = await openScene();
  const upstream = join(scene.repository.around, "upstream.git");
  git(scene.repository.path, "clone", "-q", "--bare", scene.repository.path, upstream);
  git(scene.repository.path, "remote", "add", "origin", upstream);
  git(scene.repository.path, "fetch", "-q");
  git(scene.repository.path, "branch", "-q", "--set-upstream-to=origin/main");
  const [pushed, claimed] = [await makeWorkspace(scene, "pushed"), await makeWorkspace(scene, "claimed")];
  for (const { id, path } of [pushed, claimed]) {
    writeIn(path, `${id}.txt`, id);
    git(path, "add", "-A");
    git(path, "commit", "-q", "-m", id);
  }
  git(pushed.path, "push", "-q", "origin", "HEAD:main");

  await cleanUp(scene, pushed.id);
  const merge_commit = git(claimed.path, "rev-parse", "HEAD");
  await scene.house.call("workspace_update", {
    id: claimed.id,
    status: "merged",
    merge_commit,
    cleanup_worktree: true,
  });

  const merged = (await listCopies(scene)).map(({ worktree_id, merged: isMerged }) => [worktree_id, isMerged]);
  expect(Object.fromEntries(merged)).toEqual({ [pushed.id]: true, [claimed.id]: false });
});

describe("cleaning up", () => {
  test("[VA17] is for merged and abandoned worktrees only", async () => {
    const scene = await openScene();
    const { id, path } = await makeWorkspace(scene, "login");
    expect(await scene.house.refusal("workspace_update", { id, cleanup_worktree: true })).toBe("INVALID_STATE");
    expect(existsSync(path)).toBe(true);
  });

  test("[VA17] needs a repository that is known", async () => {
    const { house } = await openScene();
    const workflow = { name: "Elsewhere", source_type: "prompt", source_content: "x" };
    const { id: workflow_id } = await house.call<{ id: string }>("workflow_create", workflow);
    const path = makeFolder();
    const { id } = await house.call<{ id: string }>("workspace_create", { workflow_id, path, branch: "b" });
    const ask = { id, status: "abandoned", cleanup_worktree: true };
    expect(await house.refusal("workspace_update", ask)).toBe("INVALID_STATE");
    expect(existsSync(path)).toBe(true);
  });

  test("[VA17] can be asked for again, and changes nothing more", async () => {
    const scene = await openScene();
    const { id, path } = await makeWorkspace(scene, "login");
    await cleanUp(scene, id);
    mkdirSync(path);
    expect(await cleanUp(scene, id)).toMatchObject({ removed: true });
    expect(existsSync(path)).toBe(true);
    expect(await listCopies(scene)).toHaveLength(1);
  });

  test("[VA17, VA1] comes with the events of each step, in the name of who asked", async () => {
    const scene = await openScene();
    const { id, path } = await makeWorkspace(scene, "login");
    writeIn(path, "new.txt", "x");
    const before = (await scene.house.entries()).at(-1)?.seq ?? 0;
    await cleanUp(scene, id);
    const copy = await theCopy(scene);
    const entries = await scene.house.entries("work", before);
    expect(entries.map(({ kind, subject, data, developerId }) => ({ kind, subject, data, developerId }))).toEqual(
      [
        { kind: "worktree.updated", subject: id, data: { workflow_id: scene.workflowId, status: "abandoned" } },
        { kind: "vault.stored", subject: copy.id, data: { worktree_id: id, staged: 0, unstaged: 0, untracked: 1 } },
        { kind: "worktree.removed", subject: id, data: { workflow_id: scene.workflowId } },
      ].map((entry) => ({ ...entry, developerId: scene.house.owner.developerId })),
    );
  });
});
