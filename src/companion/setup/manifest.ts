import { createHash } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ClientName } from "../clients/client.ts";
import { readBytes, readJsonFile, writeBytes, writeJsonFile } from "../files.ts";
import type { Companion } from "../places.ts";

/** One file that setup has changed. */
export interface ChangedFile {
  readonly client: ClientName;
  /** The repository it was changed for. */
  readonly repository: string;
  /** Hash of what it held without our entries, by which the copy is found; null where there was no file. */
  readonly before: string | null;
  readonly after: string;
  /** Parts of a JSON file that were made for our entries. */
  readonly made: readonly (readonly string[])[];
  /** Folders that were made for it, the outermost first. */
  readonly folders: readonly string[];
}

export type Manifest = Readonly<Record<string, ChangedFile>>;

export const hashOf = (bytes: Buffer | string): string => createHash("sha256").update(bytes).digest("hex");

export function readManifest({ manifestFile }: Companion): Manifest {
  const { files } = (readJsonFile(manifestFile) ?? {}) as { files?: Manifest };
  return files ?? {};
}

export function writeManifest({ manifestFile, backupsDir }: Companion, files: Manifest): void {
  if (Object.keys(files).length > 0) writeJsonFile(manifestFile, { version: 1, files });
  else for (const path of [manifestFile, backupsDir]) rmSync(path, { recursive: true, force: true });
}

/** Kept by its content, so that the same file is kept once. It may hold somebody's secrets: for its owner only. */
export function keepCopy({ backupsDir }: Companion, bytes: Buffer): string {
  const hash = hashOf(bytes);
  mkdirSync(backupsDir, { recursive: true, mode: 0o700 });
  writeBytes(join(backupsDir, hash), bytes, 0o600);
  return hash;
}

/** Undefined where the copy is gone or is not what it was. */
export function readCopy({ backupsDir }: Companion, hash: string): Buffer | undefined {
  const bytes = readBytes(join(backupsDir, hash));
  return bytes !== undefined && hashOf(bytes) === hash ? bytes : undefined;
}
