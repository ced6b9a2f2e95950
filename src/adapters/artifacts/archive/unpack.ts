import type { ArchiveLimits } from "./entry-names.ts";
import { ArchiveWatch } from "./entry-names.ts";
import { unpackTar } from "./tar.ts";
import { unpackZip } from "./zip.ts";

type ArchiveKind = "tar" | "tgz" | "zip";

/** What a file is by its name; undefined for one that is no archive. */
export function archiveKindOf(name: string): ArchiveKind | undefined {
  if (/\.(tgz|tar\.gz)$/i.test(name)) return "tgz";
  if (/\.tar$/i.test(name)) return "tar";
  return /\.zip$/i.test(name) ? "zip" : undefined;
}

/** Unpacks an archive into an empty folder, or refuses; what was written by then is the caller's to remove. */
export async function unpack(
  file: string,
  into: string,
  { kind, limits, signal }: { kind: ArchiveKind; limits: ArchiveLimits; signal: AbortSignal },
): Promise<void> {
  const watch = new ArchiveWatch(limits);
  if (kind === "zip") await unpackZip(file, into, { watch, signal });
  else await unpackTar(file, into, { watch, isGzipped: kind === "tgz", signal });
}
