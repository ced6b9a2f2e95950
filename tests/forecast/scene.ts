import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { openForecast } from "../../src/adapters/forecast/forecast.ts";
import type { Outlook } from "../../src/domain/forecast/port.ts";
import { git, makeFolder, makeRepository, type TestRepository, writeIn } from "../git/scratch.ts";

export interface ForecastScene extends TestRepository {
  /** A worktree on a branch of its own, as it would be made for an agent. */
  worktree(name: string, from?: string): string;
  look(): Promise<Outlook>;
  /** What the forecast says of two worktrees, or undefined where they do not meet. */
  verdict(one: string, other: string): Promise<string | undefined>;
}

export function openScene(
  files?: Readonly<Record<string, string>>,
  bounds?: Parameters<typeof openForecast>[1],
): ForecastScene {
  const repository = makeRepository(files);
  const forecast = openForecast(makeFolder(), bounds);
  const look = (): Promise<Outlook> => forecast.look({ folder: repository.path }, new AbortController().signal);
  return {
    ...repository,
    look,
    worktree(name, from = "main") {
      const path = join(repository.around, name);
      repository.git("worktree", "add", "-q", "-b", name, path, from);
      return path;
    },
    async verdict(one, other) {
      const { meetings } = await look();
      return meetings.find(
        ({ between }) =>
          between
            .map((path) => basename(path))
            .sort()
            .join() === [one, other].sort().join(),
      )?.verdict;
    },
  };
}

export function commitIn(folder: string, files: Readonly<Record<string, string>>, message = "work"): void {
  for (const [name, content] of Object.entries(files)) writeIn(folder, name, content);
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", message);
}

/** What git itself cannot merge of two branches, in the folder of the first. */
export function listConflicts(folder: string, one: string, other: string): string[] {
  const args = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", one, other];
  try {
    git(folder, ...args);
    return [];
  } catch (error) {
    const [, ...names] = String((error as { stdout: Buffer }).stdout).split("\0");
    return [...new Set(names.filter((name) => name !== ""))];
  }
}

/** Everything below a folder: names, modes, times and contents. Git calls an object young again that it met; its time is left out. */
export function listAll(folder: string): string[] {
  const walk = (path: string): string[] => {
    const stats = lstatSync(path);
    const time = /objects.[0-9a-f]{2}.[0-9a-f]+$/.test(path) ? "" : stats.mtimeMs;
    const line = `${path} ${stats.mode.toString(8)} ${time} ${stats.size}`;
    if (stats.isDirectory())
      return [
        line,
        ...readdirSync(path)
          .sort()
          .flatMap((name) => walk(join(path, name))),
      ];
    const content = stats.isSymbolicLink() ? readlinkSync(path) : readFileSync(path);
    return [`${line} ${createHash("sha256").update(content).digest("hex")}`];
  };
  return walk(folder);
}

/** A file of numbered lines, some of them replaced. */
export const lines = (changes: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: 60 }, (_, at) => `${changes[at + 1] ?? `line ${at + 1}`}\n`).join("");
