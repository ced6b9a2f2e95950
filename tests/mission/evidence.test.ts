import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareSnapshot, takeSnapshot } from "../../src/adapters/evidence/snapshot.ts";
import { makeRepository, type TestRepository, tempDir } from "./repository.ts";

const never = new AbortController().signal;

async function changesOf(repository: TestRepository, act: () => void) {
  const snapshot = await takeSnapshot(repository.dir, never);
  act();
  const { added, modified, deleted, warnings } = await compareSnapshot(snapshot, never);
  return { added, modified, deleted, warnings };
}

const nothing = { added: [], modified: [], deleted: [], warnings: [] };

describe("what a task changed in a repository", () => {
  test("[EV1] committed, staged, unstaged and untracked changes are all in it", async () => {
    const r = makeRepository();
    const changes = await changesOf(r, () => {
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
    expect(await changesOf(r, () => undefined)).toEqual(nothing);
    expect(await changesOf(r, () => r.commit("commits it as it was"))).toEqual(nothing);
    r.write("a.txt", "dirty again");
    expect(await changesOf(r, () => r.write("a.txt", "and again"))).toEqual({ ...nothing, modified: ["a.txt"] });
  });

  test("[EV3] a rename is a deletion and an addition, a changed mode a modification", async () => {
    const r = makeRepository();
    const changes = await changesOf(r, () => {
      r.git("mv", "a.txt", "b.txt");
      chmodSync(join(r.dir, "src/auth/login.ts"), 0o755);
    });
    expect(changes).toEqual({ ...nothing, added: ["b.txt"], modified: ["src/auth/login.ts"], deleted: ["a.txt"] });
  });

  test("[EV4] what was changed and changed back, or added and removed, did not change", async () => {
    const r = makeRepository();
    const changes = await changesOf(r, () => {
      r.write("a.txt", "x");
      r.commit("x");
      r.write("a.txt", "a\n");
      r.commit("back");
      r.write("gone.txt", "y");
      r.remove("gone.txt");
    });
    expect(changes).toEqual(nothing);
  });

  test("[EV5] a repository without commits, a detached head, an amend, a rebase and another branch are compared alike", async () => {
    const unborn = makeRepository({ isEmpty: true });
    expect(
      await changesOf(unborn, () => {
        unborn.write("first.txt", "1");
        unborn.commit("first");
      }),
    ).toEqual({ ...nothing, added: ["first.txt"] });
    const r = makeRepository();
    r.git("checkout", "-q", "--detach");
    expect(
      await changesOf(r, () => {
        r.write("d.txt", "d");
        r.commit("d");
        r.git("commit", "-q", "--amend", "-m", "amended", "--allow-empty");
      }),
    ).toEqual({ ...nothing, added: ["d.txt"] });
    expect(
      await changesOf(r, () => {
        r.git("checkout", "-q", "-b", "other", "main");
        r.write("e.txt", "e");
      }),
    ).toEqual({ ...nothing, added: ["e.txt"], deleted: ["d.txt"] });
  });

  test("[EV6] a start commit that is gone falls back to the merge base with a warning", async () => {
    const r = makeRepository();
    r.git("checkout", "-q", "-b", "work");
    r.write("lost.txt", "1");
    r.commit("will be lost");
    const snapshot = await takeSnapshot(r.dir, never);
    r.git("reset", "-q", "--hard", "main");
    r.write("kept.txt", "2");
    r.commit("kept");
    r.git("reflog", "expire", "--expire=now", "--all");
    r.git("gc", "-q", "--prune=now");
    const changes = await compareSnapshot(snapshot, never);
    expect(changes.added).toEqual(["kept.txt"]);
    expect(changes.warnings).toEqual([
      "The commit the task started from is gone; compared with the merge base instead.",
    ]);
  });

  test("[EV7] ignored files do not count; odd names, links and worktrees do", async () => {
    const r = makeRepository();
    r.write(".gitignore", "*.log\n");
    r.commit("ignore");
    const odd = ["with space.txt", "new\nline.txt", "-dash.txt", "ünï.txt", 'quo"te.txt', "*.glob"];
    const changes = await changesOf(r, () => {
      r.write("debug.log", "no");
      for (const name of odd) r.write(name, "yes");
      symlinkSync("/etc/passwd", join(r.dir, "link"));
    });
    expect(changes).toEqual({ ...nothing, added: [...odd, "link"].sort() });
    const worktree = join(tempDir(), "wt");
    r.git("worktree", "add", "-q", worktree, "-b", "wt");
    const snapshot = await takeSnapshot(worktree, never);
    writeFileSync(join(worktree, "w.txt"), "w");
    expect((await compareSnapshot(snapshot, never)).added).toEqual(["w.txt"]);
  });

  test("[EV8] without git, checksums tell what changed", async () => {
    const dir = tempDir();
    writeFileSync(join(dir, "a.txt"), "a");
    writeFileSync(join(dir, "b.txt"), "b");
    const snapshot = await takeSnapshot(dir, never);
    expect(snapshot.type).toBe("checksum");
    writeFileSync(join(dir, "a.txt"), "A");
    writeFileSync(join(dir, "c.txt"), "c");
    const { added, modified, deleted } = await compareSnapshot(snapshot, never);
    expect({ added, modified, deleted }).toEqual({ added: ["c.txt"], modified: ["a.txt"], deleted: [] });
  });

  test("[EV9] nothing that a repository's configuration names is run", async () => {
    const r = makeRepository();
    const canary = join(tempDir(), "canary");
    const program = join(tempDir(), "program.sh");
    writeFileSync(program, `#!/bin/sh\ntouch ${canary}\ncat\n`, { mode: 0o755 });
    r.write(".gitattributes", "*.txt filter=evil diff=evil\n");
    r.commit("attributes");
    for (const [key, value] of [
      ["core.fsmonitor", program],
      ["filter.evil.clean", program],
      ["filter.evil.smudge", program],
      ["filter.evil.process", program],
      ["filter.evil.required", "true"],
      ["diff.external", program],
      ["diff.evil.textconv", program],
      ["diff.evil.command", program],
      ["core.pager", program],
      ["core.sshCommand", program],
      ["alias.status", `!${program}`],
      ["core.hooksPath", tempDir()],
    ] as const) {
      r.git("config", key, value);
    }
    writeFileSync(join(r.dir, "a.txt"), "changed");
    writeFileSync(join(r.dir, "b.txt"), "new");
    const snapshot = await takeSnapshot(r.dir, never);
    writeFileSync(join(r.dir, "a.txt"), "changed again");
    await compareSnapshot(snapshot, never);
    expect(existsSync(canary)).toBe(false);
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

const path = fc.constantFrom("a.txt", "b.txt", "src/c.ts", "src/d.ts", "e f.txt");
const step = fc.oneof(
  fc.record({ do: fc.constant("write" as const), path, text: fc.constantFrom("1\n", "2\n", "3\n") }),
  fc.record({ do: fc.constant("delete" as const), path }),
  fc.record({
    do: fc.constantFrom("stage" as const, "commit" as const, "stash" as const, "pop" as const, "switch" as const),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

let branches = 0;

function apply(r: TestRepository, one: Step): void {
  try {
    if (one.do === "write") r.write(one.path, one.text);
    else if (one.do === "delete") r.remove(one.path);
    else if (one.do === "stage") r.git("add", "-A");
    else if (one.do === "commit") r.commit("c");
    else if (one.do === "stash") r.git("stash", "push", "-q", "-u");
    else if (one.do === "pop") r.git("stash", "pop", "-q");
    else {
      branches += 1;
      r.git("checkout", "-q", "-b", `b${branches}`, branches % 2 === 0 ? "HEAD" : "main");
    }
  } catch {
    // A step that git refuses (nothing to pop, a conflict) leaves the tree as it is: also a state worth comparing.
  }
}

test("[EV10] whatever is edited, staged, committed, deleted, stashed or checked out, the report is what a walk over both trees says", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), fc.array(step, { maxLength: 8 }), async (before, during) => {
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
    { numRuns: 60 },
  );
}, 240_000);
