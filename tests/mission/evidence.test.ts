import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareSnapshot, takeSnapshot } from "../../src/adapters/evidence/snapshot.ts";
import { changesOf, never, nothing } from "./changes.ts";
import { makeRepository, type TestRepository } from "./repository.ts";

describe("what a task changed in a repository", () => {
  test("[EV1] committed, staged, unstaged and untracked changes are all in it", async () => {
    const r = makeRepository();
    const changes = await changesOf(r.dir, () => {
      r.write("committed.txt", "1");
      r.commit("more");
      r.write("staged.txt", "2");
      r.git("add", "staged.txt");
      r.write("a.txt", "unstaged");
      r.write("untracked.txt", "3");
    });
    expect(changes).toEqual({
      ...nothing,
      added: ["committed.txt", "staged.txt", "untracked.txt"],
      modified: ["a.txt"],
    });
  });

  test("[EV2] what was dirty before and is unchanged since does not count; what was changed again does", async () => {
    const r = makeRepository();
    r.write("a.txt", "dirty before");
    r.write("note.txt", "untracked before");
    r.write("src/auth/login.ts", "dirty too");
    expect(await changesOf(r.dir, () => undefined)).toEqual(nothing);
    expect(await changesOf(r.dir, () => r.commit("commits it as it was"))).toEqual(nothing);
    r.write("a.txt", "dirty again");
    expect(await changesOf(r.dir, () => r.write("a.txt", "and again"))).toEqual({ ...nothing, modified: ["a.txt"] });
  });

  test("[EV3] a rename is a deletion and an addition, a changed mode a modification", async () => {
    const r = makeRepository();
    const changes = await changesOf(r.dir, () => {
      r.git("mv", "a.txt", "b.txt");
      chmodSync(join(r.dir, "src/auth/login.ts"), 0o755);
    });
    expect(changes).toEqual({ ...nothing, added: ["b.txt"], modified: ["src/auth/login.ts"], deleted: ["a.txt"] });
  });

  test("[EV4] what was changed and changed back, or added and removed, did not change", async () => {
    const r = makeRepository();
    const changes = await changesOf(r.dir, () => {
      r.write("a.txt", "x");
      r.commit("x");
      r.write("a.txt", "a\n");
      r.commit("back");
      r.write("gone.txt", "y");
      r.remove("gone.txt");
    });
    expect(changes).toEqual(nothing);
  });
});

/** Every file below a folder with its kind and content, as a plain walk sees it. */
function walk(dir: string, at = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(dir, at))) {
    if (at === "" && name === ".git") continue;
    const path = at === "" ? name : `${at}/${name}`;
    const info = lstatSync(join(dir, path));
    if (info.isDirectory()) Object.assign(found, walk(dir, path));
    else if (info.isSymbolicLink()) found[path] = `link ${readlinkSync(join(dir, path))}`;
    else found[path] = `${info.mode & 0o100 ? "x" : "f"} ${readFileSync(join(dir, path), "utf8")}`;
  }
  return found;
}

const path = fc.constantFrom("a.txt", "b.txt", "src", "src/c.ts", "src/d.ts", "e f.txt");
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("write" as const), path, text: fc.constantFrom("1\n", "2\n") }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom("delete" as const, "chmod" as const, "link" as const), path }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("rename" as const), path, to: path }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("overlook" as const), path }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom("stage", "commit", "amend", "stash", "pop", "branch", "checkout", "reset", "merge"),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

let branches = 0;

function apply(r: TestRepository, one: Step): void {
  try {
    if ("text" in one) r.write(one.path, one.text);
    else if ("to" in one) renameSync(join(r.dir, one.path), join(r.dir, one.to));
    else if ("path" in one) touch(r, one.do, one.path);
    else applyGit(r, one.do);
  } catch {
    // A step that git or the disk refuses (nothing to pop, a conflict) leaves a state that is worth comparing too.
  }
}

function touch(r: TestRepository, what: "delete" | "chmod" | "link" | "overlook", path: string): void {
  const place = join(r.dir, path);
  if (what === "overlook") r.git("update-index", "--assume-unchanged", "--", path);
  else if (what === "chmod") chmodSync(place, (lstatSync(place).mode ^ 0o111) & 0o777);
  else {
    rmSync(place, { recursive: true, force: true });
    if (what === "link") symlinkSync("a.txt", place);
  }
}

function applyGit(r: TestRepository, what: string): void {
  branches += 1;
  const commands: Record<string, string[]> = {
    stage: ["add", "-A"],
    amend: ["commit", "-q", "-a", "--amend", "-m", "amended"],
    stash: ["stash", "push", "-q", "-u"],
    pop: ["stash", "pop", "-q"],
    branch: ["checkout", "-q", "-b", `b${branches}`],
    checkout: ["checkout", "-q", "main"],
    reset: ["reset", "-q", "HEAD~1"],
    merge: ["merge", "-q", "-m", "merged", "@{-1}"],
  };
  const args = commands[what];
  if (args) r.git(...args);
  else r.commit("c");
}

test("[EV10] whatever is edited, staged, committed, renamed, deleted, stashed, merged or checked out, the report is what a walk over both trees says", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), fc.array(step, { maxLength: 10 }), async (before, during) => {
      const r = makeRepository();
      for (const one of before) apply(r, one);
      const start = walk(r.dir);
      const snapshot = await takeSnapshot(r.dir, never);
      for (const one of during) apply(r, one);
      const end = walk(r.dir);
      const changes = await compareSnapshot(snapshot, never);
      const names = [...new Set([...Object.keys(start), ...Object.keys(end)])].sort();
      expect({ added: changes.added, modified: changes.modified, deleted: changes.deleted }).toEqual({
        added: names.filter((name) => !(name in start)),
        modified: names.filter((name) => name in start && name in end && start[name] !== end[name]),
        deleted: names.filter((name) => !(name in end)),
      });
    }),
    { numRuns: 80 },
  );
});
