import type { Work } from "../work.ts";
import { artifactEvent } from "./events.ts";
import type { ArtifactKind, InstalledArtifact } from "./port.ts";

/** That an index was copied, or its copy made smaller. */
export async function recordCopy(
  work: Work,
  id: string,
  copy: { files: number; chunks: number; bytes: number },
): Promise<void> {
  work.record(artifactEvent.copied(id, copy));
}

export async function recordCompaction(
  work: Work,
  id: string,
  sizes: { before: number; after: number },
): Promise<void> {
  work.record(artifactEvent.compacted(id, sizes));
}

/** What was fetched is in the ledger with its hash; what was there already is not told again. */
export async function recordDownloads(
  work: Work,
  kind: ArtifactKind,
  installed: readonly InstalledArtifact[],
): Promise<void> {
  for (const { name, sha256, bytes, isNew } of installed) {
    if (isNew) work.record(artifactEvent.downloaded(name, { kind, sha256, bytes }));
  }
}
