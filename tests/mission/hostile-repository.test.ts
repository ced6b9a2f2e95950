import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compareSnapshot, takeSnapshot } from "../../src/adapters/evidence/snapshot.ts";
import { Refusal } from "../../src/contract/refusal.ts";
import { letPass } from "../../src/testing/waiting.ts";
import { Canaries, makeHostile } from "../git/hostile.ts";
import { makeRepository as makeScratch, writeIn } from "../git/scratch.ts";
import { changesOf, never, nothing } from "./changes.ts";
import { makeRepository, tempDir } from "./repository.ts";

const files = { "a.txt": "a\n", "b.pipe": "b\n", "c.odd": "c\n", "d.inc": "d\n", "e.own": "e\n", "f.sh": "echo\n" };

test("[EV9] no filter, monitor, external diff, hook, alias or other program of a repository's choice is run", async () => {
  const repository = makeScratch(files);
  const canaries = new Canaries();
  makeHostile(repository, canaries);
  for (const name of Object.keys(files)) writeIn(repository.path, name, "dirty before\n");
  const changes = await changesOf(repository.path, () => {
    for (const name of Object.keys(files)) writeIn(repository.path, name, "dirty again\n");
    writeIn(repository.path, "new.txt", "new\n");
  });
  expect(canaries.traces()).toEqual([]);
  expect(changes).toEqual({ ...nothing, added: ["new.txt"], modified: Object.keys(files) });
});

test("[EV9] nor one that a submodule names, whatever is checked out in it", async () => {
  const r = makeRepository();
  const library = makeScratch(files);
  r.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library.path, "lib");
  r.commit("submodule");
  const canaries = new Canaries();
  const inside = { ...library, path: join(r.dir, "lib") };
  r.git("-C", "lib", "config", "core.fsmonitor", canaries.command("fsmonitor"));
  r.git("-C", "lib", "config", "filter.evil.clean", canaries.command("clean"));
  writeIn(inside.path, ".gitattributes", "* filter=evil\n");
  expect(await changesOf(r.dir, () => writeIn(inside.path, "a.txt", "changed\n"))).toEqual(nothing);
  expect(canaries.traces()).toEqual([]);
});

test("[EV18] a folder on the way that became a link leads nowhere: its files are gone, and nothing behind it is read", async () => {
  const r = makeRepository();
  const outside = tempDir();
  writeFileSync(join(outside, "secret.txt"), "secret\n");
  r.write("inner/secret.txt", "secret\n");
  r.write("dirty/secret.txt", "untracked");
  r.git("add", "inner");
  r.git("commit", "-q", "-m", "inner");
  const snapshot = await takeSnapshot(r.dir, never);
  for (const name of ["inner", "dirty"]) {
    r.remove(name);
    symlinkSync(outside, join(r.dir, name));
  }
  const { added, deleted, hashes } = await compareSnapshot(snapshot, never);
  expect({ added, deleted }).toEqual({
    added: ["dirty", "inner"],
    deleted: ["dirty/secret.txt", "inner/secret.txt"],
  });
  expect(hashes["inner/secret.txt"]).toBeNull();
});

test("[EV18] a working tree that the configuration puts elsewhere is not looked at", async () => {
  const victim = tempDir();
  writeFileSync(join(victim, "private.txt"), "private");
  const r = makeRepository();
  r.git("config", "core.worktree", victim);
  const snapshot = await takeSnapshot(r.dir, never);
  expect(snapshot).toMatchObject({ type: "git", root: r.dir, files: {} });
  writeFileSync(join(r.dir, "a.txt"), "changed");
  writeFileSync(join(victim, "more.txt"), "more");
  expect(await compareSnapshot(snapshot, never)).toMatchObject({ added: [], modified: ["a.txt"], deleted: [] });
});

test("[EV18] a pipe in the place of a file is gone, and does not hold up the call", async () => {
  const r = makeRepository();
  const act = () => {
    r.remove("a.txt");
    execFileSync("mkfifo", [join(r.dir, "a.txt")]);
  };
  expect(await changesOf(r.dir, act)).toEqual({ ...nothing, deleted: ["a.txt"] });
});

test("[EV17] a repository that vanishes while it is looked at is GIT_ERROR, never a list of deletions", async () => {
  const r = makeRepository();
  for (let number = 0; number < 200; number += 1) r.write(`many/${number}.txt`, String(number));
  r.commit("many");
  for (let number = 0; number < 200; number += 1) r.write(`many/${number}.txt`, "changed");
  const snapshot = await takeSnapshot(r.dir, never);
  const away = join(tempDir(), "r");
  let refused = 0;
  for (let delayMs = 0; delayMs < 40; delayMs += 2) {
    const looking = compareSnapshot(snapshot, never).catch((error: unknown) => error);
    await letPass(delayMs, "the repository vanishes at one moment after the other");
    renameSync(r.dir, away);
    const seen = await looking;
    renameSync(away, r.dir);
    if (seen instanceof Refusal) {
      expect(seen.code).toBe("GIT_ERROR");
      refused += 1;
    } else expect(seen).toMatchObject({ added: [], modified: [], deleted: [] });
  }
  expect(refused).toBeGreaterThan(0);
  renameSync(join(r.dir, ".git"), join(r.dir, "no-git"));
  await expect(compareSnapshot(snapshot, never)).rejects.toMatchObject({ code: "GIT_ERROR" });
});

test("[EV17] a repository that was exchanged for the one around it is not taken for it", async () => {
  const outer = makeRepository();
  mkdirSync(join(outer.dir, "inner"));
  outer.git("-C", "inner", "init", "-q");
  const snapshot = await takeSnapshot(join(outer.dir, "inner"), never);
  expect(snapshot.root).toBe(join(outer.dir, "inner"));
  outer.remove("inner/.git");
  await expect(compareSnapshot(snapshot, never)).rejects.toMatchObject({ code: "GIT_ERROR" });
});

test("[EV9] nothing of a repository is written to while it is looked at", async () => {
  const r = makeRepository();
  const index = () => readFileSync(join(r.dir, ".git", "index")).toString("base64");
  writeFileSync(join(r.dir, "a.txt"), "a\n");
  const before = index();
  await changesOf(r.dir, () => undefined);
  expect(index()).toBe(before);
  expect(existsSync(join(r.dir, ".git", "index.lock"))).toBe(false);
});
