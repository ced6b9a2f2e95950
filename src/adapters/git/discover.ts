import { lstat, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { readLine, readRegular } from "../regular-file.ts";
import { realPath } from "./repository.ts";

/** Where a repository keeps what it is made of. */
export interface GitFolders {
  /** The folder in which git keeps what it notes for this working tree alone. */
  readonly gitDir: string;
  /** Where objects, refs and the configuration of all working trees are. */
  readonly commonDir: string;
}

/** The git folders of a place, found by looking at files alone, as git finds them; undefined where there are none. */
export async function findFolders(place: string): Promise<GitFolders | undefined> {
  const inside = join(place, ".git");
  const kind = await lstat(inside).catch(() => undefined);
  const named = kind?.isFile() ? /^gitdir: (.+)$/.exec((await readLine(inside)) ?? "")?.[1] : undefined;
  return (
    (await foldersAt(named === undefined ? inside : resolve(place, named))) ??
    (kind === undefined ? await foldersAt(place) : undefined)
  );
}

async function foldersAt(path: string): Promise<GitFolders | undefined> {
  const gitDir = realPath(path);
  if (gitDir === undefined || !(await hasHead(gitDir))) return undefined;
  const shared = await readLine(join(gitDir, "commondir"));
  const commonDir = shared === undefined ? gitDir : realPath(resolve(gitDir, shared));
  if (commonDir === undefined) return undefined;
  const isWhole = (await isFolder(join(commonDir, "objects"))) && (await isFolder(join(commonDir, "refs")));
  return isWhole ? { gitDir, commonDir } : undefined;
}

/** Very old repositories have a link for a HEAD. */
async function hasHead(gitDir: string): Promise<boolean> {
  const head = join(gitDir, "HEAD");
  if ((await lstat(head).catch(() => undefined))?.isSymbolicLink()) return true;
  return /^(?:ref:\s*refs\/|[0-9a-f]{40})/.test((await readLine(head)) ?? "");
}

/** Both configurations that git would read there, as bytes. */
export async function readConfigurations({ gitDir, commonDir }: GitFolders): Promise<{ shared: Buffer; own: Buffer }> {
  const read = async (path: string): Promise<Buffer> => (await readRegular(path, largestConfig)) ?? Buffer.alloc(0);
  return { shared: await read(join(commonDir, "config")), own: await read(join(gitDir, "config.worktree")) };
}

const largestConfig = 4 * 1024 * 1024;

/** Git uses no repository of another account, unless the user has called it safe: whoever owns it writes what it says. */
export async function isTrusted(
  place: string,
  { gitDir }: GitFolders,
  listSafe: () => Promise<readonly string[]>,
): Promise<boolean> {
  const paths = [place, join(place, ".git"), gitDir];
  const owners = await Promise.all(paths.map((path) => lstat(path).catch(() => undefined)));
  if (owners.every((stats) => stats === undefined || isOurs(stats.uid))) return true;
  return (await listSafe()).some((safe) => safe === "*" || covers(safe, place));
}

function isOurs(uid: number): boolean {
  const own = process.geteuid?.();
  return own === undefined || uid === own || (own === 0 && String(uid) === process.env["SUDO_UID"]);
}

const covers = (safe: string, place: string): boolean =>
  safe.endsWith("/*") ? place.startsWith(safe.slice(0, -1)) : (realPath(safe) ?? safe) === place;

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true;
