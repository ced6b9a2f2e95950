import { chmodSync, mkdirSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compareSnapshot, takeSnapshot } from "../../src/adapters/evidence/snapshot.ts";
import { until } from "../../src/testing/waiting.ts";
import { changesOf, never, nothing, type Reported, rewritten } from "./changes.ts";
import { makeRepository, type TestRepository, tempDir } from "./repository.ts";

interface Situation {
  readonly where: string;
  readonly given?: (r: TestRepository) => void;
  readonly act: (r: TestRepository) => void;
  readonly expected: Partial<Reported>;
  readonly isEmpty?: boolean;
}

const writeAndCommit = (r: TestRepository, name: string): void => {
  r.write(name, `${name}\n`);
  r.commit(name);
};

const situations: Situation[] = [
  {
    where: "a repository without commits that gets its first one",
    isEmpty: true,
    given: (r) => r.write("before.txt", "1"),
    act: (r) => {
      r.write("first.txt", "1");
      r.commit("first");
      r.write("before.txt", "2");
    },
    expected: { added: ["first.txt"], modified: ["before.txt"] },
  },
  {
    where: "a repository that stays without commits",
    isEmpty: true,
    given: (r) => r.write("gone.txt", "1"),
    act: (r) => {
      r.write("staged.txt", "1");
      r.git("add", "staged.txt");
      r.remove("gone.txt");
    },
    expected: { added: ["staged.txt"], deleted: ["gone.txt"] },
  },
  {
    where: "a detached head",
    given: (r) => r.git("checkout", "-q", "--detach"),
    act: (r) => {
      writeAndCommit(r, "d.txt");
      r.write("a.txt", "other\n");
    },
    expected: { added: ["d.txt"], modified: ["a.txt"] },
  },
  {
    where: "a commit that is amended",
    given: (r) => writeAndCommit(r, "before.txt"),
    act: (r) => {
      r.write("before.txt", "amended\n");
      r.write("with.txt", "1");
      r.git("add", "-A");
      r.git("commit", "-q", "--amend", "-m", "amended");
    },
    expected: { added: ["with.txt"], modified: ["before.txt"], warnings: [rewritten] },
  },
  {
    where: "a branch that is rebased",
    given: (r) => {
      r.git("checkout", "-q", "-b", "work");
      writeAndCommit(r, "own.txt");
      r.git("checkout", "-q", "main");
      writeAndCommit(r, "main.txt");
      r.git("checkout", "-q", "work");
    },
    act: (r) => {
      writeAndCommit(r, "during.txt");
      r.git("rebase", "-q", "main");
    },
    expected: { added: ["during.txt"], warnings: [rewritten] },
  },
  {
    where: "a rebase that stands in a conflict",
    given: (r) => {
      r.git("checkout", "-q", "-b", "work");
      r.write("a.txt", "work\n");
      r.commit("work");
      r.git("checkout", "-q", "main");
      r.write("a.txt", "main\n");
      r.commit("main");
      r.git("checkout", "-q", "work");
    },
    act: (r) => expect(() => r.git("rebase", "-q", "main")).toThrow(),
    expected: { modified: ["a.txt"] },
  },
  {
    where: "a merge of a renamed file that stands in a conflict",
    given: (r) => {
      r.write("a.txt", "1\n2\n3\n4\n5\n");
      r.commit("lines");
      r.git("checkout", "-q", "-b", "theirs");
      r.git("mv", "a.txt", "b.txt");
      r.write("b.txt", "1\n2\n3\n4\ntheirs\n");
      r.commit("theirs");
      r.git("checkout", "-q", "main");
      r.write("a.txt", "1\n2\n3\n4\nours\n");
      r.commit("ours");
    },
    act: (r) => expect(() => r.git("merge", "-q", "theirs")).toThrow(),
    expected: { added: ["b.txt"], deleted: ["a.txt"] },
  },
  {
    where: "another branch that is checked out",
    given: (r) => {
      r.git("checkout", "-q", "-b", "work");
      writeAndCommit(r, "own.txt");
    },
    act: (r) => {
      r.git("checkout", "-q", "main");
      r.write("new.txt", "1");
    },
    expected: { added: ["new.txt"], deleted: ["own.txt"] },
  },
  {
    where: "a branch that begins anew without history",
    act: (r) => {
      r.git("checkout", "-q", "--orphan", "fresh");
      r.git("rm", "-rqf", ".");
      r.write("only.txt", "1");
    },
    expected: { added: ["only.txt"], deleted: ["a.txt", "src/auth/login.ts"] },
  },
  {
    where: "a branch of an odd name",
    given: (r) => {
      r.git("update-ref", "refs/heads/--output=x", "HEAD");
      r.git("symbolic-ref", "HEAD", "refs/heads/--output=x");
    },
    act: (r) => {
      writeAndCommit(r, "odd.txt");
      r.git("update-ref", "refs/heads/$(touch>x);`y`", "HEAD");
      r.git("symbolic-ref", "HEAD", "refs/heads/$(touch>x);`y`");
    },
    expected: { added: ["odd.txt"] },
  },
  {
    where: "a rename with changes, staged",
    act: (r) => {
      r.git("mv", "a.txt", "b.txt");
      r.write("b.txt", "other\n");
    },
    expected: { added: ["b.txt"], deleted: ["a.txt"] },
  },
  {
    where: "deletions, committed, staged and plain",
    given: (r) => {
      r.write("b.txt", "b");
      r.write("c.txt", "c");
      r.commit("more");
    },
    act: (r) => {
      r.git("rm", "-q", "a.txt");
      r.commit("gone");
      r.git("rm", "-q", "b.txt");
      r.remove("c.txt");
    },
    expected: { deleted: ["a.txt", "b.txt", "c.txt"] },
  },
  {
    where: "a changed mode, committed and plain",
    given: (r) => {
      r.write("run.sh", "#!/bin/sh\n");
      r.commit("run");
    },
    act: (r) => {
      chmodSync(join(r.dir, "run.sh"), 0o755);
      r.commit("may run");
      chmodSync(join(r.dir, "a.txt"), 0o755);
    },
    expected: { modified: ["a.txt", "run.sh"] },
  },
  {
    where: "a file that became a folder, and a folder that became a link",
    act: (r) => {
      r.remove("a.txt");
      r.write("a.txt/inside.txt", "1");
      r.remove("src");
      symlinkSync("a.txt", join(r.dir, "src"));
    },
    expected: { added: ["a.txt/inside.txt", "src"], deleted: ["a.txt", "src/auth/login.ts"] },
  },
  {
    where: "a folder that became a link that leads nowhere, before the start and staged after it",
    given: (r) => {
      for (const name of ["src", "a.txt"]) {
        r.remove(name);
        symlinkSync("a.txt", join(r.dir, name));
      }
    },
    act: (r) => {
      r.git("add", "-A");
      r.write("new.txt", "1");
    },
    expected: { added: ["new.txt"] },
  },
  {
    where: "a folder that became a link that leads nowhere",
    act: (r) => {
      for (const name of ["src", "a.txt"]) {
        r.remove(name);
        symlinkSync("a.txt", join(r.dir, name));
      }
    },
    expected: { added: ["src"], modified: ["a.txt"], deleted: ["src/auth/login.ts"] },
  },
  {
    where: "a file that is staged as deleted and written anew",
    act: (r) => {
      r.git("rm", "-q", "a.txt");
      r.write("a.txt", "anew\n");
    },
    expected: { modified: ["a.txt"] },
  },
  {
    where: "ignored files",
    given: (r) => {
      r.write(".gitignore", "*.log\nbuilt/\n");
      r.write("kept.log", "tracked all the same");
      r.commit("ignore");
      r.git("add", "-f", "kept.log");
      r.commit("kept");
      r.write("before.log", "1");
    },
    act: (r) => {
      r.write("debug.log", "no");
      r.write("before.log", "2");
      r.write("built/out.js", "no");
      r.write("kept.log", "changed");
    },
    expected: { modified: ["kept.log"] },
  },
  {
    where: "line ends that git converts",
    given: (r) => {
      r.write(".gitattributes", "*.bat text eol=crlf\n");
      r.write("run.bat", "a\r\nb\r\n");
      r.write("stay.bat", "a\r\nb\r\n");
      r.commit("crlf");
    },
    act: (r) => {
      r.write("run.bat", "x\r\n");
      r.commit("x");
      r.write("run.bat", "a\r\nb\r\n");
      r.commit("and back");
      r.write("stay.bat", "other\r\n");
      r.commit("other");
    },
    expected: { modified: ["stay.bat"] },
  },
];

