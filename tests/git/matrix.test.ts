import { appendFileSync, chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type GitArgs, type GitVerb, gitCommands, limitCommand } from "../../src/adapters/git/commands.ts";
import { gitHands } from "../../src/adapters/git/hands.ts";
import { openGitHost } from "../../src/adapters/git/host.ts";
import { openGit } from "../../src/adapters/git/open.ts";
import { openRepository, type Repository, type Within } from "../../src/adapters/git/repository.ts";
import { type GitProgram, installedGit } from "../../src/adapters/git/run.ts";
import { listWorktrees, surveyCopy } from "../../src/companion/watch/survey.ts";
import { WorktreeId } from "../../src/contract/ids.ts";
import { Canaries } from "./hostile.ts";
import { features, missing, type Trap, trapFiles } from "./hostile-features.ts";
import { git, gitBytes, makeFolder, makeRepository, type TestRepository, writeIn } from "./scratch.ts";

function trapIn({ path }: TestRepository, command: string): Trap {
  const info = join(path, ".git", "info");
  mkdirSync(info, { recursive: true });
  return {
    path,
    command,
    git: (...args) => void gitBytes(path, ...args),
    set: (key, value) => void gitBytes(path, "config", key, value),
    attribute(line) {
      appendFileSync(join(info, "attributes"), line);
      appendFileSync(join(info, "attributes"), "\n");
    },
  };
}

test("[GT30] each feature runs its program when somebody else uses git there", () => {
  const canaries = new Canaries();
  const template = makeRepository(trapFiles);
  const silent = Object.entries(features).filter(([, { plant, spring }], at) => {
    const path = join(template.around, `trap-${at}`);
    cpSync(template.path, path, { recursive: true });
    const trap = trapIn({ ...template, path }, canaries.command("trap"));
    plant(trap);
    canaries.clear();
    try {
      spring(trap);
    } catch {
      // Some of these programs are no good at what they pretend to be.
    }
    return canaries.traces().length === 0;
  });
  expect(silent.map(([name]) => name)).toEqual([]);
});

const overFiles = { GIT_ALLOW_PROTOCOL: "file" };

/** A remote that is nobody's trap. */
function makeTarget(): string {
  const path = makeFolder();
  git(path, "init", "-q", "--bare");
  return path;
}

/** An account need not have said who works there. */
const somebody = Object.fromEntries(
  ["AUTHOR", "COMMITTER"].flatMap((role) => [
    [`GIT_${role}_NAME`, "Somebody"],
    [`GIT_${role}_EMAIL`, "somebody@example.com"],
  ]),
);

/** What each command is asked in a repository full of traps. Whoever adds a command adds what it is to be asked. */
const samples: Readonly<Record<GitVerb, (within: Within) => readonly [GitArgs, Within][]>> = {
  blame: (w) => [
    [["blame", "--porcelain", "HEAD", "--", "a.txt"], w],
    [["blame", "--textconv", "HEAD", "--", "a.conv"], w],
  ],
  "cat-file": (w) => [
    [["cat-file", "--batch"], { ...w, input: `HEAD:a.txt\n${missing}\n` }],
    [["cat-file", "--textconv", "HEAD:a.conv"], w],
    [["cat-file", "--filters", "HEAD:a.lfs"], w],
  ],
  "check-attr": (w) => [[["check-attr", "-a", "a.txt", "a.lfs"], w]],
  "check-ref-format": (w) => [[["check-ref-format", "--branch", "work/two"], w]],
  cherry: (w) => [[["cherry", "HEAD", "HEAD~1"], w]],
  "commit-tree": (w) => [[["commit-tree", "-m", "one", "HEAD^{tree}"], { ...w, env: somebody }]],
  "diff-index": (w) => [[["diff-index", "-p", "HEAD"], w]],
  "diff-tree": (w) => [[["diff-tree", "-p", "HEAD~1", "HEAD"], w]],
  "for-each-ref": (w) => [[["for-each-ref", "--format=%(refname) %(upstream) %(contents:signature)"], w]],
  "hash-object": (w) => [[["hash-object", "-w", "a.txt", "a.lfs", "a.byte"], w]],
  log: (w) => [[["log", "-p", "-g", "HEAD"], w]],
  "ls-files": (w) => [[["ls-files", "--others", "--modified", "--exclude-standard"], w]],
  "ls-remote": (w) => [[["ls-remote", "--", makeTarget()], { ...w, env: overFiles }]],
  "ls-tree": (w) => [[["ls-tree", "-r", "-l", "HEAD"], w]],
  "merge-base": (w) => [[["merge-base", "HEAD", "HEAD~1"], w]],
  "merge-file": (w) => [[["merge-file", "-p", "a.merge", "a.txt", "a.diff"], w]],
  "merge-tree": (w) => [[["merge-tree", "--write-tree", "HEAD~1", "HEAD"], w]],
  mktree: (w) => [[["mktree"], { ...w, input: "" }]],
  push: (w) => [[["push", "--porcelain", "--", makeTarget(), "HEAD:refs/heads/two"], { ...w, env: overFiles }]],
  "read-tree": (w) => [[["read-tree", "--reset", "-u", "HEAD"], w]],
  "rev-list": (w) => [[["rev-list", "--all", "--objects"], w]],
  "rev-parse": (w) => [[["rev-parse", "--verify", `${missing}^{commit}`], w]],
  status: (w) => [[["status", "--porcelain=v2", "--branch", "--ignored"], w]],
  "symbolic-ref": (w) => [[["symbolic-ref", "refs/heads/name", "refs/heads/main"], w]],
  "update-index": (w) => [[["update-index", "--refresh", "--add", "a.txt", "a.lfs", "a.own"], w]],
  "update-ref": (w) => [[["update-ref", "refs/heads/two", "HEAD"], w]],
  "write-tree": (w) => [[["write-tree"], w]],
};

