import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readChecks } from "../../src/adapters/checks/configuration.ts";
import { takeSnapshot } from "../../src/adapters/evidence/snapshot.ts";
import { gitHands, gitPorts } from "../../src/adapters/git/hands.ts";
import { openGitHost } from "../../src/adapters/git/host.ts";
import { homeAt, readCredentials, readServerInfo } from "../../src/adapters/home.ts";
import { readJson } from "../../src/adapters/launcher/places.ts";
import { readTail } from "../../src/adapters/regular-file.ts";
import { readSettings } from "../../src/adapters/settings.ts";
import { readTemplateFiles } from "../../src/adapters/template-files.ts";
import { WorktreeId } from "../../src/contract/ids.ts";
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

/** Everything that reads a repository, each by itself. Answers what had to be ended because it waited. */
async function listEnded(path: string): Promise<string[]> {
  const host = openGitHost({ dataDir: makeFolder() });
  const ask = {
    worktreeId: WorktreeId.parse("ws_1"),
    repositoryPath: path,
    path: `${path}-worktrees/one`,
    branch: "work/one",
    baseBranch: null,
  };
  const store = { ...ask, path: join(dirname(path), "linked"), number: 1, at: 1_700_000_000_000 };
  const outcomes = await Promise.allSettled([
    gitPorts(host).worktree.checkGround(ask, signal),
    gitHands(host)["worktree.store"].run(store, { key: "ws_1", attempt: 1, signal }),
    takeSnapshot(path, signal),
    readChecks(path, signal),
    readTemplateFiles([path], join(path, "none"), signal),
  ]);
  const failures = outcomes.map((outcome) => (outcome.status === "rejected" ? String(outcome.reason) : ""));
  return failures.filter((failure) => /longer than/.test(failure));
}

test.each(
  Object.keys(kinds),
)("[GT34] a %s in the place of any file of a repository holds up no reader", async (kind) => {
  const template = makeRepository();
  git(template.path, "worktree", "add", "-q", "-b", "linked", join(template.around, "linked"));
  const slow: unknown[] = [];
  for (const file of files) {
    const path = join(template.around, `case-${files.indexOf(file)}`, "shop");
    cpSync(template.path, path, { recursive: true });
    mkdirSync(dirname(join(path, file)), { recursive: true });
    rmSync(join(path, file), { recursive: true, force: true });
    await kinds[kind]?.(join(path, file));
    slow.push(...(await listEnded(path)).map((failure) => ({ file, failure })));
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
