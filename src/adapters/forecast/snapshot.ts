import { lstat, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LeftOutFor } from "../../domain/forecast/port.ts";
import { copyIndexAsIs, plainIndex } from "../git/index-file.ts";
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
  /** Untracked files that are too large to be looked at. */
  readonly skipped: number;
}

/** A folder at one moment. */
export interface Snapshot {
  /** Undefined where nothing has been committed yet. */
  readonly head: string | undefined;
  /** Null where HEAD is detached. */
  readonly branch: string | null;
  readonly state: FolderState | LeftOutFor;
}

interface Status {
  readonly head: string | undefined;
  readonly branch: string | null;
  readonly lines: readonly StatusLine[];
}

interface StatusLine {
  readonly code: string;
  readonly name: RawName;
}

/**
 * A commit of everything a folder holds, committed or not. Index and folder are only read: the index is copied, and what
 * has changed is taken into the copy, with line ends turned as git turns them.
 */
export async function snapshotFolder(repository: Repository, folder: CheckedOut): Promise<Snapshot> {
  const { head, branch, lines } = await readStatus(repository, { gitDir: folder.gitDir, workTree: folder.path });
  if (head === undefined) return { head, branch, state: "unreadable" };
  const state = await readState(repository, folder, { head, lines }).catch(() => "unreadable" as const);
  return { head, branch, state };
}

async function readState(
  repository: Repository,
  { path, gitDir }: CheckedOut,
  { head, lines }: { readonly head: string; readonly lines: readonly StatusLine[] },
): Promise<FolderState | LeftOutFor> {
  const within = { gitDir, workTree: path };
  if (lines.some(({ code }) => isUnmerged(code))) return "unsettled";
  if (lines.length === 0) return { commit: head, dirty: 0, skipped: 0 };
  const listed = await listFiles(path, lines);
  if (listed === undefined) return "too-large";
  const { files, skipped } = listed;
  const scratch = await mkdtemp(join(tmpdir(), "crewdeck-forecast-"));
  try {
    const indexFile = join(scratch, "index");
    if (!(await copyIndexAsIs(within, indexFile))) return "unreadable";
    const inCopy = { ...within, indexFile };
    const opaque = await listOpaque(repository, inCopy, files);
    const read = files.filter((name) => !opaque.has(name));
    const input = bytesOf(read.map((name) => `${name}\0`).join(""));
    await repository.git(
      ["update-index", ...plainIndex, "--add", "--remove", "--ignore-skip-worktree-entries", "-z", "--stdin"],
      {
        ...inCopy,
        input,
      },
    );
    await putStandIns(repository, inCopy, { names: [...opaque], none: "0".repeat(head.length) });
    const { text: tree } = await repository.git(["write-tree"], inCopy);
    const dates = { GIT_AUTHOR_DATE: sometime, GIT_COMMITTER_DATE: sometime };
    const made = await repository.git(["commit-tree", "-m", "as it lies", "-p", head, tree], {
      env: { ...identity, ...dates },
    });
    return { commit: made.text, dirty: lines.length, skipped };
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

/** Head, branch and changes in one call: of many folders, starting git is what costs. */
async function readStatus(repository: Repository, within: InFolder): Promise<Status> {
  const flags = ["--porcelain=v2", "--branch", "--no-ahead-behind", "-z", "--no-renames"];
  const { stdout } = await repository.git(
    ["status", ...flags, "--untracked-files=all", "--ignore-submodules=all"],
    within,
  );
  const words = readNames(stdout);
  const headerOf = (start: string): string | undefined =>
    words.find((word) => word.startsWith(start))?.slice(start.length);
  const [head, branch] = [headerOf("# branch.oid "), headerOf("# branch.head ")];
  return {
    head: head === "(initial)" ? undefined : head,
    branch: branch === undefined || branch === "(detached)" ? null : bytesOf(branch).toString("utf8"),
    lines: words.flatMap(readLine),
  };
}

/** `1 XY sub mH mI mW hH hI PATH`, `u XY sub m1 m2 m3 mW h1 h2 h3 PATH`, `? PATH`; a dot stands for no change. */
function readLine(word: string): StatusLine[] {
  if (word.startsWith("? ")) return [{ code: "??", name: word.slice(2) }];
  const fields = word.startsWith("1 ") ? 8 : word.startsWith("u ") ? 10 : 0;
  if (fields === 0) return [];
  let at = 0;
  for (let field = 0; field < fields; field += 1) at = word.indexOf(" ", at) + 1;
  return [{ code: word.slice(2, 4).replaceAll(".", " "), name: word.slice(at) }];
}

const isUnmerged = (code: string): boolean => /U|AA|DD/.test(code);

/** What the copied index lacks; undefined where there is too much of it. A repository inside is none of our business. */
async function listFiles(
  folder: string,
  lines: readonly StatusLine[],
): Promise<{ readonly files: RawName[]; readonly skipped: number } | undefined> {
  if (lines.length > limits.changedPaths) return undefined;
  const files = lines.filter(({ code, name }) => code.at(1) !== " " && !name.endsWith("/"));
  let bytes = 0;
  let skipped = 0;
  const kept: RawName[] = [];
  for (const { code, name } of files) {
    const stats = await lstat(placeIn(folder, name)).catch(() => undefined);
    if (stats && !stats.isFile() && !stats.isSymbolicLink()) continue;
    const size = stats?.size ?? 0;
    if (code === "??" && size > limits.untrackedFile) {
      skipped += 1;
      continue;
    }
    bytes += size;
    if (bytes > limits.untrackedBytes) return undefined;
    kept.push(name);
  }
  return { files: kept, skipped };
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
