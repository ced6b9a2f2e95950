import type { Work } from "../work.ts";
import { artifactEvent } from "./events.ts";
import type { ArtifactKind, InstalledArtifact } from "./port.ts";

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
