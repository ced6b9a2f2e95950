import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import type { FolderChanges, FolderSnapshot } from "../../domain/evidence/port.ts";
import { placeIn, type RawName, rawName } from "../git/names.ts";
import { DiskReader, type Identity, type Seen } from "./disk-reader.ts";
import { nameOfText } from "./file-names.ts";
import { changesBetween, digestOf, filesOf } from "./trees.ts";

/** Folders of installed or built things: large, and never what a task is about. */
const skipped = new Set([".git", "node_modules", ".venv", "venv", "__pycache__", "dist", "build", "target", ".next"]);

/** How much of a folder is looked at; more is no project but somebody's home or disk. */
interface FolderLimits {
  /** Files and folders together. */
  readonly mostEntries: number;
  readonly mostBytes: bigint;
}
const usual: FolderLimits = { mostEntries: 50_000, mostBytes: 512n * 1024n * 1024n };

export const tooLarge =
  "The folder has no git repository and is too large for a checksum snapshot (50,000 entries or 512 MiB); changes are not known.";

/** A folder without git, by checksums; undefined where it is too large. */
export async function snapshotFolder(
  root: string,
  signal: AbortSignal,
  limits: FolderLimits = usual,
): Promise<FolderSnapshot | undefined> {
  const seen = await readFolder(root, () => undefined, { signal, limits });
  if (!seen) return undefined;
  const kept = filesOf(seen);
  return { type: "checksum", id: digestOf(kept.files), root, head: null, ...kept };
}

export async function compareFolder(
  snapshot: FolderSnapshot,
  signal: AbortSignal,
  limits: FolderLimits = usual,
): Promise<FolderChanges | undefined> {
  const { files, stamps, root } = snapshot;
  const known = new Map(
    Object.entries(files).map(([text, identity]) => [nameOfText(text), { identity, stamp: stamps?.[text] }] as const),
  );
  const now = await readFolder(root, (name) => known.get(name), { signal, limits });
  if (!now) return undefined;
  const identityIn =
    (seen: ReadonlyMap<RawName, Seen>) =>
    (name: RawName): Identity =>
      seen.get(name)?.identity ?? null;
  return {
    ...changesBetween([...new Set([...known.keys(), ...now.keys()])], identityIn(known), identityIn(now)),
    warnings: [],
    isComplete: true,
    start: { head: null, digest: digestOf(files) },
    end: { head: null, digest: digestOf(filesOf(now).files) },
  };
}

async function readFolder(
  root: string,
  known: (name: RawName) => Seen | undefined,
  { signal, limits }: { readonly signal: AbortSignal; readonly limits: FolderLimits },
): Promise<Map<RawName, Seen> | undefined> {
  const names = await listFiles(root, signal, limits.mostEntries);
  if (!names) return undefined;
  const reader = folderReader(root, signal, limits.mostBytes);
  const seen = await reader.readAll(names, known);
  if (reader.hasReadTooMuch) return undefined;
  return new Map([...seen].filter(([, { identity }]) => identity !== null));
}

export const folderReader = (root: string, signal: AbortSignal, mostBytes?: bigint): DiskReader =>
  new DiskReader(root, { signal, mostBytes, startHash: () => createHash("sha256"), findCommit: async () => null });

async function listFiles(root: string, signal: AbortSignal, mostEntries: number): Promise<RawName[] | undefined> {
  const names: RawName[] = [];
  const folders: RawName[] = [""];
  let entriesSeen = 0;
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    signal.throwIfAborted();
    const entries = await readdir(placeIn(root, at), { withFileTypes: true, encoding: "buffer" }).catch(() => []);
    for (const entry of entries) {
      const own = rawName(entry.name);
      const name = at === "" ? own : `${at}/${own}`;
      if (entry.isDirectory()) {
        if (!skipped.has(own)) folders.push(name);
      } else if (entry.isFile() || entry.isSymbolicLink()) names.push(name);
    }
    entriesSeen += entries.length;
    if (entriesSeen > mostEntries) return undefined;
  }
  return names;
}
