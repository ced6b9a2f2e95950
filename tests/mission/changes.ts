import { compareSnapshot, takeSnapshot } from "../../src/adapters/evidence/snapshot.ts";

export const never = new AbortController().signal;

export interface Reported {
  readonly added: readonly string[];
  readonly modified: readonly string[];
  readonly deleted: readonly string[];
  readonly warnings: readonly string[];
}

export const nothing: Reported = { added: [], modified: [], deleted: [], warnings: [] };

export const rewritten =
  "The commit the task started from was rewritten (rebase, amend, squash or reset); only what this branch adds beyond other branches is counted.";

/** What is reported of a folder after `act`. */
export async function changesOf(folder: string, act: () => unknown) {
  const snapshot = await takeSnapshot(folder, never);
  await act();
  const { added, modified, deleted, warnings } = await compareSnapshot(snapshot, never);
  return { added, modified, deleted, warnings };
}