const verbs = Object.keys(gitCommands) as GitVerb[];

/** A repository with every trap at once, and a worktree of it. */
function makeTraps(): { repository: TestRepository; canaries: Canaries; linked: string; gitDir: string } {
  const canaries = new Canaries();
  const repository = makeRepository(trapFiles);
  repository.commit("second", Object.fromEntries(Object.keys(trapFiles).map((name) => [name, "second\n"])));
  const linked = join(repository.around, "linked");
  repository.git("worktree", "add", "-q", "-b", "work/linked", linked);
  for (const [name, { plant }] of Object.entries(features)) {
    plant(trapIn(repository, canaries.command(name.replaceAll(/\W/g, "-"))));
  }
  canaries.clear();
  return { repository, canaries, linked, gitDir: join(repository.path, ".git", "worktrees", "linked") };
}

function dirty(folder: string): void {
  for (const name of [...Object.keys(trapFiles), "within/a.txt"]) writeIn(folder, name, "dirty\n");
}

/** Which command ran whose program; a command may fail where so much is wrong, but it runs nothing. */
async function listSprung(
  repository: Repository,
  places: readonly { gitDir?: string; workTree: string }[],
  canaries: Canaries,
  before: () => void = () => undefined,
): Promise<{ sprung: string[]; failed: string[] }> {
  const [sprung, failed]: [string[], string[]] = [[], []];
  for (const place of places) {
    for (const [args, within] of verbs.flatMap((verb) => samples[verb](place))) {
      dirty(place.workTree);
      before();
      await repository.git(args, within).catch(() => failed.push(args[0]));
      sprung.push(...canaries.traces().map((name) => `git ${args[0]} ran ${name}`));
      canaries.clear();
    }
  }
  return { sprung, failed };
}

test("[GT30] no command of ours runs any of them, in the main folder or in a worktree", async () => {
  const { repository, canaries, linked, gitDir } = makeTraps();
  const opened = await openRepository(installedGit, repository.path);
  const places = [{ workTree: repository.path }, { gitDir, workTree: linked }];
  const { sprung, failed } = await listSprung(opened, places, canaries);
  const looked = openGit(installedGit);
  const found = await looked.find(linked);
  expect(found && (await looked.listWorktrees(found))).toEqual([repository.path, linked]);
  expect(sprung).toEqual([]);
  expect([...new Set(failed)].sort()).toEqual(["rev-parse", "update-index"]);
});

test("[GT30] nor when the configuration is exchanged while we work", async () => {
  const { repository, canaries, linked, gitDir } = makeTraps();
  const config = join(repository.path, ".git", "config");
  const evil = readFileSync(config);
  writeFileSync(config, "[core]\n\tbare = false\n");
  const program = join(makeFolder(), "git");
  writeFileSync(`${program}.evil`, evil);
  writeFileSync(program, `#!/bin/sh\ncat "$0.evil" > "${config}"\nexec git "$@"\n`);
  chmodSync(program, 0o755);
  const exchanging: GitProgram = { ...installedGit, program };
  const opened = await openRepository(exchanging, repository.path);
  const { sprung } = await listSprung(opened, [{ workTree: repository.path }, { gitDir, workTree: linked }], canaries);
  const hands = gitHands(openGitHost({ dataDir: makeFolder(), git: exchanging }));
  const ask = {
    worktreeId: WorktreeId.parse("ws_1"),
    repositoryPath: repository.path,
    path: join(repository.around, "made"),
    branch: "work/made",
    baseBranch: null,
  };
  await hands["worktree.make"].run(ask, { key: "ws_1", attempt: 1, signal: new AbortController().signal });
  expect([...sprung, ...canaries.traces()]).toEqual([]);
  expect(readFileSync(join(ask.path, "a.lfs"), "utf8")).toBe("second\n");
});

