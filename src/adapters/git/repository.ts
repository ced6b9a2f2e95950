import { realpathSync } from "node:fs";
import { basename, dirname } from "node:path";
import { Refusal } from "../../contract/refusal.ts";
import { silenceFilters } from "./filters.ts";
import { type GitCommand, type GitOutput, type GitProgram, runGit } from "./run.ts";

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
  const commonDir = await findCommonDir(program, place, signal);
  const silencers = new Map<string, ReturnType<typeof silenceFilters>>();
  const run = (command: Omit<GitCommand, "signal">): Promise<GitOutput> => runGit(program, { ...command, signal });
  const silence = (gitDir: string): ReturnType<typeof silenceFilters> => {
    const known = silencers.get(gitDir) ?? silenceFilters(run, gitDir);
    silencers.set(gitDir, known);
    return known;
  };
  const main = basename(commonDir) === ".git" ? dirname(commonDir) : commonDir;
  return {
    path: place,
    commonDir,
    neighbourhoods: [...new Set([place, main, path].map(neighbourhoodOf))],
    async git(args, within = {}) {
      const { gitDir = commonDir, workTree, indexFile, env, ...more } = within;
      const { settings } = await silence(gitDir);
      return run({
        args,
        ...more,
        cwd: workTree ?? commonDir,
        env: {
          ...settings,
          ...env,
          GIT_DIR: gitDir,
          ...(workTree === undefined ? {} : { GIT_WORK_TREE: workTree }),
          ...(indexFile === undefined ? {} : { GIT_INDEX_FILE: indexFile }),
        },
      });
    },
    listSkippedFilters: async () => (await silence(commonDir)).names,
  };
}

async function findCommonDir(program: GitProgram, place: string, signal: AbortSignal | undefined): Promise<string> {
  const args = ["rev-parse", "--path-format=absolute", "--is-bare-repository", "--git-common-dir"];
  const env = { GIT_CEILING_DIRECTORIES: dirname(place) };
  const { text, code } = await runGit(program, { args, cwd: place, env, signal, answers: [128] });
  const [isBare, commonDir] = text.split("\n");
  if (code !== 0 || commonDir === undefined) throw notThere();
  const real = realPath(commonDir);
  if (real === undefined) throw notThere();
  if (isBare === "true") return real;
  // Discovery may have begun inside of `.git`; what we want is the folder that holds it.
  const top = await runGit(program, {
    args: ["rev-parse", "--show-toplevel"],
    cwd: place,
    env,
    signal,
    answers: [128],
  });
  if (top.code !== 0 || realPath(top.text) !== place) throw notThere();
  return real;
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
