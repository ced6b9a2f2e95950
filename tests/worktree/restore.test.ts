import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { gitHands } from "../../src/adapters/git/hands.ts";
import { openGitHost } from "../../src/adapters/git/host.ts";
import { markOf } from "../../src/adapters/git/marked.ts";
import { openRepository } from "../../src/adapters/git/repository.ts";
import { installedGit } from "../../src/adapters/git/run.ts";
import { FileWriter } from "../../src/adapters/git/write-files.ts";
import { WorktreeId } from "../../src/contract/ids.ts";
import type { RestoreWorktree, StoredWorktree } from "../../src/domain/worktree/port.ts";
import { forEachStore, openTestHouse } from "../../src/testing/house.ts";
import { git, makeFolder, makeRepository, writeIn } from "../git/scratch.ts";
import { capture } from "./capture.ts";
import { cleanUp, listCopies, makeWorkspace, openScene, restore, theCopy } from "./scene.ts";

/** A scene in which one worktree was edited, stored and removed. */
async function openWithCopy(kind: "sqlite" | "postgres" = "sqlite") {
  const scene = await openScene(kind);
  const { id, path } = await makeWorkspace(scene, "login");
  writeIn(path, "a.txt", "committed\n");
  git(path, "commit", "-q", "-a", "-m", "on the branch");
  writeIn(path, "a.txt", "changed\n");
  const before = capture(path);
  await cleanUp(scene, id);
  return { scene, id, path, before, copy: await theCopy(scene) };
}

describe("the branch of a restored worktree", () => {
  test("[VA19] is made again if it is gone", async () => {
    const { scene, path, before, copy } = await openWithCopy();
    scene.repository.git("branch", "-q", "-D", "work/login");
    await restore(scene, copy.id);
    expect(capture(path)).toEqual(before);
  });

  test("[VA19] stays as it is if it has moved on, and HEAD stands on the stored commit", async () => {
    const { scene, path, before, copy } = await openWithCopy();
    scene.repository.git("branch", "-q", "-f", "work/login", "main");
    await restore(scene, copy.id);
    expect(capture(path)).toEqual({ ...before, branch: "none", status: expect.any(String) });
    expect(scene.repository.git("rev-parse", "work/login")).toBe(scene.repository.git("rev-parse", "main"));
  });

  test("[VA19] stays with the folder that uses it now", async () => {
    const { scene, path, before, copy } = await openWithCopy();
    scene.repository.git("worktree", "add", "-q", join(scene.repository.around, "other"), "work/login");
    await restore(scene, copy.id);
    expect(capture(path)).toMatchObject({ head: before.head, branch: "none", files: before.files });
  });
});

describe("the place of a restored worktree", () => {
  test("[VA20] may be another, while the first copy is still there", async () => {
    const { scene, path, before, copy } = await openWithCopy();
    const to = `${path}-again`;
    expect(await restore(scene, copy.id, to)).toEqual({ id: copy.id, path: to, restored: true, problem: null });
    expect(capture(to)).toEqual(before);
    expect(await restore(scene, copy.id)).toMatchObject({ path, restored: true });
    expect(capture(path)).toMatchObject({ files: before.files, index: before.index, branch: "none" });
  });

  test("[VA20] is judged like that of any other", async () => {
    const { scene, path, copy } = await openWithCopy();
    mkdirSync(path);
    writeFileSync(join(path, "mine.txt"), "");
    const refusal = (more: object) => scene.house.refusal("vault_restore", { id: copy.id, ...more });
    expect(await refusal({})).toBe("CONFLICT");
    expect(await refusal({ to: "/etc/restored" })).toBe("INVALID_INPUT");
    expect(await refusal({ to: "not/absolute" })).toBe("INVALID_INPUT");
    expect(await refusal({ id: "vt_none" })).toBe("NOT_FOUND");
    rmSync(scene.repository.path, { recursive: true });
    expect(await refusal({ to: `${path}-again` })).toBe("REPOSITORY_NOT_FOUND");
  });

  test("[VA20] cannot be found by a house that has no hands, or whose git is not there", async () => {
    const { scene, path, copy } = await openWithCopy();
    const { location } = scene.house;
    const { owner } = scene.house;
    await scene.house.house.close();
    const ask = { id: copy.id, to: `${path}-again` };
    const lame = await openTestHouse("sqlite", { location, hands: {}, ports: {} });
    expect(await lame.refusal("vault_restore", ask, owner)).toBe("CAPABILITY_MISSING");
    await lame.house.close();
    const broken = openGitHost({ dataDir: makeFolder(), git: { program: "false", mostBytes: 1_000 } });
    const house = await openTestHouse("sqlite", {
      location,
      hands: {},
      ports: {
        worktree: { checkGround: (ground, signal) => broken.look(ground.repositoryPath, signal, async () => ground) },
      },
    });
    expect(await house.refusal("vault_restore", ask, owner)).toBe("GIT_ERROR");
  });
});

