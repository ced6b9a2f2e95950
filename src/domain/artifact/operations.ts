import type { Look } from "../port.ts";
import type { Work } from "../work.ts";
import { artifactEvent } from "./events.ts";
import type { DownloadAsk, InstalledArtifact } from "./port.ts";

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

/**
 * Fetches something and tells the ledger with its hash, at once: a call that ends before the next one has left this one
 * behind. What was there already is not told again (DL11).
 */
export async function downloadArtifact(
  look: Pick<Look, "ports" | "signal" | "progress" | "record">,
  ask: DownloadAsk,
): Promise<InstalledArtifact> {
  const { signal, progress } = look;
  const installed = await look.ports.artifact.download(ask, { signal, progress });
  const { name, sha256, bytes, isNew } = installed;
  if (isNew) look.record(artifactEvent.downloaded(name, { kind: ask.kind, sha256, bytes }));
  return installed;
}
