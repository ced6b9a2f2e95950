import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { git, repositoryAt, writeIn } from "../git/scratch.ts";
import { capture } from "./capture.ts";
import { cleanUp, listCopies, makeWorkspace, openScene, restore, type Scene, theCopy } from "./scene.ts";

/** A scene whose worktree was edited; its copy is put back and must be what it was. */
async function expectRoundTrip(edit: (path: string, scene: Scene) => void, setUp?: (scene: Scene) => void) {
  const scene = await openScene();
  setUp?.(scene);
  const { id, path } = await makeWorkspace(scene, "login");
  edit(path, scene);
  const before = capture(path);

  expect(await cleanUp(scene, id)).toMatchObject({ removed: true, problem: null });
  expect(existsSync(path)).toBe(false);
  const copy = await theCopy(scene);
  const restored = await restore(scene, copy.id);

  expect(restored).toEqual({ id: copy.id, path, restored: true, problem: null });
  expect(capture(path)).toEqual(before);
  return { scene, path, before, copy };
}

const cases: Record<string, { edit: (path: string, scene: Scene) => void; setUp?: (scene: Scene) => void }> = {
  "is untouched": { edit: () => undefined },
  "has changed, staged and untracked files": {
    edit: (path) => {
      writeIn(path, "a.txt", "staged\n");
      git(path, "add", "a.txt");
      writeIn(path, "a.txt", "and changed again\n");
      writeIn(path, "deep/er/new.txt", "untracked\n");
    },
  },
  "has files that were added, deleted and renamed": {
    edit: (path) => {
      git(path, "mv", "a.txt", "renamed.txt");
      git(path, "rm", "-q", "lib/b.txt");
      writeIn(path, "added.txt", "added\n");
      git(path, "add", "added.txt");
      rmSync(join(path, "added.txt"));
    },
  },
  "has a deleted file that came back untracked": {
    edit: (path) => {
      git(path, "rm", "-q", "--cached", "a.txt");
      writeIn(path, "lib/b.txt", "");
    },
  },
  "has changed modes": {
    edit: (path) => {
      chmodSync(join(path, "a.txt"), 0o755);
      writeIn(path, "run.sh", "#!/bin/sh\n");
      chmodSync(join(path, "run.sh"), 0o755);
      git(path, "add", "a.txt");
    },
  },
  "has links, some of which lead nowhere or outside": {
    edit: (path) => {
      symlinkSync("a.txt", join(path, "inside"));
      symlinkSync("/etc/passwd", join(path, "outside"));
      symlinkSync("nowhere\nat all", join(path, "dangling"));
      git(path, "add", "inside");
    },
  },
  "has a folder in the place of a file, and a link in the place of a folder": {
    edit: (path) => {
      rmSync(join(path, "a.txt"));
      writeIn(path, "a.txt/inner.txt", "inner\n");
      rmSync(join(path, "lib"), { recursive: true });
      symlinkSync("/nonexistent/folder", join(path, "lib"));
    },
  },
  "has names with line ends, quotes, dashes and letters of all kinds": {
    edit: (path) => {
      for (const name of [
        "new\nline",
        '"quoted"',
        "-rf",
        "--output=x",
        "ünï çødé",
        "tab\there",
        " space ",
        "back\\slash",
        "git~1",
      ]) {
        writeIn(path, name, `${name}\n`);
        writeIn(path, `staged ${name}`, `${name}\n`);
      }
      git(path, "add", "--", "staged -rf", "staged new\nline", 'staged "quoted"', "staged ünï çødé");
    },
  },
  "has a name that is no text": {
    edit: (path) => {
      writeFileSync(Buffer.concat([Buffer.from(`${path}/`), Buffer.from([0xff, 0xfe, 0x41])]), "bytes");
    },
  },
  "has line ends that git turns": {
    setUp: ({ repository }) => {
      repository.commit("attributes", {
        ".gitattributes": "*.txt text eol=crlf\n*.ident ident\n",
        "x.ident": "$Id$\n",
      });
    },
    edit: (path) => {
      writeIn(path, "mixed.txt", "one\r\ntwo\nthree\r\n");
      writeIn(path, "a.txt", "one\ntwo\r\n");
      git(path, "-c", "core.safecrlf=false", "add", "a.txt");
      writeIn(path, "a.txt", Buffer.from([0, 1, 2, 255, 13, 10, 10]));
    },
  },
  "has flags in its index": {
    edit: (path) => {
      git(path, "update-index", "--assume-unchanged", "a.txt");
      git(path, "update-index", "--skip-worktree", "lib/b.txt");
      writeIn(path, "a.txt", "hidden change\n");
      writeIn(path, "meant.txt", "meant to be added\n");
      git(path, "add", "--intent-to-add", "meant.txt");
    },
  },
  "has a split index": {
    edit: (path) => {
      git(path, "update-index", "--split-index");
      writeIn(path, "a.txt", "staged\n");
      git(path, "add", "a.txt");
    },
  },
  "has a detached HEAD": {
    edit: (path) => {
      git(path, "checkout", "-q", "--detach");
      writeIn(path, "a.txt", "committed\n");
      git(path, "commit", "-q", "-a", "-m", "on nothing");
      writeIn(path, "a.txt", "and changed\n");
    },
  },
  "stands on a branch without a commit": {
    edit: (path) => {
      git(path, "checkout", "-q", "--orphan", "fresh");
      git(path, "rm", "-q", "--cached", "a.txt");
    },
  },
  "stands on a branch with an odd name": {
    edit: (path) => {
      git(path, "checkout", "-q", "-b", "ünï\"c'ode;$(id)");
      writeIn(path, "a.txt", "x");
    },
  },
  "has a submodule that is not checked out": {
    setUp: ({ repository }) => {
      const lib = repositoryAt(join(repository.around, "library"), { "l.txt": "l\n" });
      repository.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", lib.path, "vendor/library");
      repository.commit("with a submodule");
    },
    edit: (path) => writeIn(path, "a.txt", "changed\n"),
  },
  "is sparse": {
    edit: (path) => {
      git(path, "sparse-checkout", "set", "--no-cone", "a.txt");
      writeIn(path, "a.txt", "changed\n");
    },
  },
};