describe("what is reported in each state a repository can be in", () => {
  test.each(situations)("[EV5] $where", async ({ given, act, expected, isEmpty = false }) => {
    const r = makeRepository({ isEmpty });
    given?.(r);
    expect(await changesOf(r.dir, () => act(r))).toEqual({ ...nothing, ...expected });
  });

  test("[EV5] a repository whose objects have the longer names", async () => {
    const r = makeRepository({ format: "sha256" });
    const changes = await changesOf(r.dir, () => {
      r.write("a.txt", "x");
      r.commit("x");
      r.write("a.txt", "a\n");
      r.write("src/auth/login.ts", "other");
    });
    expect(changes).toEqual({ ...nothing, modified: ["src/auth/login.ts"] });
  });

  test("[EV6] a start commit that is gone falls back to the merge base with a warning", async () => {
    const r = makeRepository();
    r.git("checkout", "-q", "-b", "work");
    writeAndCommit(r, "lost.txt");
    const changes = await changesOf(r.dir, () => {
      r.git("reset", "-q", "--hard", "main");
      writeAndCommit(r, "kept.txt");
      forget(r);
    });
    const warnings = ["The commit the task started from is gone; compared with the merge base instead."];
    expect(changes).toEqual({ ...nothing, added: ["kept.txt"], warnings });
  });

  test("[EV6] on the main line itself, too, what was committed after a start that is gone is known", async () => {
    const r = makeRepository();
    writeAndCommit(r, "before.txt");
    writeAndCommit(r, "lost.txt");
    writeAndCommit(r, "start.txt");
    const changes = await changesOf(r.dir, () => {
      r.git("reset", "-q", "--hard", "HEAD~2");
      writeAndCommit(r, "kept.txt");
      forget(r);
      r.write("new.txt", "1");
    });
    const warnings = ["The commit the task started from is gone; compared with the merge base instead."];
    expect(changes).toEqual({ ...nothing, added: ["kept.txt", "new.txt"], warnings });
  });

  test("[EV6] without a main line to compare with, only uncommitted changes are known, and that is said", async () => {
    const r = makeRepository();
    const changes = await changesOf(r.dir, () => {
      r.git("commit", "-q", "--amend", "-m", "amended", "--date", "2020-01-01T00:00:00Z");
      r.write("new.txt", "1");
      forget(r);
    });
    const warnings = ["The commit the task started from is gone; only uncommitted changes are known."];
    expect(changes).toEqual({ ...nothing, added: ["new.txt"], warnings });
  });

  test("[EV12] a linked worktree is compared for itself, and so is the folder it belongs to", async () => {
    const r = makeRepository();
    const worktree = join(tempDir(), "wt");
    r.git("worktree", "add", "-q", worktree, "-b", "wt");
    const main = await takeSnapshot(r.dir, never);
    expect(
      await changesOf(join(worktree, "src"), () => {
        writeFileSync(join(worktree, "w.txt"), "w");
        writeFileSync(join(worktree, "a.txt"), "other");
      }),
    ).toEqual({ ...nothing, added: ["w.txt"], modified: ["a.txt"] });
    expect(await compareSnapshot(main, never)).toMatchObject({ added: [], modified: [], deleted: [] });
  });

  test("[EV13] a submodule and a repository inside the tree count by the commit that is checked out in them", async () => {
    const r = makeRepository();
    const library = makeRepository();
    r.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library.dir, "lib");
    r.commit("submodule");
    const inLib = (...args: string[]) => r.git("-C", "lib", "-c", "user.name=T", "-c", "user.email=t@e.com", ...args);
    expect(await changesOf(r.dir, () => r.write("lib/a.txt", "not committed in there"))).toEqual(nothing);
    const moveOn = () => inLib("commit", "-q", "-a", "--allow-empty", "-m", "further");
    expect(await changesOf(r.dir, moveOn)).toEqual({ ...nothing, modified: ["lib"] });
    expect(await changesOf(r.dir, moveOn)).toEqual({ ...nothing, modified: ["lib"] });
    expect(await changesOf(r.dir, () => r.commit("taken over"))).toEqual(nothing);
    const back = () => {
      moveOn();
      r.commit("taken over too");
      inLib("checkout", "-q", "HEAD~1");
    };
    expect(await changesOf(r.dir, back)).toEqual(nothing);
    const nested = () => {
      r.git("init", "-q", "nested");
      r.write("nested/file.txt", "1");
    };
    expect(await changesOf(r.dir, nested)).toEqual({ ...nothing, added: ["nested"] });
    r.git("config", "diff.ignoreSubmodules", "all");
    r.git("config", "submodule.lib.ignore", "all");
    expect(await changesOf(r.dir, moveOn)).toEqual({ ...nothing, modified: ["lib"] });
  });

  test("[EV14] a huge file is told by its size and time, and not read", async () => {
    const r = makeRepository();
    const huge = join(r.dir, "huge.bin");
    const grow = (bytes: number) => truncateSync(huge, bytes);
    r.write("huge.bin", "");
    // Sparse, so that it takes no room; reading it would take minutes.
    grow(2 ** 40);
    expect(await changesOf(r.dir, () => undefined)).toEqual(nothing);
    expect(await changesOf(r.dir, () => grow(2 ** 40 + 1))).toEqual({ ...nothing, modified: ["huge.bin"] });
    expect(await changesOf(r.dir, () => utimesSync(huge, 1, 1))).toEqual({ ...nothing, modified: ["huge.bin"] });
    expect(await changesOf(r.dir, () => r.remove("huge.bin"))).toEqual({ ...nothing, deleted: ["huge.bin"] });
  });

  test("[EV15] files that git was told to take as unchanged are looked at all the same", async () => {
    const r = makeRepository();
    r.write("b.txt", "b");
    r.commit("b");
    r.git("update-index", "--assume-unchanged", "a.txt");
    const changes = await changesOf(r.dir, () => {
      r.write("a.txt", "hidden\n");
      r.git("update-index", "--skip-worktree", "b.txt");
      r.write("b.txt", "hidden too\n");
    });
    expect(changes).toEqual({ ...nothing, modified: ["a.txt", "b.txt"] });
    r.git("sparse-checkout", "set", "src");
    expect(await changesOf(r.dir, () => r.write("src/new.ts", "1"))).toEqual({ ...nothing, added: ["src/new.ts"] });
  });

  test("[EV7, EV16] odd names and links count; a name that is no text is quoted as git does", async () => {
    const r = makeRepository();
    const odd = ["with space.txt", "new\nline.txt", "-dash.txt", "ünï.txt", 'quo"te.txt', "*.glob", ":(top)x", "a\\b"];
    const noText = Buffer.concat([Buffer.from(`${r.dir}/`), Buffer.from([0x62, 0xff, 0x2e, 0x74])]);
    const changes = await changesOf(r.dir, () => {
      for (const name of odd) r.write(name, "yes");
      writeFileSync(noText, "yes");
      writeFileSync(join(r.dir, '"quoted"'), "yes");
      symlinkSync("/etc/passwd", join(r.dir, "link"));
    });
    const shown = [...odd, "link", '"b\\377.t"', '"\\042quoted\\042"'];
    expect(changes).toEqual({ ...nothing, added: shown.sort() });
    r.commit("odd");
    expect(await changesOf(r.dir, () => writeFileSync(noText, "no"))).toEqual({ ...nothing, modified: ['"b\\377.t"'] });
  });

  test("[EV19] what bears the stamp it had at the start is not read again", async () => {
    const r = makeRepository();
    r.write("old.txt", "old");
    const { stamps: young, files } = await takeSnapshot(r.dir, never);
    expect(young).toEqual({});
    const ago = await agedSnapshot(r);
    expect(Object.keys(ago.stamps ?? {})).toEqual(["old.txt"]);
    // An identity nobody could have read: if it is answered, the file was not opened.
    const forged = { ...ago, files: { "old.txt": "f:forged" } };
    expect(await compareSnapshot(forged, never)).toMatchObject({ added: [], modified: [], deleted: [] });
    expect(await compareSnapshot({ ...forged, stamps: {} }, never)).toMatchObject({ modified: ["old.txt"] });
    expect(ago.files).toEqual(files);
  });
});

