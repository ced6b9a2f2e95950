import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readChecks } from "../../src/adapters/checks/configuration.ts";
import { identifyTree, takeSnapshot } from "../../src/adapters/evidence/snapshot.ts";
import { openForecast } from "../../src/adapters/forecast/forecast.ts";
import { compareBranch } from "../../src/adapters/git/compare.ts";
import { gitHands, gitPorts } from "../../src/adapters/git/hands.ts";
import { openGitHost } from "../../src/adapters/git/host.ts";
import { mergePulls } from "../../src/adapters/git/merge-pull.ts";
import { surveyBranch } from "../../src/adapters/git/survey.ts";
import { homeAt, readCredentials, readServerInfo } from "../../src/adapters/home.ts";
import { readJson } from "../../src/adapters/launcher/places.ts";
import { readTail } from "../../src/adapters/regular-file.ts";
import { readSettings } from "../../src/adapters/settings.ts";
import { readTemplateFiles } from "../../src/adapters/template-files.ts";
import { listWorktrees, surveyCopy } from "../../src/companion/watch/survey.ts";
import { InstanceId, PullId, WorktreeId } from "../../src/contract/ids.ts";
import type { Hand } from "../../src/domain/errand.ts";
import { damageNoteOf, forgetDamage, readDamageNote } from "../../src/storage/damage.ts";
import { lockFileOf, lockStore, StoreHeldError } from "../../src/storage/lock.ts";
import { restoreStore } from "../../src/storage/restore.ts";
import { readStoreFile, refuseOtherFormat } from "../../src/storage/store-file.ts";
import { git, makeFolder, makeRepository } from "./scratch.ts";

/** What can lie where a file is expected. Root reads everything, so unreadable is a link that leads nowhere. */
const kinds: Readonly<Record<string, (path: string) => unknown>> = {
  pipe: (path) => execFileSync("mkfifo", [path]),
  socket: async (path) => {
    const server = createServer().listen(path);
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
  },
  device: (path) => execFileSync("mknod", [path, "c", "1", "5"]),
  link: (path) => symlinkSync("/dev/zero", path),
  "link that leads nowhere": (path) => symlinkSync("/nowhere", path),
  folder: (path) => mkdirSync(path),
  "huge file": (path) => {
    writeFileSync(path, "");
    truncateSync(path, 2 ** 28);
  },
};

/** Files of a repository that somebody reads without git, or that git reads before anything else. */
const files = [
  ".git/config",
  ".git/HEAD",
  ".git/index",
  ".git/packed-refs",
  ".git/commondir",
  ".git/info/attributes",
  ".git/info/exclude",
  ".git/worktrees/linked/HEAD",
  ".git/worktrees/linked/gitdir",
  ".git/worktrees/linked/locked",
  ".crewdeck/checks.json",
  ".crewdeck/templates/a.json",
  "a.txt",
  "untracked.txt",
];

const signal = new AbortController().signal;

type Hands = ReturnType<typeof gitHands>;

/** What each hand is asked in a repository where something lies in a file's place: whoever adds one adds its line. */
const asksAt = (
  path: string,
  commit: string,
): { readonly [Name in keyof Hands]: Parameters<Hands[Name]["run"]>[0] } => {
  const trees = { commit, worktree: "", staged: "", untracked: "", state: "", index: null };
  const worktreeId = WorktreeId.parse("ws_1");
  const make = {
    worktreeId,
    repositoryPath: path,
    path: `${path}-worktrees/one`,
    branch: "work/one",
    baseBranch: null,
  };
  const linked = { ...make, path: join(dirname(path), "linked") };
  const restored = { repositoryPath: path, path: `${path}-worktrees/two`, branch: "linked", head: commit };
  const feedback = { head: commit, content: "# Review\n", message: "review", at: 1_700_000_000_000 };
  return {
    "worktree.make": make,
    "worktree.store": { ...linked, number: 1, at: 1_700_000_000_000 },
    "worktree.remove": { ...linked, head: commit, trees },
    "vault.restore": { ...restored, trees: { ...trees, worktree: commit, staged: commit, untracked: commit } },
    "vault.drop": { repositoryPath: path, ref: "refs/heads/gone", commit },
    "review.deliver": {
      reviewId: InstanceId.parse("agt_1"),
      repositoryPath: path,
      coder: { path: linked.path, branch: "linked" },
      reviewer: { branch: "main" },
      ...feedback,
    },
  };
};

