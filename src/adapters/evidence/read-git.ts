import { silenceFilters } from "../git/filters.ts";
import { type GitCommand, installedGit, runGit } from "../git/run.ts";

export interface Looked {
  readonly code: number;
  readonly stdout: string;
}

/** What git says with these means that there is nothing there, not that it failed. */
const answers = [1, 128, 129];

/** Runs a reading git command in a folder; a non-zero exit is answered, not thrown. */
export async function readGit(
  folder: string,
  args: readonly string[],
  options: { signal: AbortSignal; env?: Readonly<Record<string, string>> },
): Promise<Looked> {
  const { code, stdout } = await runGit(installedGit, {
    args,
    cwd: folder,
    answers,
    signal: options.signal,
    env: { GIT_OPTIONAL_LOCKS: "0", ...options.env },
  });
  return { code, stdout: stdout.toString("utf8") };
}

/** Settings with which a look at the working tree runs no filter of the repository's choosing. */
export async function withoutFilters(root: string, signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
  const { stdout } = await readGit(root, ["rev-parse", "--absolute-git-dir"], { signal });
  const run = (command: Omit<GitCommand, "signal">) => runGit(installedGit, { ...command, signal });
  return (await silenceFilters(run, stdout.replace(/\n$/, ""))).settings;
}

/** Splits NUL-separated output. */
export const parts = (text: string): string[] => text.split("\0").filter((part) => part !== "");
