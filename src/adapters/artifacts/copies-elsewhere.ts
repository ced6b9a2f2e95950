import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { confinedPath } from "./confined-path.ts";
import type { IndexCopies } from "./copy-ports.ts";
import { writeWhole } from "./write-file.ts";

/** Copies of an index that somebody wanted in another place, noted beside it so that they are known and go with it. */
interface NotedCopy {
  readonly path: string;
  /** Whose copy it was: another repository's may have taken its place. */
  readonly repo: string;
}

const noteIn = (folder: string): string => join(folder, "copies.json");

export async function noteCopy(folder: string, noted: NotedCopy): Promise<void> {
  const others = (await readNotes(folder)).filter(({ path }) => path !== noted.path);
  await writeWhole(noteIn(folder), JSON.stringify([...others, noted]));
}

/** Those that are still what they were. */
export async function listNoted(homeDir: string, folder: string, copies: IndexCopies): Promise<string[]> {
  const noted = await readNotes(folder);
  return noted.filter((one) => isStillIts(homeDir, one, copies)).map(({ path }) => path);
}

export async function removeNoted(path: string): Promise<void> {
  for (const file of [path, `${path}.bak`]) await rm(file, { force: true });
}

function isStillIts(homeDir: string, { path, repo }: NotedCopy, copies: IndexCopies): boolean {
  try {
    return confinedPath(homeDir, path, "file") === path && copies.read(path)?.["repo"] === repo;
  } catch {
    return false;
  }
}

async function readNotes(folder: string): Promise<NotedCopy[]> {
  try {
    const noted = JSON.parse(await readFile(noteIn(folder), "utf8")) as unknown;
    return Array.isArray(noted) ? noted.filter(isNoted) : [];
  } catch {
    return [];
  }
}

const isNoted = (one: unknown): one is NotedCopy =>
  typeof one === "object" &&
  one !== null &&
  "path" in one &&
  typeof one.path === "string" &&
  "repo" in one &&
  typeof one.repo === "string";

export const sizeOfFile = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0;
