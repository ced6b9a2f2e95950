import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, lstatSync } from "node:fs";
import { join } from "node:path";

/** How a working copy is: names, hashes and dates, and nothing of what is in a file. */
export interface Survey {
  readonly root: string;
  readonly branch: string | undefined;
  readonly head: string | undefined;
  readonly dirty: readonly string[];
  readonly unpushed: readonly string[];
  readonly hashes: Readonly<Record<string, string>>;
  readonly commits: readonly { sha: string; subject: string; at: string }[];
}

const mostFiles = 2_000;
const mostHashed = 200;
const largestHashed = 4 * 1024 * 1024;
const mostCommits = 20;

/** Working copies of a repository, the main one first; a folder that is gone has none. */
export async function listWorktrees(repository: string): Promise<string[]> {
  const text = await git(repository, ["worktree", "list", "--porcelain", "-z"]);
  return (text ?? "")
    .split("\0\0")
    .map((block) => block.split("\0"))
    .filter((lines) => !lines.includes("bare") && !lines.some((line) => line.startsWith("prunable")))
    .flatMap(([first = ""]) => (first.startsWith("worktree ") ? [first.slice("worktree ".length)] : []));
}

/** Undefined where git does not answer: no repository, or none of ours. */
export async function surveyCopy(root: string): Promise<Survey | undefined> {
  const status = await git(root, [
    "status",
    "--porcelain=v2",
    "--branch",
    "-z",
    "--untracked-files=all",
    "--no-renames",
  ]);
  if (status === undefined) return undefined;
  const lines = status.split("\0");
  const head = headerOf(lines, "# branch.oid ");
  const branch = headerOf(lines, "# branch.head ");
  const dirty = lines.flatMap(pathOf).slice(0, mostFiles);
  const isBorn = head !== undefined && head !== "(initial)";
  const base = isBorn ? await findBase(root, headerOf(lines, "# branch.upstream ")) : undefined;
  const unpushed =
    base === undefined ? undefined : await git(root, ["diff", "--name-only", "-z", "--no-renames", `${base}...HEAD`]);
  const log = isBorn ? await git(root, ["log", `-${mostCommits}`, "-z", "--format=%H%x1f%s%x1f%cI"]) : undefined;
  return {
    root,
    branch: branch === "(detached)" ? undefined : branch,
    head: isBorn ? head : undefined,
    dirty,
    unpushed: (unpushed ?? "").split("\0").filter(Boolean).slice(0, mostFiles),
    hashes: await hashFiles(root, dirty.slice(0, mostHashed)),
    commits: (log ?? "").split("\0").flatMap((line) => {
      const [sha = "", subject = "", at = ""] = line.split("\u001f");
      return sha === "" ? [] : [{ sha, subject: subject.slice(0, 300), at }];
    }),
  };
}

const headerOf = (lines: readonly string[], start: string): string | undefined =>
  lines.find((line) => line.startsWith(start))?.slice(start.length);

/** `1 XY sub mH mI mW hH hI PATH`, `u … PATH`, `? PATH`. */
function pathOf(line: string): string[] {
  if (line.startsWith("? ")) return [line.slice(2)];
  const fields = line.startsWith("1 ") ? 8 : line.startsWith("u ") ? 10 : 0;
  return fields === 0 ? [] : [line.split(" ").slice(fields).join(" ")];
}

/** What others have: the branch's own place elsewhere, else the main branch there. */
async function findBase(root: string, upstream: string | undefined): Promise<string | undefined> {
  for (const name of [upstream, "origin/HEAD", "origin/main", "origin/master"]) {
    if (name === undefined) continue;
    const found = await git(root, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`]);
    if (found !== undefined && found.trim() !== "") return found.trim();
  }
  return undefined;
}

async function hashFiles(root: string, files: readonly string[]): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const file of files) {
    const path = join(root, file);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats?.isFile() || stats.size > largestHashed) continue;
    const hash = createHash("sha256");
    try {
      for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
      hashes[file] = hash.digest("hex");
    } catch {
      // It went away meanwhile.
    }
  }
  return hashes;
}

/** Reads only, takes no lock that an agent's own git would wait for, and runs no program that a repository names. */
function git(cwd: string, args: readonly string[]): Promise<string | undefined> {
  const safe = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "diff.external=", "--no-pager"];
  const options = {
    cwd,
    timeout: 20_000,
    maxBuffer: 16 * 1024 * 1024,
    env: { ...process.env, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" },
  };
  return new Promise((resolve) => {
    execFile("git", [...safe, ...args], options, (error, stdout) => resolve(error === null ? stdout : undefined));
  });
}
