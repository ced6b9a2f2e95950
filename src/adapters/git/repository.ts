import { realpathSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { Refusal } from "../../contract/refusal.ts";
import type { GitArgs } from "./commands.ts";
import { openGit } from "./open.ts";
import type { GitOutput, GitProgram } from "./run.ts";
import type { Entry } from "./settings.ts";

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
  readonly settings?: readonly string[] | undefined;
}

/** A repository that is open for one piece of work. Every path in it is absolute and without links. */
export interface Repository {
  /** Its top folder, or the bare repository itself. */
  readonly path: string;
  /** Where objects, refs and the configuration of all its worktrees are. */
  readonly commonDir: string;
  /** The folders in which worktrees may be put beside it. */
  readonly neighbourhoods: readonly string[];
  /** Runs a command. Nothing that the repository configures has a say in it. */
  readonly git: (args: GitArgs, within?: Within) => Promise<GitOutput>;
  /** What is configured, as data. */
  listEntries(): Promise<Entry[]>;
}

/** Opens exactly the repository at this path, never one that lies around it. */
export async function openRepository(program: GitProgram, path: string, signal?: AbortSignal): Promise<Repository> {
  const place = realPath(path);
  if (place === undefined) throw notThere();
  const opened = openGit(program, signal);
  const found = await opened.find(place);
  if (found === undefined || !standsAt(place, found)) throw notThere();
  const { commonDir } = found;
  const main = basename(commonDir) === ".git" ? dirname(commonDir) : commonDir;
  return {
    path: place,
    commonDir,
    listEntries: () => opened.listEntries({ gitDir: commonDir, commonDir }),
    neighbourhoods: [...new Set([place, main, path].map(neighbourhoodOf))],
    git(args, within = {}) {
      const { gitDir = commonDir, workTree, indexFile, env, ...more } = within;
      return opened.run(
        { gitDir, commonDir },
        {
          args,
          ...more,
          cwd: workTree ?? commonDir,
          env: {
            ...env,
            // The folder that git is started in: exchanged for a link meanwhile, it leads nowhere else.
            ...(workTree === undefined ? {} : { GIT_WORK_TREE: "." }),
            ...(indexFile === undefined ? {} : { GIT_INDEX_FILE: indexFile }),
          },
        },
      );
    },
  };
}

/** Not the inside of `.git`, and not a folder whose configuration puts its working tree elsewhere. */
function standsAt(place: string, found: { gitDir: string; isBare: boolean; workTree: string | undefined }): boolean {
  if (found.isBare) return true;
  return found.workTree === undefined
    ? found.gitDir !== place
    : realPath(resolve(found.gitDir, found.workTree)) === place;
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
