import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder of the test's own; it goes with the test. */
export function makeFolder(prefix = "crewdeck-git-"): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), prefix)));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** A disk of a few megabytes, gone after the test. */
export function mountSmallDisk(megabytes: number): string {
  const folder = makeFolder("crewdeck-small-");
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder]);
  onTestFinished(() => void execFileSync("umount", ["--lazy", folder]));
  return folder;
}

/** Writes until nothing more fits. */
export function fillDisk(file: string): void {
  for (let bytes = 1 << 20; bytes >= 512; bytes /= 2) {
    for (;;) {
      try {
        writeFileSync(file, Buffer.alloc(bytes), { flag: "a" });
      } catch {
        break;
      }
    }
  }
}

/** Git as a developer of the test would use it: their own name, no configuration but the repository's. */
export function git(cwd: string, ...args: string[]): string {
  return gitBytes(cwd, ...args)
    .toString("utf8")
    .replace(/\n$/, "");
}

export function gitBytes(cwd: string, ...args: string[]): Buffer {
  return execFileSync("git", args, { cwd, env: developer, stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 28 });
}

const developer = {
  PATH: process.env["PATH"] ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ada Example",
  GIT_AUTHOR_EMAIL: "ada@example.com",
  GIT_COMMITTER_NAME: "Ada Example",
  GIT_COMMITTER_EMAIL: "ada@example.com",
  GIT_ALLOW_PROTOCOL: "file",
};

export interface TestRepository {
  /** The folder around it, in which worktrees may be made. */
  readonly around: string;
  readonly path: string;
  git(...args: string[]): string;
  write(name: string, content: string | Buffer): void;
  /** Writes files, commits everything and answers the commit. */
  commit(message: string, files?: Readonly<Record<string, string>>): string;
}

/** A repository with one commit on `main`. */
export function makeRepository(
  files: Readonly<Record<string, string>> = { "a.txt": "one\n", "lib/b.txt": "two\n" },
): TestRepository {
  const around = makeFolder();
  return repositoryAt(join(around, "shop"), files);
}

export function repositoryAt(path: string, files: Readonly<Record<string, string>>): TestRepository {
  mkdirSync(path, { recursive: true });
  git(path, "init", "-q", "-b", "main");
  const write = (name: string, content: string | Buffer): void => writeIn(path, name, content);
  const repository: TestRepository = {
    around: dirname(path),
    path,
    git: (...args) => git(path, ...args),
    write,
    commit(message, more = {}) {
      for (const [name, content] of Object.entries(more)) write(name, content);
      git(path, "add", "-A");
      git(path, "commit", "-q", "--allow-empty", "-m", message);
      return git(path, "rev-parse", "HEAD");
    },
  };
  repository.commit("first", files);
  return repository;
}

export function writeIn(folder: string, name: string, content: string | Buffer): void {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
