import { randomBytes } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fillDisk, git, mountSmallDisk, repositoryAt, writeIn } from "../git/scratch.ts";
import { capture } from "./capture.ts";
import { cleanUp, listCopies, openScene, restore, theCopy } from "./scene.ts";
import { pressOn } from "./waiting.ts";

/** A scene whose repository lies on a disk of a few megabytes. */
async function openOnSmallDisk() {
  const disk = mountSmallDisk(12);
  const scene = await openScene();
  const repository = repositoryAt(join(disk, "shop"), { "a.txt": "one\n", "lib/b.txt": "two\n" });
  const place = (name: string): string => `${repository.path}-worktrees/${name}`;
  const make = (name: string) =>
    scene.house.call<{ id: string; path: string; ready: boolean; problem: string | null }>("workspace_create", {
      workflow_id: scene.workflowId,
      path: place(name),
      branch: `work/${name}`,
      create_worktree: true,
      repo_path: repository.path,
    });
  return { disk, ballast: join(disk, "ballast"), scene: { ...scene, repository, place }, make };
}

test("[VA12, VA1] a copy that the disk does not take leaves the folder as it is, and with room again it is taken", async () => {
  const { scene, make, ballast } = await openOnSmallDisk();
  const { id, path } = await make("login");
  writeIn(path, "large.bin", randomBytes(2_000_000));
  writeIn(path, "a.txt", "changed\n");
  const before = capture(path);
  fillDisk(ballast);

  const kept = await pressOn(scene.house, cleanUp(scene, id));

  expect(kept).toMatchObject({ removed: false, problem: expect.stringContaining("GIT_ERROR") });
  expect(capture(path)).toEqual(before);
  expect(await listCopies(scene)).toEqual([]);

  rmSync(ballast);
  expect(await cleanUp(scene, id)).toMatchObject({ removed: true, problem: null });
  const copy = await theCopy(scene);
  await restore(scene, copy.id);
  expect(capture(path)).toEqual(before);
});

test("[GT22] a worktree that the disk does not take leaves nothing behind", async () => {
  const { scene, make, ballast } = await openOnSmallDisk();
  scene.repository.commit("large", { "large.txt": randomBytes(1_500_000).toString("hex") });
  fillDisk(ballast);

  const made = await pressOn(scene.house, make("login"));

  expect(made).toMatchObject({ ready: false, problem: expect.stringContaining("GIT_ERROR") });
  expect(existsSync(scene.place("login"))).toBe(false);
  rmSync(ballast);
  expect(git(scene.repository.path, "worktree", "list").split("\n")).toHaveLength(1);
  expect(scene.repository.git("branch", "--format=%(refname:short)")).toBe("main");
});

test("[VA21] a copy for which there is no room is not restored by half", async () => {
  const { scene, make, ballast } = await openOnSmallDisk();
  const { id, path } = await make("login");
  writeIn(path, "large.bin", randomBytes(2_000_000));
  const before = capture(path);
  await cleanUp(scene, id);
  const copy = await theCopy(scene);
  fillDisk(ballast);

  const failed = await pressOn(scene.house, scene.house.call("vault_restore", { id: copy.id }));

  expect(failed).toMatchObject({ restored: false, problem: expect.any(String) });
  expect(existsSync(path)).toBe(false);
  rmSync(ballast);
  expect(await restore(scene, copy.id)).toMatchObject({ restored: true, problem: null });
  expect(capture(path)).toEqual(before);
});
