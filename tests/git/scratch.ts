import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
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

/** A repository on whose branch `feature` somebody has worked; it is checked out. */
export function makeFeature(): TestRepository {
  return repositoryLike(join(makeFolder(), "shop"), "feature", (repository) => {
    repository.commit("first", { "a.txt": "one\n", "lib/b.txt": "two\n" });
    repository.git("switch", "-q", "-c", "feature");
    repository.commit("work", { "a.txt": "changed\n" });
  });
}

export function repositoryAt(path: string, files: Readonly<Record<string, string>>): TestRepository {
  return repositoryLike(path, JSON.stringify(files), (repository) => void repository.commit("first", files));
}

/** A repository that is made in one way under one name; it may have any history, but no worktrees. */
export function repositoryLike(path: string, name: string, make: (repository: TestRepository) => void): TestRepository {
  copyModel(path, name, (model) => {
    git(model, "init", "-q", "-b", "main");
    make(repositoryIn(model));
  });
  return repositoryIn(path);
}

const models = new Map<string, string>();

/** A repository of one name is made once and copied from then on: starting Git is most of what it costs. */
export function copyModel(path: string, name: string, make: (model: string) => void): void {
  let model = models.get(name);
  if (model === undefined) {
    // It stays until all tests are over and goes with their folder.
    model = mkdtempSync(join(tmpdir(), "crewdeck-model-"));
    make(model);
    models.set(name, model);
  }
  cpSync(model, path, { recursive: true });
  // The copies are files of their own, which Git would otherwise have to read before it knew them again.
  git(path, "update-index", "-q", "--refresh");
}

function repositoryIn(path: string): TestRepository {
  const write = (name: string, content: string | Buffer): void => writeIn(path, name, content);
  return {
    around: dirname(path),
    path,
    git: (...args) => git(path, ...args),
    write,
    commit(message, more = {}) {
      for (const [name, content] of Object.entries(more)) write(name, content);
      git(path, "add", "-A");
      git(path, "commit", "-q", "--allow-empty", "-m", message);
      return headOf(path);
    },
  };
}

/** Right after a commit, when the branch is a file. */
function headOf(path: string): string {
  const head = readFileSync(join(path, ".git", "HEAD"), "utf8").trim();
  return head.startsWith("ref: ") ? readFileSync(join(path, ".git", head.slice(5)), "utf8").trim() : head;
}

export function writeIn(folder: string, name: string, content: string | Buffer): void {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
