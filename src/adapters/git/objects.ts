import { readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GitArgs } from "./commands.ts";
import type { Mode, OnDisk } from "./disk.ts";
import { bytesOf, placeIn, quoteName, type RawName, rawName } from "./names.ts";
import type { Repository } from "./repository.ts";

export interface TreeEntry {
  readonly mode: Mode;
  readonly oid: string;
  readonly name: RawName;
}

/** Stores files byte for byte: no line ends are turned, no filter has a say. Links are stored as what they point to. */
export async function storeFiles(
  repository: Repository,
  folder: string,
  files: readonly OnDisk[],
  scratch: string,
): Promise<TreeEntry[]> {
  const places = files.map((file, at) => {
    if (file.mode !== "120000") return quoteName(file.name);
    const copy = join(scratch, `link-${at}`);
    writeFileSync(copy, readlinkSync(placeIn(folder, file.name), { encoding: "buffer" }));
    return quoteName(rawName(Buffer.from(copy)));
  });
  const oids = await storePlaces(repository, folder, places);
  return files.map(({ mode, name }, at) => ({ mode, name, oid: oids[at] ?? "" }));
}

/** Stores single files, wherever they are. */
export const storePaths = (repository: Repository, folder: string, paths: readonly string[]): Promise<string[]> =>
  storePlaces(
    repository,
    folder,
    paths.map((path) => quoteName(rawName(Buffer.from(path)))),
  );

async function storePlaces(repository: Repository, folder: string, places: readonly string[]): Promise<string[]> {
  if (places.length === 0) return [];
  const args: GitArgs = ["hash-object", "-w", "--no-filters", "--stdin-paths"];
  const input = `${places.join("\n")}\n`;
  const { text } = await repository.git(args, { workTree: folder, input });
  const oids = text.split("\n");
  if (oids.length !== places.length) throw new Error("git stored another number of files than it was given");
  return oids;
}

/** A tree of any entries, put together in an index of its own. */
export async function storeTree(
  repository: Repository,
  entries: readonly TreeEntry[],
  ask: { indexFile: string; allowsMissing?: boolean },
): Promise<string> {
  const lines = entries.map(({ mode, oid, name }) => `${mode} ${oid}\t${name}\0`);
  const within = { indexFile: ask.indexFile };
  const input = bytesOf(lines.join(""));
  await repository.git(["update-index", "-z", "--index-info"], { ...within, input, settings: anyName });
  const missing = ask.allowsMissing ? ["--missing-ok"] : [];
  return (await repository.git(["write-tree", ...missing], within)).text;
}

/** Names that mean trouble on another system's disks are only refused on that system. */
const anyName = [
  ...(process.platform === "win32" ? [] : ["core.protectNTFS=false"]),
  ...(process.platform === "darwin" ? [] : ["core.protectHFS=false"]),
];
