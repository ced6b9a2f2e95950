import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { gitHands } from "../../src/adapters/git/hands.ts";
import { openGitHost } from "../../src/adapters/git/host.ts";
import { markOf } from "../../src/adapters/git/marked.ts";
import { copyRegular, readRegular } from "../../src/adapters/regular-file.ts";
import { WorktreeId } from "../../src/contract/ids.ts";
import { capture } from "../worktree/capture.ts";
import { git, makeFolder, makeRepository, type TestRepository, writeIn } from "./scratch.ts";

const hands = () => gitHands(openGitHost({ dataDir: makeFolder() }));
const turn = (key = "ws_1", attempt = 1) => ({ key, attempt, signal: new AbortController().signal });
const asked = (repository: TestRepository, path: string) => ({
  worktreeId: WorktreeId.parse("ws_1"),
  repositoryPath: repository.path,
  path,
  branch: "work/one",
  baseBranch: null,
});

/** Notes as git writes them for a worktree, about a folder that is none. */
function forgeNotes(repository: TestRepository, folder: string, lock?: string): string {
  const notes = join(repository.path, ".git", "worktrees", "forged");
  mkdirSync(notes, { recursive: true });
  writeFileSync(join(notes, "gitdir"), `${join(folder, ".git")}\n`);
  writeFileSync(join(notes, "HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(notes, "commondir"), "../..\n");
  if (lock !== undefined) writeFileSync(join(notes, "locked"), `${lock}\n`);
  return notes;
}

test.each([
  { what: "no .git", prepare: (_folder: string) => undefined },
  { what: "a repository of its own", prepare: (folder: string) => void git(folder, "init", "-q") },
  {
    what: "a .git that names other notes",
    prepare: (folder: string) => writeFileSync(join(folder, ".git"), "gitdir: /elsewhere/.git/worktrees/x\n"),
  },
])("[GT28] a foreign folder with $what that forged notes name is neither copied nor removed", async ({ prepare }) => {
  const repository = makeRepository();
  const folder = `${repository.path}-private`;
  mkdirSync(folder);
  onTestFinished(() => void execFileSync("rm", ["-rf", folder]));
  writeIn(folder, "diary.txt", "mine\n");
  prepare(folder);
  forgeNotes(repository, folder);
  const before = readdirSync(folder, { recursive: true });
  const storing = { ...asked(repository, folder), number: 1, at: 1_700_000_000_000 };
  await expect(hands()["worktree.store"].run(storing, turn("store"))).rejects.toMatchObject({ code: "INVALID_STATE" });
  expect(readdirSync(folder, { recursive: true })).toEqual(before);
  expect(repository.git("for-each-ref", "refs/crewdeck")).toBe("");
});

test("[GT28] a mark that was copied to another worktree does not give that away", async () => {
  const repository = makeRepository();
  const own = `${repository.path}-worktrees/own`;
  repository.git("worktree", "add", "-q", "-b", "own", own);
  writeIn(own, "draft.txt", "a day's work\n");
  writeFileSync(join(repository.path, ".git", "worktrees", "own", "locked"), `${markOf("ws_1")}\n`);
  const before = capture(own);
  const making = asked(repository, `${repository.path}-worktrees/one`);
  await hands()["worktree.make"].undo?.(making, turn("ws_1", 2));
  const made = await hands()["worktree.make"].run(making, turn("ws_1", 2));
  expect(existsSync(made.path)).toBe(true);
  expect(capture(own)).toEqual(before);
});

test("[GT28] a worktree that names another repository as its own is not worked in", async () => {
  const [repository, other] = [makeRepository(), makeRepository()];
  const path = join(repository.around, "one");
  repository.git("worktree", "add", "-q", "-b", "one", path);
  writeFileSync(join(repository.path, ".git", "worktrees", "one", "commondir"), `${join(other.path, ".git")}\n`);
  const storing = { ...asked(repository, path), number: 1, at: 1_700_000_000_000 };
  await expect(hands()["worktree.store"].run(storing, turn("store"))).rejects.toMatchObject({ code: "GIT_ERROR" });
  expect(other.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
});

test.each(["gitdir", "HEAD", "locked", "index"])("[GT29] a pipe in the place of %s holds nobody up", async (name) => {
  const repository = makeRepository();
  const path = `${repository.path}-worktrees/one`;
  const { path: made } = await hands()["worktree.make"].run(asked(repository, path), turn());
  const notes = join(repository.path, ".git", "worktrees", "one");
  const odd = join(repository.path, ".git", "worktrees", "odd");
  cpSync(notes, odd, { recursive: true });
  execFileSync("rm", ["-f", join(odd, name)]);
  execFileSync("mkfifo", [join(odd, name)]);
  const storing = { ...asked(repository, made), number: 1, at: 1_700_000_000_000 };
  expect(await hands()["worktree.store"].run(storing, turn("store"))).toMatchObject({ branch: "refs/heads/work/one" });
});

test("[GT29] what is no plain file of the expected size is not read", async () => {
  const folder = makeFolder();
  const at = (name: string): string => join(folder, name);
  writeFileSync(at("plain"), "text");
  symlinkSync(at("plain"), at("link"));
  mkdirSync(at("folder"));
  execFileSync("mkfifo", [at("pipe")]);
  writeFileSync(at("huge"), "");
  truncateSync(at("huge"), 2 ** 40);
  const socket = createServer().listen(at("socket"));
  onTestFinished(() => void socket.close());
  await new Promise((resolve) => socket.once("listening", resolve));
  expect((await readRegular(at("plain"), 10))?.toString()).toBe("text");
  for (const path of [...["link", "folder", "pipe", "huge", "socket", "missing"].map(at), "/dev/zero"]) {
    expect({ path, read: await readRegular(path, 1_000) }).toEqual({ path, read: undefined });
    expect(await copyRegular(path, at("copy"), 1_000)).toBe(false);
  }
  expect(existsSync(at("copy"))).toBe(false);
});
