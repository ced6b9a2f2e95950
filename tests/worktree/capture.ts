import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { git, gitBytes } from "../git/scratch.ts";

/** Everything about a worktree that a developer would miss. File names and contents are bytes, shown as latin-1. */
export interface Capture {
  readonly head: string;
  readonly branch: string;
  readonly index: string;
  readonly flags: string;
  readonly status: string;
  readonly files: Readonly<Record<string, string>>;
}

export function capture(folder: string): Capture {
  return {
    head: attempt(folder, "rev-parse", "HEAD"),
    branch: attempt(folder, "symbolic-ref", "-q", "HEAD"),
    index: gitBytes(folder, "ls-files", "--stage", "-z").toString("latin1"),
    flags: gitBytes(folder, "ls-files", "-v", "-z").toString("latin1"),
    status: gitBytes(folder, "--no-optional-locks", "status", "--porcelain=v2", "-z", "--untracked-files=all").toString(
      "latin1",
    ),
    files: listFiles(folder),
  };
}

const attempt = (folder: string, ...args: string[]): string => {
  try {
    return git(folder, ...args);
  } catch {
    return "none";
  }
};

/** Files and links below a folder, without git's own link. */
export function listFiles(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (place: Buffer, name: string): void => {
    for (const entry of readdirSync(place, { encoding: "buffer" })) {
      const child = Buffer.concat([place, Buffer.from("/"), entry]);
      const childName = `${name}${entry.toString("latin1")}`;
      if (childName === ".git") continue;
      const stats = lstatSync(child);
      if (stats.isDirectory()) walk(child, `${childName}/`);
      else if (stats.isSymbolicLink()) found[childName] = `link ${readlinkSync(child, { encoding: "latin1" })}`;
      else if (stats.isFile())
        found[childName] = `${(stats.mode & 0o100) === 0 ? "file" : "program"} ${readFileSync(child, "latin1")}`;
    }
  };
  walk(Buffer.from(folder), "");
  return found;
}
