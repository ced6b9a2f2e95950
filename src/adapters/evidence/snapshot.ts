import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { Refusal } from "../../contract/refusal.ts";
import type { FolderChanges, FolderSnapshot } from "../../domain/port.ts";
import { listChecksums } from "./checksums.ts";
import { compareGit, snapshotGit, topOf } from "./git-state.ts";

/** How a folder is right now. The whole repository counts, wherever in it the folder lies. */
export async function takeSnapshot(folder: string, signal: AbortSignal): Promise<FolderSnapshot> {
  await checkFolder(folder);
  const top = await topOf(folder, signal);
  if (top !== undefined) return snapshotGit(top, signal);
  const files = await listChecksums(folder, signal);
  return { type: "checksum", id: digestOf(files), root: folder, head: null, files };
}

export async function compareSnapshot(snapshot: FolderSnapshot, signal: AbortSignal): Promise<FolderChanges> {
  if (snapshot.type === "none") return unknownChanges;
  await checkFolder(snapshot.root);
  if (snapshot.type === "git") return compareGit(snapshot, signal);
  const now = await listChecksums(snapshot.root, signal);
  const names = [...new Set([...Object.keys(snapshot.files), ...Object.keys(now)])].sort();
  const changed = names.filter((name) => snapshot.files[name] !== now[name]);
  return {
    added: changed.filter((name) => snapshot.files[name] === undefined),
    modified: changed.filter((name) => snapshot.files[name] !== undefined && now[name] !== undefined),
    deleted: changed.filter((name) => now[name] === undefined),
    warnings: [],
    end: { head: null, digest: digestOf(now) },
    hashes: Object.fromEntries(changed.map((name) => [name, now[name] ?? null])),
  };
}

const unknownChanges: FolderChanges = {
  added: [],
  modified: [],
  deleted: [],
  warnings: ["The server could not see the repository when the task started; changes are not known."],
  end: { head: null, digest: "" },
  hashes: {},
};

async function checkFolder(folder: string): Promise<void> {
  const info = await stat(folder).catch(() => undefined);
  if (info?.isDirectory()) return;
  throw new Refusal(
    "GIT_ERROR",
    "The repository folder does not exist on this machine.",
    "Pass repository_path, the absolute path of the repository.",
  );
}

export const digestOf = (files: Readonly<Record<string, string | null>>): string => {
  const hash = createHash("sha256");
  for (const name of Object.keys(files).sort()) hash.update(`${name}\0${files[name]}\0`);
  return hash.digest("hex");
};