describe("a worktree that", () => {
  for (const [title, { edit, setUp }] of Object.entries(cases)) {
    test(`[VA1, VA18, GT6] ${title} comes back as it was`, async () => {
      await expectRoundTrip(edit, setUp);
    });
  }

  test("[VA6, VA18] is in the middle of a merge with conflicts comes back so, and the merge can be finished", async () => {
    const { path } = await expectRoundTrip((place, { repository }) => {
      repository.git("checkout", "-q", "-b", "other");
      repository.commit("theirs", { "a.txt": "theirs\n" });
      repository.git("checkout", "-q", "main");
      writeIn(place, "a.txt", "ours\n");
      git(place, "commit", "-q", "-a", "-m", "ours");
      expect(() => git(place, "merge", "-q", "other")).toThrow();
    });
    expect(git(path, "ls-files", "-u").split("\n")).toHaveLength(3);
    writeIn(path, "a.txt", "both\n");
    git(path, "add", "a.txt");
    git(path, "commit", "-q", "-m", "merged");
    expect(git(path, "rev-list", "--parents", "-1", "HEAD").split(" ")).toHaveLength(3);
  });

  test("[VA6, VA18] is in the middle of a rebase comes back so, and the rebase can be taken back", async () => {
    let tip = "";
    const { path } = await expectRoundTrip((place, { repository }) => {
      repository.commit("theirs", { "a.txt": "theirs\n" });
      writeIn(place, "a.txt", "ours\n");
      git(place, "commit", "-q", "-a", "-m", "ours");
      tip = git(place, "rev-parse", "HEAD");
      expect(() => git(place, "rebase", "-q", "main")).toThrow();
    });
    git(path, "rebase", "--abort");
    expect(git(path, "rev-parse", "HEAD")).toBe(tip);
    expect(git(path, "symbolic-ref", "HEAD")).toBe("refs/heads/work/login");
  });
});

test("[VA3, VA7] a copy keeps staged, changed and untracked files apart and says what it holds", async () => {
  const { scene, copy } = await expectRoundTrip((path) => {
    writeIn(path, "a.txt", "committed\n");
    git(path, "commit", "-q", "-a", "-m", "one more");
    writeIn(path, "a.txt", "staged\n");
    git(path, "add", "a.txt");
    writeIn(path, "a.txt", "changed\n");
    writeIn(path, "new.txt", "untracked\n");
    writeIn(path, "other.txt", "more\n");
  });
  const show = (what: string): string => scene.repository.git("show", `${copy.ref}:${what}`);

  expect([show("staged/a.txt"), show("worktree/a.txt"), show("untracked/new.txt")]).toEqual([
    "staged",
    "changed",
    "untracked",
  ]);
  expect(copy).toMatchObject({
    commits: 1,
    staged: 1,
    unstaged: 1,
    untracked: 2,
    ignored: 0,
    bytes: 23,
    merged: false,
  });
  expect(scene.repository.git("for-each-ref", "--format=%(refname)", "refs/heads", "refs/tags")).not.toContain(
    "crewdeck",
  );
});

test("[VA4] ignored files are counted and not kept", async () => {
  const scene = await openScene();
  scene.repository.commit("ignore", { ".gitignore": "dist/\n*.log\n" });
  const { id, path } = await makeWorkspace(scene, "login");
  for (const name of ["dist/a.js", "dist/b.js", "x.log", "kept.txt"]) writeIn(path, name, name);

  await cleanUp(scene, id);
  const copy = await theCopy(scene);
  expect(copy).toMatchObject({ untracked: 1, ignored: 2 });
  await restore(scene, copy.id);

  expect(existsSync(join(path, "kept.txt"))).toBe(true);
  expect(existsSync(join(path, "dist"))).toBe(false);
});

