import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import type { FolderChanges, FolderSnapshot } from "../../domain/evidence/port.ts";
import { placeIn, type RawName, rawName } from "../git/names.ts";
import { DiskReader, type Identity, type Seen } from "./disk-reader.ts";
import { nameOfText } from "./file-names.ts";
import { changesBetween, digestOf, filesOf } from "./trees.ts";

/** Folders of installed or built things: large, and never what a task is about. */
const skipped = new Set([".git", "node_modules", ".venv", "venv", "__pycache__", "dist", "build", "target", ".next"]);
const mostFiles = 100_000;

/** A folder without git, by checksums; undefined where it has more files than can be kept. */
export async function snapshotFolder(root: string, signal: AbortSignal): Promise<FolderSnapshot | undefined> {
  const seen = await readFolder(root, () => undefined, signal);
  if (!seen) return undefined;
  const kept = filesOf(seen);
  return { type: "checksum", id: digestOf(kept.files), root, head: null, ...kept };
}

export async function compareFolder(snapshot: FolderSnapshot, signal: AbortSignal): Promise<FolderChanges | undefined> {
  const { files, stamps, root } = snapshot;
  const known = new Map(
    Object.entries(files).map(([text, identity]) => [nameOfText(text), { identity, stamp: stamps?.[text] }] as const),
  );
  const now = await readFolder(root, (name) => known.get(name), signal);
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
  signal: AbortSignal,
): Promise<Map<RawName, Seen> | undefined> {
  const names = await listFiles(root, signal);
  if (!names) return undefined;
  const seen = await folderReader(root, signal).readAll(names, known);
  return new Map([...seen].filter(([, { identity }]) => identity !== null));
}

export const folderReader = (root: string, signal: AbortSignal): DiskReader =>
  new DiskReader(root, { signal, startHash: () => createHash("sha256"), findCommit: async () => null });

async function listFiles(root: string, signal: AbortSignal): Promise<RawName[] | undefined> {
  const names: RawName[] = [];
  const folders: RawName[] = [""];
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
    if (names.length > mostFiles) return undefined;
  }
  return names;
}