/** A file must be a while old before its stamp is trusted; the clock of the disk cannot be moved, so this waits. */
async function agedSnapshot(r: TestRepository) {
  let snapshot = await takeSnapshot(r.dir, never);
  await until(async () => {
    snapshot = await takeSnapshot(r.dir, never);
    return Object.keys(snapshot.stamps ?? {}).length > 0;
  });
  return snapshot;
}

/** Throws away every commit that no branch holds. */
function forget(r: TestRepository): void {
  r.git("reflog", "expire", "--expire=now", "--all");
  r.git("gc", "-q", "--prune=now");
}

test("[EV8] without git, checksums tell what was added, modified, renamed, removed or made to run", async () => {
  const dir = tempDir();
  const write = (name: string, text: string) => writeFileSync(join(dir, name), text);
  for (const name of ["a.txt", "b.txt", "gone.txt", "run.sh"]) write(name, name);
  mkdirSync(join(dir, "node_modules"));
  symlinkSync("/etc", join(dir, "outside"));
  const changes = await changesOf(dir, () => {
    write("a.txt", "other");
    write("new.txt", "1");
    write("node_modules/x.js", "1");
    chmodSync(join(dir, "run.sh"), 0o755);
    write("gone.txt", "");
    return Promise.resolve();
  });
  expect(changes).toEqual({ ...nothing, added: ["new.txt"], modified: ["a.txt", "gone.txt", "run.sh"] });
  expect((await takeSnapshot(dir, never)).type).toBe("checksum");
});
