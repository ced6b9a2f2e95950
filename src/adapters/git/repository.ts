import { realpathSync } from "node:fs";
import { basename, dirname } from "node:path";
import { Refusal } from "../../contract/refusal.ts";
import { type OpenedGit, onlyHere, openGit } from "./open.ts";
import type { GitOutput, GitProgram } from "./run.ts";

/** What a command needs beside its arguments. Without a worktree it works on the repository as a whole. */
export interface Within {
  /** The folder in which git keeps what it notes for this worktree alone. */
  readonly gitDir?: string | undefined;
  readonly workTree?: string | undefined;
  readonly indexFile?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly input?: string | Buffer | undefined;
  readonly outputTo?: number | undefined;
  readonly answers?: readonly number[] | undefined;
}

/** A repository that is open for one piece of work. Every path in it is absolute and without links. */
export interface Repository {
  /** Its top folder, or the bare repository itself. */
  readonly path: string;
  /** Where objects, refs and the configuration of all its worktrees are. */
  readonly commonDir: string;
  /** The folders in which worktrees may be put beside it. */
  readonly neighbourhoods: readonly string[];
  readonly git: (args: readonly string[], within?: Within) => Promise<GitOutput>;
  /** Filters that the configuration asks for and that we never run. */
  listSkippedFilters(): Promise<string[]>;
}

/** Opens exactly the repository at this path, never one that lies around it. */
export async function openRepository(program: GitProgram, path: string, signal?: AbortSignal): Promise<Repository> {
  const place = realPath(path);
  if (place === undefined) throw notThere();
  const opened = openGit(program, signal);
  const commonDir = await findCommonDir(opened, place);
  const main = basename(commonDir) === ".git" ? dirname(commonDir) : commonDir;
  return {
    path: place,
    commonDir,
    neighbourhoods: [...new Set([place, main, path].map(neighbourhoodOf))],
    git(args, within = {}) {
      const { gitDir = commonDir, workTree, indexFile, env, ...more } = within;
      return opened.run(gitDir, {
        args,
        ...more,
        cwd: workTree ?? commonDir,
        env: {
          ...env,
          ...(workTree === undefined ? {} : { GIT_WORK_TREE: workTree }),
          ...(indexFile === undefined ? {} : { GIT_INDEX_FILE: indexFile }),
        },
      });
    },
    listSkippedFilters: () => opened.listSkippedFilters(commonDir),
  };
}

async function findCommonDir(opened: OpenedGit, place: string): Promise<string> {
  const found = await opened.find(place);
  const commonDir = found && realPath(found.commonDir);
  if (found === undefined || commonDir === undefined) throw notThere();
  if (found.isBare) return commonDir;
  // Discovery may have begun inside of `.git`; what we want is the folder that holds it.
  const args = ["rev-parse", "--show-toplevel"];
  const { code, text } = await opened.ask({ args, cwd: place, env: onlyHere(place), answers: [128] });
  if (code !== 0 || realPath(text) !== place) throw notThere();
  return commonDir;
}

/** The folder around a repository. In a disk's root that would be everything, so there it is the folder of its own. */
export function neighbourhoodOf(path: string): string {
  const parent = realPath(dirname(path)) ?? dirname(path);
  return dirname(parent) === parent ? `${path}-worktrees` : parent;
}

export function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

const notThere = (): Refusal =>
  new Refusal("REPOSITORY_NOT_FOUND", "There is no git repository at that path.", "Pass the repository's top folder.");
