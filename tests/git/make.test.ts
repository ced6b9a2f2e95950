import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gitHands } from "../../src/adapters/git/hands.ts";
import { openGitHost } from "../../src/adapters/git/host.ts";
import { discardFresh, markOf } from "../../src/adapters/git/marked.ts";
import { openRepository } from "../../src/adapters/git/repository.ts";
import { installedGit } from "../../src/adapters/git/run.ts";
import { WorktreeId } from "../../src/contract/ids.ts";
import type { MakeWorktree } from "../../src/domain/worktree/port.ts";
import { git, makeFolder, makeRepository, type TestRepository } from "./scratch.ts";

const handsAt = () => gitHands(openGitHost({ dataDir: makeFolder() }))["worktree.make"];
const turn = (attempt = 1) => ({ key: "ws_1", attempt, signal: new AbortController().signal });
const askIn = (repository: TestRepository, more: Partial<MakeWorktree> = {}): MakeWorktree => ({
  worktreeId: WorktreeId.parse("ws_1"),
  repositoryPath: repository.path,
  path: `${repository.path}-worktrees/one`,
  branch: "work/one",
  baseBranch: null,
  ...more,
});

/** What a repository shows of a worktree that was, or was not, made. */
const traces = (repository: TestRepository) => ({
  folder: existsSync(`${repository.path}-worktrees/one`),
  notes: existsSync(join(repository.path, ".git", "worktrees"))
    ? readdirSync(join(repository.path, ".git", "worktrees"))
    : [],
  branches: repository.git("for-each-ref", "--format=%(refname:short)", "refs/heads").split("\n"),
});

test("[GT15] a new branch begins at the repository's HEAD, or at its base", async () => {
  const repository = makeRepository();
  const first = repository.git("rev-parse", "HEAD");
  const second = repository.commit("second", { "c.txt": "c" });
  repository.git("branch", "old", first);

  const made = await handsAt().run(askIn(repository), turn());
  expect(made).toEqual({
    repositoryPath: repository.path,
    path: `${repository.path}-worktrees/one`,
    head: second,
    behind: null,
    skippedFilters: [],
  });
  expect(git(made.path, "symbolic-ref", "HEAD")).toBe("refs/heads/work/one");
  expect(git(made.path, "status", "--porcelain")).toBe("");

  const other = { path: `${repository.path}-worktrees/two`, branch: "work/two", baseBranch: "old" };
  expect(await handsAt().run(askIn(repository, other), { ...turn(), key: "ws_2" })).toMatchObject({ head: first });
});

test("[GT15] a branch that exists is checked out where it stands, and follows nothing", async () => {
  const repository = makeRepository();
  repository.git("branch", "work/one");
  const there = repository.git("rev-parse", "work/one");
  repository.commit("later", { "c.txt": "c" });

  const made = await handsAt().run(askIn(repository, { baseBranch: "nowhere" }), turn());

  expect(made).toMatchObject({ head: there, behind: null });
  expect(git(made.path, "rev-parse", "HEAD")).toBe(there);
  expect(() => repository.git("config", "branch.work/one.remote")).toThrow();
});

test("[GT17] how far the base is behind its upstream is told as far as it is known here", async () => {
  const upstream = makeRepository();
  const around = makeFolder();
  git(around, "clone", "-q", upstream.path, "shop");
  const path = join(around, "shop");
  upstream.commit("second", { "c.txt": "c" });
  upstream.commit("third", { "d.txt": "d" });
  const ask = (name: string): MakeWorktree => ({
    worktreeId: WorktreeId.parse(name),
    repositoryPath: path,
    path: join(around, name),
    branch: `work/${name}`,
    baseBranch: "main",
  });

  expect(await handsAt().run(ask("before"), turn())).toMatchObject({ behind: 0 });
  git(path, "fetch", "-q");
  expect(await handsAt().run(ask("after"), turn())).toMatchObject({ behind: 2 });
  expect(await handsAt().run({ ...ask("remote"), baseBranch: "origin/main" }, turn())).toMatchObject({
    behind: null,
    head: upstream.git("rev-parse", "HEAD"),
  });
});

test("[GT21] done again after it was done, it is found and left as it is", async () => {
  const repository = makeRepository();
  const made = await handsAt().run(askIn(repository), turn());
  writeFileSync(join(made.path, "begun.txt"), "already at work");

  expect(await handsAt().run(askIn(repository), turn(2))).toEqual(made);
  expect(existsSync(join(made.path, "begun.txt"))).toBe(true);
});

test.each([
  { what: "half made", lost: ["a.txt"] },
  { what: "all but removed", lost: ["a.txt", "lib", ".git"] },
])("[GT21] what was left $what is made anew", async ({ lost }) => {
  const repository = makeRepository();
  const path = `${repository.path}-worktrees/one`;
  git(repository.path, "worktree", "add", "-q", "--lock", "--reason", markOf("ws_1"), "-b", "work/one", path);
  for (const name of lost) rmSync(join(path, name), { recursive: true, force: true });
  expect(readdirSync(path).includes(".git")).toBe(!lost.includes(".git"));

  const made = await handsAt().run(askIn(repository), turn(2));

  expect(git(made.path, "status", "--porcelain")).toBe("");
  expect(git(repository.path, "worktree", "list", "--porcelain")).not.toContain("locked");
});

test("[GT21] somebody else's folder at that place is no earlier attempt of ours", async () => {
  const repository = makeRepository();
  git(repository.path, "worktree", "add", "-q", "-b", "theirs", `${repository.path}-worktrees/one`);
  await expect(handsAt().run(askIn(repository), turn(2))).rejects.toMatchObject({ code: "CONFLICT" });
});

