import { lstat, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LeftOutFor } from "../../domain/forecast/port.ts";
import { copyIndex } from "../git/index-file.ts";
import { identity } from "../git/merged.ts";
import { bytesOf, placeIn, type RawName, readNames } from "../git/names.ts";
import type { Repository } from "../git/repository.ts";
import { limits } from "./limits.ts";

/** A folder in which the repository is checked out. */
export interface CheckedOut {
  readonly path: string;
  readonly gitDir: string;
}

/** What a folder would commit if all of it were committed now. */
interface FolderState {
  readonly commit: string;
  readonly dirty: number;
}

interface StatusLine {
  readonly code: string;
  readonly name: RawName;
}

/**
 * A commit of everything a folder holds, committed or not. Index and folder are only read: the index is copied, and what
 * has changed is taken into the copy, with line ends turned as git turns them.
 */
export async function snapshotFolder(
  repository: Repository,
  { path, gitDir }: CheckedOut,
  head: string,
): Promise<FolderState | LeftOutFor> {
  const within = { gitDir, workTree: path };
  const lines = await readStatus(repository, within);
  if (lines.some(({ code }) => isUnmerged(code))) return "unsettled";
  if (lines.length === 0) return { commit: head, dirty: 0 };
  const files = await listFiles(path, lines);
  if (files === undefined) return "too-large";
  const scratch = await mkdtemp(join(tmpdir(), "crewdeck-forecast-"));
  try {
    const indexFile = join(scratch, "index");
    if (!(await copyIndex(repository, within, indexFile))) return "unreadable";
    const inCopy = { ...within, indexFile };
    const opaque = await listOpaque(repository, inCopy, files);
    const read = files.filter((name) => !opaque.has(name));
    const input = bytesOf(read.map((name) => `${name}\0`).join(""));
    await repository.git(["update-index", "--add", "--remove", "--ignore-skip-worktree-entries", "-z", "--stdin"], {
      ...inCopy,
      input,
    });
    await putStandIns(repository, inCopy, { names: [...opaque], none: "0".repeat(head.length) });
    const { text: tree } = await repository.git(["write-tree"], inCopy);
    const dates = { GIT_AUTHOR_DATE: sometime, GIT_COMMITTER_DATE: sometime };
    const made = await repository.git(["commit-tree", "-m", "as it lies", "-p", head, tree], {
      env: { ...identity, ...dates },
    });
    return { commit: made.text, dirty: lines.length };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The same content is the same commit, whenever it is looked at. */
export const sometime = "1000000000 +0000";

interface InFolder {
  readonly gitDir: string;
  readonly workTree: string;
  readonly indexFile?: string;
}

async function readStatus(repository: Repository, within: InFolder): Promise<StatusLine[]> {
  const flags = ["--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=all"];
  const { stdout } = await repository.git(["status", ...flags], within);
  return readNames(stdout).map((line) => ({ code: line.slice(0, 2), name: line.slice(3) }));
}

const isUnmerged = (code: string): boolean => /U|AA|DD/.test(code);

/** What the copied index lacks; undefined where there is too much of it. A repository inside is none of our business. */
async function listFiles(folder: string, lines: readonly StatusLine[]): Promise<RawName[] | undefined> {
  if (lines.length > limits.changedPaths) return undefined;
  const files = lines.filter(({ code, name }) => code.at(1) !== " " && !name.endsWith("/"));
  let bytes = 0;
  const kept: RawName[] = [];
  for (const { code, name } of files) {
    const stats = await lstat(placeIn(folder, name)).catch(() => undefined);
    if (stats && !stats.isFile() && !stats.isSymbolicLink()) continue;
    const size = stats?.size ?? 0;
    if (code === "??" && size > limits.untrackedFile) continue;
    bytes += size;
    if (bytes > limits.untrackedBytes) return undefined;
    kept.push(name);
  }
  return kept;
}

/** Files that a program turns into something else before git keeps them: without it their content says nothing. */
async function listOpaque(
  repository: Repository,
  within: InFolder,
  names: readonly RawName[],
): Promise<ReadonlySet<RawName>> {
  if (names.length === 0) return new Set();
  const input = bytesOf(names.map((name) => `${name}\0`).join(""));
  const { stdout } = await repository.git(["check-attr", "-z", "--stdin", "filter"], { ...within, input });
  const words = readNames(stdout);
  const opaque = new Set<RawName>();
  for (let at = 0; at + 2 < words.length; at += 3) {
    const [name = "", , value = ""] = words.slice(at, at + 3);
    if (!["unspecified", "unset", ""].includes(value)) opaque.add(name);
  }
  return opaque;
}

/** In place of such a file stands when and how large it was written: changed on two sides, it cannot be merged. */
async function putStandIns(
  repository: Repository,
  within: InFolder,
  { names, none }: { readonly names: readonly RawName[]; readonly none: string },
): Promise<void> {
  const entries: string[] = [];
  for (const name of names) {
    const stats = await lstat(placeIn(within.workTree, name)).catch(() => undefined);
    if (!stats) {
      entries.push(`0 ${none}\t${name}\0`);
      continue;
    }
    const input = `${stats.size} bytes at ${stats.mtimeMs}\n`;
    const { text } = await repository.git(["hash-object", "-w", "--stdin"], { input });
    entries.push(`100644 ${text}\t${name}\0`);
  }
  if (entries.length === 0) return;
  await repository.git(["update-index", "-z", "--index-info"], { ...within, input: bytesOf(entries.join("")) });
}
