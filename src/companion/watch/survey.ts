import { createHash } from "node:crypto";
import { join } from "node:path";
import type { GitArgs } from "../../adapters/git/commands.ts";
import { openGit } from "../../adapters/git/open.ts";
import { realPath } from "../../adapters/git/repository.ts";
import { type GitProgram, installedGit } from "../../adapters/git/run.ts";
import { openRegular } from "../../adapters/regular-file.ts";

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

/** What a look takes in is small; a repository that answers with more is none to be watched. */
const git: GitProgram = { ...installedGit, mostBytes: 16 * 1024 * 1024 };

/** Asks git and answers what it said; undefined where it failed. */
type Ask = (...args: GitArgs) => Promise<string | undefined>;

/** Working copies of a repository, the main one first; a folder that is gone has none. */
export async function listWorktrees(repository: string): Promise<string[]> {
  const place = realPath(repository);
  if (place === undefined) return [];
  const opened = openGit(git);
  const found = await opened.find(place);
  if (found === undefined) return [];
  const own = found.isBare ? [] : [place];
  return [...new Set([...(await opened.listWorktrees(found)), ...own])];
}

/** Undefined where git does not answer: no repository, or none of ours. */
export async function surveyCopy(root: string): Promise<Survey | undefined> {
  const ask = await openCopy(root);
  const status = await ask?.("status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--no-renames");
  if (ask === undefined || status === undefined) return undefined;
  const lines = status.split("\0");
  const head = headerOf(lines, "# branch.oid ");
  const branch = headerOf(lines, "# branch.head ");
  const dirty = lines.flatMap(pathOf).slice(0, mostFiles);
  const isBorn = head !== undefined && head !== "(initial)";
  const log = isBorn ? await ask("log", `-${mostCommits}`, "-z", "--format=%H%x1f%s%x1f%cI") : undefined;
  return {
    root,
    branch: branch === "(detached)" ? undefined : branch,
    head: isBorn ? head : undefined,
    dirty,
    unpushed: isBorn ? await listUnpushed(ask, head, headerOf(lines, "# branch.upstream ")) : [],
    hashes: await hashFiles(root, dirty.slice(0, mostHashed)),
    commits: (log ?? "").split("\0").flatMap((line) => {
      const [sha = "", subject = "", at = ""] = line.split("\u001f");
      return sha === "" ? [] : [{ sha, subject: subject.slice(0, 300), at }];
    }),
  };
}

/** Reads only, and heeds nothing that the repository configures: it is watched all day, whoever has written to it. */
async function openCopy(root: string): Promise<Ask | undefined> {
  const opened = openGit(git);
  const found = await opened.find(root);
  if (found === undefined || found.isBare) return undefined;
  return async (...args) => {
    try {
      const { code, text } = await opened.run(found, { args, cwd: root, env: { GIT_WORK_TREE: "." }, answers: [1] });
      return code === 0 ? text : undefined;
    } catch {
      return undefined;
    }
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

/** What the branch has changed since it left what others have. */
async function listUnpushed(ask: Ask, head: string, upstream: string | undefined): Promise<string[]> {
  const base = await findBase(ask, upstream);
  const fork = base === undefined ? undefined : await ask("merge-base", base, head);
  if (fork === undefined) return [];
  const names = await ask("diff-tree", "-r", "-z", "--name-only", "--no-renames", "--no-ext-diff", fork, head);
  return (names ?? "").split("\0").filter(Boolean).slice(0, mostFiles);
}

/** What others have: the branch's own place elsewhere, else the main branch there. */
async function findBase(ask: Ask, upstream: string | undefined): Promise<string | undefined> {
  for (const name of [upstream, "origin/HEAD", "origin/main", "origin/master"]) {
    if (name === undefined) continue;
    const found = await ask("rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`);
    if (found !== undefined && found !== "") return found;
  }
  return undefined;
}

async function hashFiles(root: string, files: readonly string[]): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const name of files) {
    const opened = await openRegular(join(root, name));
    if (opened === undefined) continue;
    const { file, size } = opened;
    try {
      if (size > largestHashed) continue;
      const hash = createHash("sha256");
      for await (const chunk of file.createReadStream({ autoClose: false })) hash.update(chunk as Buffer);
      hashes[name] = hash.digest("hex");
    } catch {
      // It went away meanwhile.
    } finally {
      await file.close();
    }
  }
  return hashes;
}