test("[GT22] a worktree that cannot be made leaves nothing behind", async () => {
  const repository = makeRepository();
  const [blob] = repository.git("ls-tree", "HEAD", "a.txt").split(/\s/).slice(2);
  rmSync(join(repository.path, ".git", "objects", blob?.slice(0, 2) ?? "", blob?.slice(2) ?? ""));

  await expect(handsAt().run(askIn(repository), turn())).rejects.toMatchObject({ code: "GIT_ERROR" });

  expect(traces(repository)).toEqual({ folder: false, notes: [], branches: ["main"] });
});

test("[GT22] a branch that was there before stays when the worktree cannot be made", async () => {
  const repository = makeRepository();
  repository.git("branch", "work/one");
  const [blob] = repository.git("ls-tree", "HEAD", "a.txt").split(/\s/).slice(2);
  rmSync(join(repository.path, ".git", "objects", blob?.slice(0, 2) ?? "", blob?.slice(2) ?? ""));

  await expect(handsAt().run(askIn(repository), turn())).rejects.toMatchObject({ code: "GIT_ERROR" });

  expect(traces(repository)).toEqual({ folder: false, notes: [], branches: ["main", "work/one"] });
});

test("[GT22] giving up takes back what stands under our mark and nothing else", async () => {
  const repository = makeRepository();
  const path = `${repository.path}-worktrees/one`;
  git(repository.path, "worktree", "add", "-q", "--lock", "--reason", markOf("ws_1"), path);
  git(repository.path, "worktree", "add", "-q", "--lock", "--reason", "mine", `${path}-theirs`);

  await handsAt().undo?.(askIn(repository), turn(4));

  expect(existsSync(path)).toBe(false);
  expect(existsSync(`${path}-theirs`)).toBe(true);
});

test("[GT4] a repository that is removed in the middle is missed", async () => {
  const repository = makeRepository();
  const running = handsAt().run(askIn(repository), turn());
  renameSync(repository.path, `${repository.path}-gone`);
  await expect(running).rejects.toMatchObject({ code: expect.stringMatching(/^(REPOSITORY_NOT_FOUND|GIT_ERROR)$/) });
  await expect(handsAt().run(askIn(repository), turn(2))).rejects.toMatchObject({ code: "REPOSITORY_NOT_FOUND" });
});

test("[GT7] many at once in one repository all come about", async () => {
  const repository = makeRepository();
  const hand = handsAt();
  const names = ["one", "two", "three", "four", "five", "six"];
  const made = await Promise.all(
    names.map((name) =>
      hand.run(askIn(repository, { path: `${repository.path}-worktrees/${name}`, branch: `work/${name}` }), {
        ...turn(),
        key: name,
      }),
    ),
  );
  expect(made.map(({ path }) => git(path, "status", "--porcelain"))).toEqual(names.map(() => ""));
});

test("[GT11, GT22] a parent that is exchanged for a link after it was judged leads to a refusal, not outside", async () => {
  const repository = makeRepository();
  const outside = makeFolder();
  const parent = `${repository.path}-worktrees`;
  mkdirSync(parent);
  const program = join(makeFolder(), "git");
  mkdirSync(join(outside, "one"));
  const swap = `mv "${parent}" "${parent}-aside"; ln -s "${outside}" "${parent}"`;
  writeFileSync(program, `#!/bin/sh\ncase " $* " in *" read-tree "*) ${swap};; esac\nexec git "$@"\n`);
  chmodSync(program, 0o755);
  const host = openGitHost({ dataDir: makeFolder(), git: { ...installedGit, program } });

  const running = gitHands(host)["worktree.make"].run(askIn(repository), turn());

  await expect(running).rejects.toMatchObject({ code: "GIT_ERROR" });
  expect(readdirSync(outside, { recursive: true })).toEqual([]);
  expect(traces(repository)).toEqual({ folder: false, notes: [], branches: ["main"] });
});

test("[GT18] filters that files ask for are named, those that nobody asks for are not", async () => {
  const repository = makeRepository({ "a.bin": "pointer\n", ".gitattributes": "*.bin filter=lfs -text\n" });
  for (const name of ["lfs", "unused"]) {
    repository.git("config", `filter.${name}.smudge`, "false");
    repository.git("config", `filter.${name}.required`, "true");
  }
  const made = await handsAt().run(askIn(repository), turn());
  expect(made.skippedFilters).toEqual(["lfs"]);
  expect(readFileSync(join(made.path, "a.bin"), "utf8")).toBe("pointer\n");
});

test("[GT36] a fresh worktree is taken back, but not with a submodule that somebody has checked out in it", async () => {
  const repository = makeRepository();
  const inside = makeRepository();
  const gitlink = `160000,${inside.git("rev-parse", "HEAD")},lib-inside`;
  repository.git("update-index", "--add", "--cacheinfo", gitlink);
  repository.git("commit", "-qm", "submodule");
  const ask = askIn(repository);
  await handsAt().run(ask, turn());
  const opened = await openRepository(installedGit, repository.path);
  const fresh = { branch: ask.branch, commit: repository.git("rev-parse", "HEAD") };
  const place = join(ask.path, "lib-inside");
  rmSync(place, { recursive: true, force: true });
  git(repository.around, "clone", "-q", inside.path, place);
  writeFileSync(join(place, "a.txt"), "work of hours\n");
  await discardFresh(opened, ask.path, fresh);
  expect(readFileSync(join(place, "a.txt"), "utf8")).toBe("work of hours\n");
  rmSync(place, { recursive: true });
  mkdirSync(place);
  await discardFresh(opened, ask.path, fresh);
  expect(traces(repository)).toEqual({ folder: false, notes: [], branches: ["main"] });
});