test("[GT30, WH9] nor does a watch that looks at it all day, and it sees what has changed", async () => {
  const { repository, canaries, linked } = makeTraps();
  for (const folder of [repository.path, linked]) dirty(folder);
  expect(await listWorktrees(repository.path)).toEqual([repository.path, linked]);
  for (const folder of [repository.path, linked]) {
    const survey = await surveyCopy(folder);
    expect(survey?.dirty).toEqual(expect.arrayContaining(["a.txt", "a.lfs"]));
    expect(survey?.commits.map(({ subject }) => subject)).toContain("second");
  }
  expect(canaries.traces()).toEqual([]);
});

test("[GT30] git is never asked to look into the repositories inside", () => {
  for (const word of ["none", "untracked"]) {
    expect(() => limitCommand(["status", `--ignore-submodules=${word}`])).toThrow("repositories inside");
  }
  expect(limitCommand(["diff-index", "HEAD"]).args).toEqual(["diff-index", "--ignore-submodules=dirty", "HEAD"]);
});

test("[GT31] nor a filter that the account's own configuration has for everybody's files", async () => {
  const repository = makeRepository({ "a.home": "home\n", ".gitattributes": "*.home filter=home\n" });
  const canaries = new Canaries();
  const home = makeFolder();
  writeFileSync(join(home, "ignored"), "*.tmp\n");
  for (const [key, value] of [
    ["filter.home.smudge", canaries.command("home")],
    ["filter.home.clean", canaries.command("home")],
    ["core.excludesFile", "~/ignored"],
  ] as const) {
    git(repository.path, "config", "--file", join(home, ".gitconfig"), key, value);
  }
  const { HOME } = process.env;
  process.env["HOME"] = home;
  onTestFinished(() => {
    if (HOME === undefined) delete process.env["HOME"];
    else process.env["HOME"] = HOME;
  });
  writeIn(repository.path, "a.home", "changed\n");
  writeIn(repository.path, "b.tmp", "ignored by the user\n");
  const opened = await openRepository(installedGit, repository.path);
  const { text } = await opened.git(["status", "--porcelain"], { workTree: repository.path });
  await opened.git(["read-tree", "--reset", "-u", "HEAD"], { workTree: repository.path });
  expect(text).toBe(" M a.home");
  expect(canaries.traces()).toEqual([]);
});

test("[GT32] objects that stand in for others, and parents that were grafted on, are not believed", async () => {
  const repository = makeRepository();
  const first = repository.git("rev-parse", "HEAD");
  const second = repository.commit("second", { "a.txt": "two\n" });
  const [blob = ""] = repository.git("rev-parse", "HEAD:a.txt").split("\n");
  const other = repository.git("rev-parse", "HEAD:lib/b.txt");
  repository.git("replace", blob, other);
  writeFileSync(join(repository.path, ".git", "info", "grafts"), `${second}\n`);
  expect(repository.git("rev-list", "--count", "HEAD")).toBe("1");
  const opened = await openRepository(installedGit, repository.path);
  expect((await opened.git(["cat-file", "blob", blob])).text).toBe("two");
  expect((await opened.git(["rev-list", "HEAD"])).text).toBe(`${second}\n${first}`);
});

test("[GT33] what a repository is made of comes through: hash, upstream, packed refs, alternates, depth", async () => {
  const upstream = makeRepository();
  const around = makeFolder();
  git(around, "clone", "-q", "--shared", upstream.path, "shared");
  git(around, "clone", "-q", "--depth=1", `file://${upstream.path}`, "shallow");
  git(around, "init", "-q", "--object-format=sha256", "-b", "main", "long");
  writeIn(join(around, "long"), "a.txt", "a\n");
  git(join(around, "long"), "add", ".");
  git(join(around, "long"), "commit", "-qm", "first");
  const ask = async (name: string, args: GitArgs): Promise<string> =>
    (await (await openRepository(installedGit, join(around, name))).git(args)).text;
  expect(await ask("shared", ["rev-parse", "main@{upstream}"])).toBe(upstream.git("rev-parse", "main"));
  expect(await ask("shared", ["cat-file", "-p", "HEAD:a.txt"])).toBe("one");
  expect(await ask("shallow", ["rev-parse", "--is-shallow-repository"])).toBe("true");
  expect(await ask("long", ["rev-parse", "HEAD"])).toMatch(/^[0-9a-f]{64}$/);
  const shared = join(around, "shared");
  git(shared, "branch", "packed");
  git(shared, "pack-refs", "--all");
  await ask("shared", ["update-ref", "-d", "refs/heads/packed"]);
  expect(git(shared, "for-each-ref", "--format=%(refname)", "refs/heads")).toBe("refs/heads/main");
});