forEachStore("who may restore", (_open, kind) => {
  test("[VA23] the developer and the owner, nobody else and no agent", async () => {
    const scene = await openScene(kind);
    const { house } = scene;
    const [{ caller: bob }, { caller: eve }] = [await house.developer("bob"), await house.developer("eve")];
    const workflow = {
      name: "Bob's",
      source_type: "prompt",
      source_content: "x",
      repository_path: scene.repository.path,
    };
    const { id: workflow_id } = await house.call<{ id: string }>("workflow_create", workflow, bob);
    const ask = { workflow_id, path: scene.place("bob"), branch: "work/bob", create_worktree: true };
    const { id } = await house.call<{ id: string }>("workspace_create", ask, bob);
    await house.call("workspace_update", { id, status: "abandoned", cleanup_worktree: true }, bob);
    const { token } = await house.call<{ token: string }>("token_create", { agent_type: "codex" });
    const codex = await house.house.authenticator.identify(token);
    const list = async (caller = house.owner) =>
      (await house.call<{ entries: { id: string }[] }>("vault_list", {}, caller)).entries;

    const [copy] = await list(bob);
    expect(await list()).toEqual([copy]);
    expect(await list(eve)).toEqual([]);
    expect(await house.refusal("vault_list", {}, codex)).toBe("FORBIDDEN");
    expect(await house.refusal("vault_restore", { id: copy?.id }, codex)).toBe("FORBIDDEN");
    expect(await house.refusal("vault_restore", { id: copy?.id }, eve)).toBe("FORBIDDEN");
    expect(existsSync(scene.place("bob"))).toBe(false);
    expect(await house.call("vault_restore", { id: copy?.id }, bob)).toMatchObject({ restored: true });
    expect(await list(bob)).toMatchObject([
      { restored_to: scene.place("bob"), restored_at: expect.stringMatching(/Z$/), dropped_at: null },
    ]);
  });
});