/** Everything that reads a repository, each by itself. */
function readersOf(path: string, asks: ReturnType<typeof asksAt>): Readonly<Record<string, () => Promise<unknown>>> {
  const host = openGitHost({ dataDir: makeFolder() });
  const { worktree, instance, review } = gitPorts(host);
  const [make, names] = [asks["worktree.make"], Object.keys(asks) as (keyof Hands)[]];
  const hands = gitHands(host);
  const runHand = (name: keyof Hands) =>
    (hands[name] as Hand<unknown, unknown>).run(asks[name], { key: "ws_1", attempt: 1, signal });
  const forecast = openForecast(makeFolder());
  const ends = { base: "main", head: "linked" };
  const commit = asks["vault.drop"].commit;
  const merge = { method: "merge", message: "Merge", by: { name: "Ada", email: "ada@example.com" }, at: 1 } as const;
  const survey = { repositoryPath: path, branch: ends.head, base: ends.base, ownBase: null };
  const compared = { ...survey, head: commit, endedAt: null, baseBefore: null };
  return {
    "judge the ground": () => worktree.checkGround(make, signal),
    "read the work tree": () => instance.readWorkTree(path, signal),
    "read the shape": () => review.readShape({ folder: path, ...ends }, signal),
    "take a snapshot": () => takeSnapshot(path, signal),
    "identify the tree": () => identifyTree(path, signal),
    "read checks": () => readChecks(path, signal),
    "read templates": () => readTemplateFiles([path], join(path, "none"), signal),
    "look ahead": () => forecast.look({ folder: path }, signal),
    "order branches": () => forecast.order({ folder: path, branches: ["linked"] }, signal),
    "survey a branch": () => host.look(path, signal, (repository) => surveyBranch(repository, survey, null)),
    "compare a branch": () => host.look(path, signal, (repository) => compareBranch(repository, compared, signal)),
    watch: async () => Promise.all((await listWorktrees(path)).map(surveyCopy)),
    "merge a pull request": () =>
      mergePulls(host).run(
        {
          pullId: PullId.parse("pr_1"),
          repositoryPath: path,
          branch: ends.head,
          base: ends.base,
          head: commit,
          ...merge,
        },
        { key: "pr_1", attempt: 1, signal },
      ),
    ...Object.fromEntries(names.map((name) => [name, () => runHand(name)])),
  };
}

/** What a pipe and a link without an end do not hold up, nothing else does: for the others these are enough. */
const first = ["judge the ground", "worktree.store", "take a snapshot", "read checks", "read templates"];
const holding = ["pipe", "link"];

/** Answers what had to be ended because it waited. */
async function listEnded(kind: string, path: string, asks: ReturnType<typeof asksAt>): Promise<string[]> {
  const readers = Object.entries(readersOf(path, asks)).filter(
    ([name]) => holding.includes(kind) || first.includes(name),
  );
  const outcomes = await Promise.allSettled(readers.map(([, read]) => read()));
  return outcomes.flatMap((outcome, at) =>
    outcome.status === "rejected" && /longer than/.test(String(outcome.reason)) ? [readers[at]?.[0] ?? ""] : [],
  );
}

test.each(
  Object.keys(kinds),
)("[GT34] a %s in the place of any file of a repository holds up no reader", async (kind) => {
  const template = makeRepository();
  git(template.path, "worktree", "add", "-q", "-b", "linked", join(template.around, "linked"));
  const commit = template.git("rev-parse", "HEAD");
  const slow: unknown[] = [];
  for (const file of files) {
    const path = join(template.around, `case-${files.indexOf(file)}`, "shop");
    cpSync(template.path, path, { recursive: true });
    mkdirSync(dirname(join(path, file)), { recursive: true });
    rmSync(join(path, file), { recursive: true, force: true });
    await kinds[kind]?.(join(path, file));
    slow.push(...(await listEnded(kind, path, asksAt(path, commit))).map((what) => ({ file, what })));
    // What git has mapped of a huge file may lie in memory.
    rmSync(dirname(path), { recursive: true, force: true });
  }
  expect(slow).toEqual([]);
});

test.each(Object.keys(kinds))("[GT34] a %s in the place of any file of the home holds up no reader", async (kind) => {
  const dir = makeFolder();
  const home = homeAt(dir);
  for (const file of [home.serverFile, home.credentialsFile, home.configFile]) await kinds[kind]?.(file);
  expect(readServerInfo(home)).toBeUndefined();
  try {
    expect(readCredentials(home)).toEqual({});
  } catch (error) {
    expect(String(error)).toMatch(/read|others/i);
  }
  expect(readSettings(home, {})).toBeDefined();
  await kinds[kind]?.(home.database);
  expect(() => refuseOtherFormat(home.database)).toThrow();
  await expect(readStoreFile(home.database, async () => undefined)).rejects.toThrow();
  const backup = join(dir, "backup.db");
  const restore = (file: string) => restoreStore(file, join(dir, "other.db"), async () => ({ isIntact: true }));
  await expect(restore(home.database)).rejects.toThrow();
  // A link that leads nowhere is no log, and a huge one is a log that says nothing.
  copyFileSync("/bin/sh", backup);
  await kinds[kind]?.(`${backup}-wal`);
  await expect(restore(backup)).rejects.toMatchObject({ code: "INVALID_INPUT" });
  await kinds[kind]?.(damageNoteOf(home.database));
  expect(readDamageNote(home.database)).not.toBeNull();
  forgetDamage(home.database);
  expect(readDamageNote(home.database)).toBeNull();
  expect(readJson(home.serverFile)).toBeUndefined();
  expect(readTail(home.serverFile, 10).length).toBeLessThan(11);
  const [file, holder] = [lockFileOf(home.database), { pid: process.pid, startedAt: "", home: dir }];
  const lock = lockStore(file, holder);
  rmSync(`${file}.json`);
  await kinds[kind]?.(`${file}.json`);
  expect(() => lockStore(file, holder)).toThrow(StoreHeldError);
  rmSync(`${file}.json`, { recursive: true });
  lock.release();
});
