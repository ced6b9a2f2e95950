import type { GitCommand, GitOutput } from "./run.ts";

export interface Silenced {
  readonly names: string[];
  /** Settings, as variables, that take the command out of every configured filter. */
  readonly settings: Readonly<Record<string, string>>;
}

const filterKey = /^filter\.(.*)\.(?:clean|smudge|process|required)$/is;

/**
 * Filters run commands of the repository's choice whenever git compares or writes a file, and no option turns them all
 * off. So each that is configured is set to nothing. As variables, because a name may hold what `-c` would split at.
 */
export async function silenceFilters(
  run: (command: Omit<GitCommand, "signal">) => Promise<GitOutput>,
  gitDir: string,
): Promise<Silenced> {
  const { stdout } = await run({
    args: ["config", "--list", "--includes", "--name-only", "-z"],
    cwd: gitDir,
    env: { GIT_DIR: gitDir },
  });
  const keys = stdout.toString("utf8").split("\0");
  const names = [...new Set(keys.flatMap((key) => filterKey.exec(key)?.[1] ?? []))].sort();
  const settings = names.flatMap((name) => [
    [`filter.${name}.clean`, ""],
    [`filter.${name}.smudge`, ""],
    [`filter.${name}.process`, ""],
    [`filter.${name}.required`, "false"],
  ]);
  return { names, settings: asVariables(settings) };
}

function asVariables(settings: readonly (readonly string[])[]): Record<string, string> {
  const pairs = settings.flatMap(([key = "", value = ""], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return Object.fromEntries([["GIT_CONFIG_COUNT", String(settings.length)], ...pairs]);
}