describe("a restore", () => {
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
    writeIn(path, "new.txt", "untracked\n");
    const before = capture(path);
    const storing = { ...ask, number: 1, at: 1_700_000_000_000 };
    const { head, trees, branch } = (await hands["worktree.store"].run(storing, turn("store"))) as StoredWorktree;
    await hands["worktree.remove"].run({ ...ask, head, trees }, turn("remove"));
    const restoring: RestoreWorktree = { repositoryPath: repository.path, path, branch, head, trees };
    return { repository, hand: hands["vault.restore"], path, before, restoring, turn };
  }

  test("[VA21] that was interrupted begins anew", async () => {
    const { repository, hand, path, before, restoring, turn } = await storeOne();
    repository.git("worktree", "add", "-q", "--detach", "--no-checkout", "--lock", "--reason", markOf("r"), path);
    writeIn(path, "new.txt", "half wri");
    expect(await hand.run(restoring, turn("r", 2))).toEqual({ path, isOnBranch: true, isExact: true });
    expect(capture(path)).toEqual(before);
  });

  test("[VA21] that was done before it could be recorded is found, with what was done there since", async () => {
    const { hand, path, restoring, turn } = await storeOne();
    await hand.run(restoring, turn("r"));
    writeIn(path, "later.txt", "already at work\n");
    expect(await hand.run(restoring, turn("r", 2))).toEqual({ path, isOnBranch: true, isExact: true });
    expect(existsSync(join(path, "later.txt"))).toBe(true);
  });

  test("[VA21] that fails leaves nothing behind", async () => {
    const { repository, hand, path, restoring, turn } = await storeOne();
    const tree = repository.git("rev-parse", `${restoring.trees.untracked}:new.txt`);
    rmSync(join(repository.path, ".git", "objects", tree.slice(0, 2), tree.slice(2)));
    await expect(hand.run(restoring, turn("r"))).rejects.toThrow();
    expect(existsSync(path)).toBe(false);
    expect(repository.git("worktree", "list").split("\n")).toHaveLength(1);
  });

  test("[VA21] of a copy that the repository no longer has is refused", async () => {
    const { hand, path, restoring, turn } = await storeOne();
    const trees = { ...restoring.trees, commit: "0123456789012345678901234567890123456789" };
    await expect(hand.run({ ...restoring, trees }, turn("r"))).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(existsSync(path)).toBe(false);
  });
});

test("[VA22] nothing is written through a link, even if a copy was made to", async () => {
  const repository = makeRepository();
  const outside = makeFolder();
  const target = makeFolder();
  symlinkSync(outside, join(target, "link"));
  const opened = await openRepository(installedGit, repository.path);
  const writer = new FileWriter(opened, target, { overwrites: false });
  const treeOf = (name: string): string => {
    const folder = makeFolder();
    git(folder, "init", "-q");
    writeIn(folder, name, "escaped\n");
    const env = ["--git-dir", join(repository.path, ".git"), "--work-tree", folder];
    git(folder, ...env, "add", "-A");
    const tree = git(folder, ...env, "write-tree");
    git(repository.path, "reset", "-q");
    return tree;
  };

  await expect(writer.writeTree(treeOf("link/x.txt"))).rejects.toThrow("no folder");
  await expect(writer.writeTree(treeOf("link"))).rejects.toThrow(/EEXIST|ELOOP/);
  expect(readdirSync(outside)).toEqual([]);
});

test("[VA18] a file that is too large for memory is restored too", async () => {
  const scene = await openScene();
  const { id, path } = await makeWorkspace(scene, "login");
  const large = Buffer.alloc(40 * 1024 * 1024, "0123456789abcde\n");
  writeIn(path, "large.bin", large);
  await cleanUp(scene, id);
  const copy = await theCopy(scene);
  expect(copy).toMatchObject({ bytes: large.length });
  await restore(scene, copy.id);
  expect(readFileSync(join(path, "large.bin")).equals(large)).toBe(true);
});

test("[VA20, VA27] a copy that was let go is not restored, but still listed among all that ever were", async () => {
  const { scene, copy } = await openWithCopy();
  const { house } = scene.house;
  scene.house.clock.advance(31 * 24 * 3_600_000);
  const { sweepVault } = await import("../../src/engine/keepers/sweeps.ts");
  house.thresholds.apply({ mostVaultEntries: 0 });
  await sweepVault(house);
  await house.errands.settle();

  expect(() => scene.repository.git("rev-parse", "--verify", copy.ref)).toThrow();
  expect(await listCopies(scene)).toEqual([]);
  const all = await scene.house.call<{ entries: unknown[] }>("vault_list", { include_dropped: true });
  expect(all.entries).toMatchObject([{ id: copy.id, dropped_at: expect.stringMatching(/Z$/) }]);
  expect(await scene.house.refusal("vault_restore", { id: copy.id })).toBe("INVALID_STATE");
});
