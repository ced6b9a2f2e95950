import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { FolderChanges, FolderSnapshot, TreeIdentity } from "../../domain/evidence/port.ts";
import { compareFolder, snapshotFolder, tooLarge } from "./checksums.ts";
import { findRepository, gone, type LookedAt } from "./git-repository.ts";
import { compareGit, snapshotGit } from "./git-state.ts";
import { digestOf } from "./trees.ts";

/** How a folder is right now. The whole repository counts, wherever in it the folder lies. */
export async function takeSnapshot(folder: string, signal: AbortSignal): Promise<FolderSnapshot> {
  await checkFolder(folder);
  const repository = await findRepository(folder, signal);
  const snapshot = repository ? await snapshotGit(repository, signal) : await snapshotFolder(folder, signal);
  await checkFolder(folder);
  return snapshot ?? { type: "none", id: "none", root: folder, head: null, files: {}, problem: tooLarge };
}

/** What is different from a snapshot now. A folder that goes away meanwhile is a refusal, never a list of deletions. */
export async function compareSnapshot(snapshot: FolderSnapshot, signal: AbortSignal): Promise<FolderChanges> {
  if (snapshot.type === "none") return unknownChanges(snapshot.problem);
  await checkFolder(snapshot.root);
  const changes =
    snapshot.type === "git"
      ? await compareGit(await openTree(snapshot.root, signal), snapshot, signal)
      : await compareFolder(snapshot, signal);
  await checkFolder(snapshot.root);
  if (snapshot.type === "git" && !existsSync(join(snapshot.root, ".git"))) throw gone();
  return changes ?? unknownChanges(tooLarge);
}

/** Which tree lies in a folder right now: its commit and a digest of what differs from it. */
export async function identifyTree(folder: string, signal: AbortSignal): Promise<TreeIdentity> {
  const { head, files } = await takeSnapshot(folder, signal);
  return { head, digest: digestOf(files) };
}

const unknownChanges = (
  problem = "No snapshot could be taken when the task started; changes are not known.",
): FolderChanges => ({
  added: [],
  modified: [],
  deleted: [],
  warnings: [problem],
  isComplete: false,
  start: { head: null, digest: "" },
  end: { head: null, digest: "" },
  hashes: {},
});

/** The same repository again: where it is gone the one around it, if any, is another. */
export async function openTree(root: string, signal: AbortSignal): Promise<LookedAt> {
  const repository = await findRepository(root, signal);
  if (repository?.root !== root) throw gone();
  return repository;
}

/** Refuses a folder that is not there. */
export async function checkFolder(folder: string): Promise<void> {
  const info = await stat(folder).catch(() => undefined);
  if (!info?.isDirectory()) throw gone();
}
