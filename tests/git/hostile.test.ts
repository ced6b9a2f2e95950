import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gitHands, gitPorts } from "../../src/adapters/git/hands.ts";
import { openGitHost } from "../../src/adapters/git/host.ts";
import { findMerge } from "../../src/adapters/git/merged.ts";
import { openRepository } from "../../src/adapters/git/repository.ts";
import { installedGit } from "../../src/adapters/git/run.ts";
import { WorktreeId } from "../../src/contract/ids.ts";
import { Canaries, makeHostile } from "./hostile.ts";
import { git, makeFolder, makeRepository, writeIn } from "./scratch.ts";

const files = { "a.txt": "a\n", "b.pipe": "b\n", "c.odd": "c\n", "d.inc": "d\n", "e.own": "e\n", "f.sh": "echo\n" };
const turn = (key: string) => ({ key, attempt: 1, signal: new AbortController().signal });

test("[GT1] the canaries sing when somebody else uses git there", () => {
  const repository = makeRepository(files);
  const canaries = new Canaries();
  makeHostile(repository, canaries);
  const tryGit = (...args: string[]): void => {
    try {
      repository.git(...args);
    } catch {
      // Some of these programs are no good at what they pretend to be.
    }
  };

  writeIn(repository.path, "f.sh", "changed\n");
  tryGit("diff", "f.sh");
  tryGit("commit-tree", "-S", "-m", "signed", "HEAD^{tree}");
  writeIn(repository.path, "a.txt", "changed\n");
  tryGit("hash-object", "a.txt");
  tryGit("status");
  tryGit("worktree", "add", "../other");

  expect(canaries.traces()).toEqual(
    expect.arrayContaining([
      "diff-command",
      "filter-clean-4",
      "filter-process-4",
      "filter-smudge-4",
      "fsmonitor",
      "gpg",
      "hook-reference-transaction",
    ]),
  );
});

test("[GT1] none of them sings when we make, store, compare, remove and restore worktrees", async () => {
  const repository = makeRepository(files);
  const canaries = new Canaries();
  makeHostile(repository, canaries);
  const host = openGitHost({ dataDir: makeFolder() });
  const hands = gitHands(host);
  const path = `${repository.path}-worktrees/one`;
  const ask = {
    worktreeId: WorktreeId.parse("ws_1"),
    repositoryPath: repository.path,
    path,
    branch: "work/one",
    baseBranch: null,
  };

  await gitPorts(host).worktree.checkGround(ask, new AbortController().signal);
  const made = await hands["worktree.make"].run(ask, turn("ws_1"));
  expect(canaries.traces()).toEqual([]);
  expect(made).toMatchObject({ path, skippedFilters: ["evil", "included", "own", "pipe"] });
  for (const [name, content] of Object.entries(files)) expect(readFileSync(join(path, name), "utf8")).toBe(content);

  git(path, "config", "--worktree", "filter.late.clean", canaries.command("filter-late"));
  git(path, "config", "--worktree", "core.fsmonitor", canaries.command("fsmonitor-late"));
  for (const [name, content] of Object.entries(files)) writeIn(path, name, `${content}more\n`);
  writeIn(path, "new.txt", "untracked\n");
  writeIn(path, "new.late", "untracked\n");
  writeIn(path, ".gitattributes", "*.late filter=late\n");
  chmodSync(join(path, "f.sh"), 0o755);
  canaries.clear();

  const storing = { ...ask, number: 1, at: 1_700_000_000_000 };
  const stored = await hands["worktree.store"].run(storing, turn("store"));
  if (stored === null) throw new Error("nothing was stored");
  const { head, trees, branch } = stored;
  const removed = await hands["worktree.remove"].run({ ...ask, head, trees }, turn("remove"));
  expect(removed).toEqual({ hasChanged: false });
  expect(existsSync(path)).toBe(false);
  const restored = await hands["vault.restore"].run(
    { repositoryPath: repository.path, path, branch, head, trees },
    turn("restore"),
  );
  const opened = await openRepository(installedGit, repository.path);
  await findMerge(opened, "refs/heads/work/one", "refs/heads/main");
  await hands["vault.drop"].run(
    { repositoryPath: repository.path, ref: stored.ref, commit: trees.commit },
    turn("drop"),
  );

  expect(canaries.traces()).toEqual([]);
  expect(restored).toEqual({ path, isOnBranch: true, isExact: true });
  expect(readFileSync(join(path, "a.txt"), "utf8")).toBe("a\nmore\n");
});
