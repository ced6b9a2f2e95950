import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openRepository } from "../../src/adapters/git/repository.ts";
import { installedGit, runGit } from "../../src/adapters/git/run.ts";
import { until } from "../../src/testing/waiting.ts";
import { git, makeFolder, makeRepository, repositoryAt } from "./scratch.ts";

/** A program that stands in for git: a shell script of the test's own. */
function makeProgram(script: string): { program: string; folder: string } {
  const folder = makeFolder();
  const program = join(folder, "git");
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  return { program, folder };
}

const isAlive = (pid: number): boolean => {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
};

/** Waits for a file that a program writes its child's id into. */
async function pidIn(file: string): Promise<number> {
  await until(() => existsSync(file) && readFileSync(file, "utf8") !== "");
  return Number(readFileSync(file, "utf8"));
}

async function untilDead(pid: number): Promise<void> {
  await until(() => !isAlive(pid));
}

test("[GT2] the environment holds nothing but what git needs", async () => {
  const { program, folder } = makeProgram("env");
  process.env["CREWDECK_TEST_SECRET"] = "hunter2";
  try {
    const { text } = await runGit({ ...installedGit, program }, { args: ["version"], cwd: folder });
    const names = text.split("\n").map((line) => line.split("=")[0]);
    const allowed =
      /^(PATH|HOME|TMPDIR|LANG|LC_ALL|PWD|OLDPWD|SHLVL|_|GIT_(TERMINAL_PROMPT|CONFIG_NOSYSTEM|OPTIONAL_LOCKS|NO_LAZY_FETCH|ALLOW_PROTOCOL|NO_REPLACE_OBJECTS|PAGER|EDITOR))$/;
    expect(names.filter((name) => !allowed.test(name ?? ""))).toEqual([]);
    expect(text).toContain("GIT_TERMINAL_PROMPT=0");
  } finally {
    delete process.env["CREWDECK_TEST_SECRET"];
  }
});

test("[GT3] git and its children are ended when the time is over", async () => {
  const { program, folder } = makeProgram('sleep 600 & echo $! > "$(dirname "$0")/pid"; wait');
  // On a busy machine the time may be over before the child is there; then it gets more of it.
  for (let timeoutMs = 500; !existsSync(join(folder, "pid")); timeoutMs *= 2) {
    const running = runGit({ ...installedGit, program }, { args: ["status"], cwd: folder, timeoutMs });
    await expect(running).rejects.toMatchObject({
      code: "GIT_ERROR",
      message: expect.stringContaining("longer than"),
      details: { isLate: true },
    });
  }
  await untilDead(await pidIn(join(folder, "pid")));
});

test("[GT3] a git that does not listen to a polite end is ended all the same", async () => {
  const { program, folder } = makeProgram(
    'trap "" TERM; sh -c \'trap "" TERM; echo $$ > pid; while :; do sleep 1; done\'',
  );
  const controller = new AbortController();
  const running = runGit({ ...installedGit, program }, { args: ["status"], cwd: folder, signal: controller.signal });
  const pid = await pidIn(join(folder, "pid"));
  controller.abort(new Error("enough"));
  await expect(running).rejects.toThrow("enough");
  await untilDead(pid);
});

test("[GT3] an answer that never ends is cut off", async () => {
  const { program, folder } = makeProgram("yes");
  const running = runGit({ program, mostBytes: 100_000 }, { args: ["status"], cwd: folder });
  await expect(running).rejects.toMatchObject({ code: "GIT_ERROR", message: expect.stringContaining("100000 bytes") });
});

test("[GT3] a call that is cancelled before it begins starts nothing", async () => {
  const { program, folder } = makeProgram('touch "$(dirname "$0")/started"');
  const running = runGit(
    { ...installedGit, program },
    { args: ["status"], cwd: folder, signal: AbortSignal.abort(new Error("never mind")) },
  );
  await expect(running).rejects.toThrow("never mind");
  expect(existsSync(join(folder, "started"))).toBe(false);
});

test("[GT4] without git the call says so", async () => {
  const { path } = makeRepository();
  await expect(openRepository({ ...installedGit, program: "/nowhere/git" }, path)).rejects.toMatchObject({
    code: "CAPABILITY_MISSING",
  });
});

test("[GT4, GT5] only the folder that holds the repository is one", async () => {
  const repository = makeRepository({ "deep/er/a.txt": "a" });
  const empty = join(repository.path, "deep", "empty");
  git(repository.path, "init", "-q", "--bare", join(repository.around, "bare.git"));
  const open = (path: string) => openRepository(installedGit, path);

  await expect(open(repository.path)).resolves.toMatchObject({ path: repository.path });
  await expect(open(join(repository.around, "bare.git"))).resolves.toMatchObject({
    commonDir: join(repository.around, "bare.git"),
  });
  for (const path of [
    join(repository.path, "deep"),
    empty,
    join(repository.path, ".git"),
    repository.around,
    "/nowhere",
  ]) {
    await expect(open(path), path).rejects.toMatchObject({ code: "REPOSITORY_NOT_FOUND" });
  }
});

test("[GT5] a worktree stands for its repository, a configured work tree for nothing", async () => {
  const repository = makeRepository();
  const linked = join(repository.around, "linked");
  git(repository.path, "worktree", "add", "-q", linked);
  const other = repositoryAt(join(repository.around, "other"), { "x.txt": "x" });
  git(other.path, "config", "core.worktree", repository.around);

  await expect(openRepository(installedGit, linked)).resolves.toMatchObject({
    path: linked,
    commonDir: join(repository.path, ".git"),
  });
  await expect(openRepository(installedGit, other.path)).rejects.toMatchObject({ code: "REPOSITORY_NOT_FOUND" });
});
