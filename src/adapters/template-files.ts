import { lstat, readdir, realpath } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import type { TemplateFile } from "../domain/template/port.ts";
import { readRegular } from "./regular-file.ts";

const extensions = new Set([".json", ".yaml", ".yml"]);
const largestFile = 256 * 1024;
const mostFiles = 100;

/** Where a repository keeps its templates. */
const repositoryFolder = join(".crewdeck", "templates");

/**
 * Reads templates that are kept as files: first the repositories', then the user's own. A file that cannot be read or
 * parsed is left out; a link is not followed, so nothing outside the folder is ever read.
 */
export async function readTemplateFiles(
  repositoryPaths: readonly string[],
  userFolder: string,
  signal: AbortSignal,
): Promise<TemplateFile[]> {
  const folders = [
    ...repositoryPaths.map((path) => ({ owner: basename(path), dir: join(path, repositoryFolder) })),
    { owner: "user", dir: userFolder },
  ];
  const files: TemplateFile[] = [];
  for (const { owner, dir } of folders) {
    signal.throwIfAborted();
    for (const name of await listFiles(dir)) {
      const content = await readContent(dir, name);
      if (content !== undefined) files.push({ id: `file:${owner}/${name}`, name: nameOf(name), content });
    }
  }
  return files;
}

const nameOf = (file: string): string => basename(file, extname(file));

async function listFiles(dir: string): Promise<string[]> {
  try {
    // A folder that is itself a link could lead anywhere.
    if ((await realpath(dir)) !== dir && (await lstat(dir)).isSymbolicLink()) return [];
    const names = await readdir(dir);
    return names
      .filter((name) => extensions.has(extname(name)))
      .sort()
      .slice(0, mostFiles);
  } catch {
    return [];
  }
}

async function readContent(dir: string, name: string): Promise<unknown> {
  try {
    const path = join(dir, name);
    const text = (await readRegular(path, largestFile))?.toString("utf8");
    if (text === undefined) return undefined;
    if (extname(name) === ".json") return JSON.parse(text);
    const { parse } = await import("yaml");
    return parse(text, { maxAliasCount: 20 });
  } catch {
    return undefined;
  }
}
