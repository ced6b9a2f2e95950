import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readlink, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { FolderChanges, FolderSnapshot } from "../../domain/port.ts";
import { parts, readGit, withoutFilters } from "./read-git.ts";

/** The top folder of the repository a folder lies in, or undefined where there is none. */
export async function topOf(folder: string, signal: AbortSignal): Promise<string | undefined> {
  const { code, stdout } = await readGit(folder, ["rev-parse", "--show-toplevel"], { signal });
  return code === 0 ? realpath(stdout.replace(/\n$/, "")) : undefined;
}

export async function snapshotGit(root: string, signal: AbortSignal): Promise<FolderSnapshot> {
  const head = await headOf(root, signal);
  const dirty = await listDirty(root, signal);
  const files = await hashAll(root, dirty, signal);
  return { type: "git", id: head ?? "unborn", root, head, files };
}

async function headOf(root: string, signal: AbortSignal): Promise<string | null> {
  const { code, stdout } = await readGit(root, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], { signal });
  return code === 0 ? stdout.trim() : null;
}

/** Every path that differs from the commit: staged, unstaged or untracked. */
async function listDirty(root: string, signal: AbortSignal): Promise<string[]> {
  const env = await withoutFilters(root, signal);
  const args = ["status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=dirty"];
  const { stdout } = await readGit(root, args, { signal, env });
  return parts(stdout).map((entry) => entry.slice(3));
}

/**
 * What changed since a snapshot (M1). The candidates are everything committed since, staged, unstaged or untracked; of
 * these only what really differs from how it was at the start counts, so what was dirty before and is untouched does
 * not, and neither does what was changed and changed back.
 */
export async function compareGit(snapshot: FolderSnapshot, signal: AbortSignal): Promise<FolderChanges> {
  const { root } = snapshot;
  const warnings: string[] = [];
  const head = await headOf(root, signal);
  const base = await findBase(snapshot, head, warnings, signal);
  const dirty = await listDirty(root, signal);
  const committed = await listCommitted(root, base, head, signal);
  const candidates = [...new Set([...committed, ...dirty, ...Object.keys(snapshot.files)])].sort();
  const now = await hashAll(root, candidates, signal);
  const atStart = await hashesAtStart(snapshot, base, candidates, signal);
  const changed = candidates.filter((path) => (atStart[path] ?? null) !== (now[path] ?? null));
  const was = (path: string): boolean => (atStart[path] ?? null) !== null;
  const is = (path: string): boolean => (now[path] ?? null) !== null;
  return {
    added: changed.filter((path) => !was(path) && is(path)),
    modified: changed.filter((path) => was(path) && is(path)),
    deleted: changed.filter((path) => was(path) && !is(path)),
    warnings,
    end: { head, digest: digest(dirty.map((path) => [path, now[path] ?? null])) },
    hashes: Object.fromEntries(changed.map((path) => [path, now[path] ?? null])),
  };
}

/** The commit to compare with: the one at the start, or where it is gone the last one shared with the main line. */
async function findBase(
  { root, head: start }: FolderSnapshot,
  head: string | null,
  warnings: string[],
  signal: AbortSignal,
): Promise<string | null> {
  if (start === null || head === null) return start;
  const { code } = await readGit(root, ["cat-file", "-e", `${start}^{commit}`], { signal });
  if (code === 0) return start;
  for (const line of ["@{upstream}", "refs/remotes/origin/HEAD", "refs/heads/main", "refs/heads/master"]) {
    const { code: found, stdout } = await readGit(root, ["merge-base", head, line], { signal });
    const shared = stdout.trim();
    if (found !== 0 || shared === head) continue;
    warnings.push("The commit the task started from is gone; compared with the merge base instead.");
    return shared;
  }
  warnings.push("The commit the task started from is gone; only uncommitted changes are known.");
  return head;
}

async function listCommitted(
  root: string,
  base: string | null,
  head: string | null,
  signal: AbortSignal,
): Promise<string[]> {
  if (head === null || base === head) return [];
  const args =
    base === null
      ? ["ls-tree", "-r", "-z", "--name-only", head]
      : ["diff-tree", "-r", "-z", "--no-renames", "--name-only", "--no-ext-diff", base, head];
  return parts((await readGit(root, args, { signal })).stdout);
}

/** What each path held at the start: as it lay in the folder if it was dirty then, else as committed. */
async function hashesAtStart(
  snapshot: FolderSnapshot,
  base: string | null,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Record<string, string | null>> {
  const clean = paths.filter((path) => !Object.hasOwn(snapshot.files, path));
  const committed = base === null ? {} : await committedHashes(snapshot.root, base, clean, signal);
  return { ...committed, ...snapshot.files };
}

const pathsAtOnce = 500;

async function committedHashes(
  root: string,
  commit: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Record<string, string | null>> {
  const hashes: Record<string, string | null> = {};
  for (let at = 0; at < paths.length; at += pathsAtOnce) {
    const some = paths.slice(at, at + pathsAtOnce);
    const args = ["ls-tree", "-r", "-z", commit, "--", ...some];
    for (const line of parts((await readGit(root, args, { signal })).stdout)) {
      const [, mode, , hash, path] = /^(\d+) (\w+) ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
      if (path !== undefined) hashes[path] = `${modeClass(mode ?? "")}:${hash}`;
    }
  }
  return hashes;
}

const modeClass = (mode: string): string =>
  mode === "100755" ? "x" : mode === "120000" ? "l" : mode === "160000" ? "s" : "f";

/** Content and kind of what lies at each path now, as git would name it; null where nothing does. */
async function hashAll(
  root: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Record<string, string | null>> {
  const hashes: Record<string, string | null> = {};
  for (const path of paths) {
    signal.throwIfAborted();
    hashes[path] = await hashFile(join(root, path));
  }
  return hashes;
}

async function hashFile(path: string): Promise<string | null> {
  try {
    const info = await lstat(path);
    if (info.isSymbolicLink()) {
      const target = Buffer.from(await readlink(path));
      return `l:${blobHash(target.length).update(target).digest("hex")}`;
    }
    if (!info.isFile()) return info.isDirectory() ? `s:${info.ino}` : null;
    const hash = blobHash(info.size);
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
    return `${(info.mode & 0o100) === 0 ? "f" : "x"}:${hash.digest("hex")}`;
  } catch {
    return null;
  }
}

const blobHash = (size: number) => createHash("sha1").update(`blob ${size}\0`);

const digest = (entries: readonly (readonly [string, string | null])[]): string =>
  createHash("sha256").update(JSON.stringify(entries)).digest("hex");
