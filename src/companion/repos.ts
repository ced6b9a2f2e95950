import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { readJsonFile, writeJsonFile } from "./files.ts";
import { type Companion, inboxOf } from "./places.ts";
import type { Copy } from "./repository.ts";

/** A repository that agents of this machine work in. */
interface KnownRepo {
  readonly path: string;
  /** The server its agents use, where it is not this machine's own. */
  readonly base_url?: string;
  readonly registered_at?: string;
}

const mostRepos = 200;

/** Whatever else is in the file, or however it was written: a list of paths, or of records with a path. */
export function listRepos({ reposFile }: Companion): KnownRepo[] {
  const value = readJsonFile(reposFile);
  const list = Array.isArray(value) ? value : (value as { repos?: unknown } | null)?.repos;
  if (!Array.isArray(list)) return [];
  return list.flatMap((one: unknown): KnownRepo[] => {
    if (typeof one === "string") return [{ path: one }];
    const { path, base_url, registered_at } = (one ?? {}) as Record<string, unknown>;
    if (typeof path !== "string") return [];
    return [
      {
        path,
        ...(typeof base_url === "string" && URL.canParse(base_url) ? { base_url: new URL(base_url).origin } : {}),
        ...(typeof registered_at === "string" ? { registered_at } : {}),
      },
    ];
  });
}

const findRepo = (companion: Companion, path: string): KnownRepo | undefined =>
  listRepos(companion).find((repo) => repo.path === path);

/** A working copy is registered by itself or by its main checkout. */
export const findRepoOf = (companion: Companion, { main, root }: Copy): KnownRepo | undefined =>
  findRepo(companion, main) ?? findRepo(companion, root);

/** Hooks of an account act only where somebody, perhaps of another account, has run setup. */
export const isSetUp = (companion: Companion, repository: Copy): boolean =>
  findRepoOf(companion, repository) !== undefined || existsSync(dirname(inboxOf(repository.root)));

/** Adds a repository or says anew where its server is; a full list keeps the newest. */
export function registerRepo(companion: Companion, repo: KnownRepo, time = new Date()): void {
  const known = listRepos(companion);
  const before = known.find(({ path }) => path === repo.path);
  if (before !== undefined && before.base_url === repo.base_url) return;
  const entry = { ...repo, registered_at: before?.registered_at ?? time.toISOString() };
  const others = known.filter(({ path }) => path !== repo.path);
  writeRepos(companion, [...others, entry].slice(-mostRepos));
}

export function forgetRepo(companion: Companion, path: string): void {
  const known = listRepos(companion);
  const left = known.filter((repo) => repo.path !== path);
  if (left.length < known.length) writeRepos(companion, left);
}

const writeRepos = ({ reposFile }: Companion, repos: readonly KnownRepo[]): void =>
  writeJsonFile(reposFile, { version: 1, repos });
