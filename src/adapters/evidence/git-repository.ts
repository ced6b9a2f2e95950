import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Refusal } from "../../contract/refusal.ts";
import { silenceFilters } from "../git/filters.ts";
import { type GitCommand, type GitOutput, installedGit, runGit } from "../git/run.ts";

/** A working tree that is looked at, and never written to. */
export interface LookedAt {
  /** The folder that holds `.git`, whatever the repository's configuration says its working tree is. */
  readonly root: string;
  readonly gitDir: string;
  readonly algorithm: "sha1" | "sha256";
  /** Runs a command that must succeed, or end with one of `answers`. */
  run(args: readonly string[], answers?: readonly number[], input?: string): Promise<GitOutput>;
}

/** The repository a folder lies in, or undefined where there is none that git would use. */
export async function findRepository(folder: string, signal: AbortSignal): Promise<LookedAt | undefined> {
  for (let at = await realpath(folder).catch(() => undefined); at !== undefined; at = parentOf(at)) {
    const found = existsSync(join(at, ".git")) ? await openAt(at, signal) : undefined;
    if (found) return found;
  }
  return undefined;
}

const parentOf = (folder: string): string | undefined => (dirname(folder) === folder ? undefined : dirname(folder));

async function openAt(root: string, signal: AbortSignal): Promise<LookedAt | undefined> {
  const args = ["rev-parse", "--absolute-git-dir", "--show-object-format"];
  const env = { GIT_CEILING_DIRECTORIES: dirname(root) };
  const { code, text } = await run({ args, cwd: root, env, signal, answers: [128] });
  const [gitDir, format] = text.split("\n");
  if (code !== 0 || gitDir === undefined) return undefined;
  const { settings } = await silenceFilters((command) => run({ ...command, signal }), gitDir);
  const within = { ...settings, GIT_DIR: gitDir, GIT_WORK_TREE: root };
  return {
    root,
    gitDir,
    algorithm: format === "sha256" ? "sha256" : "sha1",
    run: (args, answers, input) => run({ args, cwd: root, env: within, signal, answers, input }),
  };
}

/** The commit checked out in a folder that is a repository itself: empty for one without commits, null for no repository. */
export async function findCommitIn(folder: string, signal: AbortSignal): Promise<string | null> {
  if (!existsSync(join(folder, ".git"))) return null;
  const args = ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"];
  const env = { GIT_CEILING_DIRECTORIES: dirname(folder) };
  const { code, text } = await run({ args, cwd: folder, env, signal, answers: [1, 128] });
  return code === 0 ? text : "";
}

/** What vanishes under a command is told as one kind of failure, whichever step met it. */
async function run(command: GitCommand): Promise<GitOutput> {
  try {
    return await runGit(installedGit, command);
  } catch (error) {
    throw error instanceof Refusal && error.code === "REPOSITORY_NOT_FOUND" ? gone() : error;
  }
}

export const gone = (): Refusal =>
  new Refusal(
    "GIT_ERROR",
    "The repository folder does not exist on this machine.",
    "Pass repository_path, the absolute path of the repository.",
  );
