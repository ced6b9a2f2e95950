import type { FilesAsk } from "../../domain/evidence/port.ts";
import type { RawName } from "../git/names.ts";
import { folderReader } from "./checksums.ts";
import type { Identity } from "./disk-reader.ts";
import { nameOfText, textOfName } from "./file-names.ts";
import { readEntries } from "./git-commits.ts";
import type { LookedAt } from "./git-repository.ts";
import { readerOf } from "./git-state.ts";
import { readStatus } from "./git-status.ts";
import { checkFolder, openTree } from "./snapshot.ts";

/** Which of these files are no longer what they were. They are read from the disk; git is asked only where it differs. */
export async function listStale({ type, root, hashes }: FilesAsk, signal: AbortSignal): Promise<string[]> {
  await checkFolder(root);
  const wanted = new Map<RawName, Identity>(Object.entries(hashes).map(([text, was]) => [nameOfText(text), was]));
  const repository = type === "git" ? await openTree(root, signal) : undefined;
  const reader = repository ? readerOf(repository, signal) : folderReader(root, signal);
  const now = await reader.readAll([...wanted.keys()], () => undefined);
  const differing = [...wanted].filter(([name, was]) => (now.get(name)?.identity ?? null) !== was);
  const stale = repository ? await withoutClean(repository, differing) : differing;
  await checkFolder(root);
  return stale.map(([name]) => textOfName(name)).sort();
}

/** Where git converts line ends a clean file is not, byte for byte, what its commit has; git's word counts then. */
async function withoutClean(
  repository: LookedAt,
  differing: readonly (readonly [RawName, Identity])[],
): Promise<readonly (readonly [RawName, Identity])[]> {
  if (differing.length === 0) return differing;
  const { head, changed, unsure } = await readStatus(repository);
  const clean = differing.map(([name]) => name).filter((name) => !changed.has(name) && !unsure.has(name));
  const committed = await readEntries(repository, head, clean);
  return differing.filter(([name, was]) => was === null || committed.get(name) !== was);
}
