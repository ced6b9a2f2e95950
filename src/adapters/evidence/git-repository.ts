import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Refusal } from "../../contract/refusal.ts";
import type { GitArgs } from "../git/commands.ts";
import { openGit } from "../git/open.ts";
import { type GitOutput, installedGit } from "../git/run.ts";

/** A working tree that is looked at, and never written to. */
export interface LookedAt {
  /** The folder that holds `.git`, whatever the repository's configuration says its working tree is. */
  readonly root: string;
  readonly gitDir: string;
  /** What all working trees of the repository share. */
  readonly commonDir: string;
  readonly algorithm: "sha1" | "sha256";
  /** Runs a command that must succeed, or end with one of `answers`. */
  run(args: GitArgs, answers?: readonly number[], input?: string): Promise<GitOutput>;
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
  const opened = openGit(installedGit, signal);
  const found = await orGone(opened.find(root));
  if (found === undefined) return undefined;
  const { gitDir, commonDir, algorithm } = found;
  const folders = { gitDir, commonDir };
  const env = { GIT_WORK_TREE: "." };
  return {
    root,
    gitDir,
    commonDir,
    algorithm,
    run: (args, answers, input) => orGone(opened.run(folders, { args, cwd: root, env, answers, input })),
  };
}

/** The commit checked out in a folder that is a repository itself: empty for one without commits, null for no repository. */
export async function findCommitIn(folder: string, signal: AbortSignal): Promise<string | null> {
  if (!existsSync(join(folder, ".git"))) return null;
  const repository = await openAt(folder, signal);
  if (repository === undefined) return "";
  const { code, text } = await repository.run(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], [1, 128]);
  return code === 0 ? text : "";
}

/** What vanishes under a command is told as one kind of failure, whichever step met it. */
async function orGone<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
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