test("[VA5] commits that only the worktree's own log knew are still there after git has cleaned up", async () => {
  const scene = await openScene();
  const { id, path } = await makeWorkspace(scene, "login");
  git(path, "checkout", "-q", "--detach");
  writeIn(path, "a.txt", "first try\n");
  git(path, "commit", "-q", "-a", "-m", "first try");
  const amended = git(path, "rev-parse", "HEAD");
  writeIn(path, "a.txt", "second try\n");
  git(path, "commit", "-q", "-a", "--amend", "-m", "second try");

  await cleanUp(scene, id);
  scene.repository.git("reflog", "expire", "--expire=now", "--all");
  scene.repository.git("gc", "-q", "--prune=now");

  expect(scene.repository.git("show", `${amended}:a.txt`)).toBe("first try");
  const copy = await theCopy(scene);
  await restore(scene, copy.id);
  expect(git(path, "show", "HEAD@{1}:a.txt")).toBe("first try");
});

test("[VA2] storing changes neither the folder nor the index", async () => {
  const scene = await openScene();
  const { id, path } = await makeWorkspace(scene, "login");
  writeIn(path, "a.txt", "changed\n");
  git(path, "worktree", "lock", path);
  git(path, "worktree", "unlock", path);
  const gitDir = git(path, "rev-parse", "--absolute-git-dir");
  const index = readFileSync(join(gitDir, "index"));
  const { takeSnapshot } = await import("../../src/adapters/git/snapshot.ts");
  const { openRepository } = await import("../../src/adapters/git/repository.ts");
  const { installedGit } = await import("../../src/adapters/git/run.ts");

  const repository = await openRepository(installedGit, scene.repository.path);
  const first = await takeSnapshot(repository, { gitDir, folder: path });
  const second = await takeSnapshot(repository, { gitDir, folder: path });

  expect(readFileSync(join(gitDir, "index")).equals(index)).toBe(true);
  expect(second).toEqual(first);
  expect(id).toMatch(/^ws_/);
});

describe("a folder stays where it is, and says why,", () => {
  const expectKept = async (scene: Scene, id: string, path: string, problem: RegExp) => {
    expect(await cleanUp(scene, id)).toMatchObject({ removed: false, problem: expect.stringMatching(problem) });
    expect(existsSync(path)).toBe(true);
  };

  test("[VA9] if it holds a submodule that is checked out", async () => {
    const scene = await openScene();
    const lib = repositoryAt(join(scene.repository.around, "library"), { "l.txt": "l\n" });
    const allow = ["-c", "protocol.file.allow=always"];
    scene.repository.git(...allow, "submodule", "add", "-q", lib.path, "vendor/library");
    scene.repository.commit("with a submodule");
    const { id, path } = await makeWorkspace(scene, "login");
    git(path, ...allow, "submodule", "update", "-q", "--init");
    await expectKept(scene, id, join(path, "vendor/library/l.txt"), /INVALID_STATE.*another repository/);
    expect(await listCopies(scene)).toEqual([]);
  });

  test("[VA9] if it holds a repository that nobody knows of", async () => {
    const scene = await openScene();
    const { id, path } = await makeWorkspace(scene, "login");
    repositoryAt(join(path, "experiments", "mine"), { "m.txt": "m\n" });
    await expectKept(scene, id, join(path, "experiments/mine/m.txt"), /INVALID_STATE.*another repository/);
  });

  test("[VA10] if somebody has locked it", async () => {
    const scene = await openScene();
    const { id, path } = await makeWorkspace(scene, "login");
    git(path, "worktree", "lock", "--reason", "on a stick", path);
    await expectKept(scene, id, path, /INVALID_STATE.*locked/);
  });

  test("[VA11] if it is no worktree of the repository, or its main folder", async () => {
    const scene = await openScene();
    const plain = join(scene.repository.around, "plain");
    mkdirSync(plain);
    for (const path of [plain, scene.repository.path]) {
      const ask = { workflow_id: scene.workflowId, path, branch: "main" };
      const { id } = await scene.house.call<{ id: string }>("workspace_create", ask);
      await expectKept(scene, id, path, /INVALID_STATE.*not a worktree/);
    }
  });

  test("[VA12] if the repository is gone", async () => {
    const scene = await openScene();
    const { id, path } = await makeWorkspace(scene, "login");
    renameSync(scene.repository.path, `${scene.repository.path}-gone`);
    await expectKept(scene, id, path, /REPOSITORY_NOT_FOUND/);
  });
});
