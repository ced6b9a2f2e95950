import { realpathSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Home, homeAt } from "./home.ts";

export const programFile = fileURLToPath(new URL("../../bin/crewdeck.js", import.meta.url));

/** How this very program is called in a shell of this machine, whatever folder one is in. */
export interface ProgramLine {
  readonly command: string;
  /** What goes after the words of a command; empty for the usual home. */
  readonly options: string;
  /** The bridge's words, for clients that want them apart. */
  readonly bridge: readonly string[];
}

/**
 * `crewdeck` where that is this installation, else its path: a name that is not installed would lead a package runner to
 * whatever bears it elsewhere.
 */
export function programLine(home: Home, env: NodeJS.ProcessEnv = process.env, bin = programFile): ProgramLine {
  const { CREWDECK_HOME: _, ...usual } = env;
  const command = isOnPath(bin, env) ? ["crewdeck"] : ["node", bin];
  const options = home.dir === homeAt(undefined, usual).dir ? [] : ["--home", home.dir];
  return {
    command: command.map(quote).join(" "),
    options: options.map(quote).join(" "),
    bridge: [...command, "mcp", ...options],
  };
}

/** A command as it is typed or copied. */
export const callOf = ({ command, options }: ProgramLine, words: string): string =>
  [command, words, options].filter(Boolean).join(" ");

/** Folders that only a package runner puts on the path are not on it in anybody's shell. */
function isOnPath(bin: string, env: NodeJS.ProcessEnv): boolean {
  const own = realOf(bin);
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "" && !isRunners(folder));
  return folders.some((folder) => own !== undefined && realOf(join(folder, "crewdeck")) === own);
}

const isRunners = (folder: string): boolean => /[\\/](node_modules[\\/]\.bin|_npx)([\\/]|$)/.test(resolve(folder));

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** As one word of a shell. */
function quote(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return process.platform === "win32" ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}
