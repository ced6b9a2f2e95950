import type { PullId } from "../../contract/ids.ts";
import type { SystemWork } from "../work.ts";
import { endPull, followHead } from "./errand-operations.ts";
import type { Pull } from "./model.ts";
import type { HostState } from "./port.ts";
import { getPull } from "./queries.ts";
import { savePull } from "./store.ts";

/** Takes note of how a pull request stands at its code host. */
export async function recordState(
  work: SystemWork,
  id: PullId,
  { status, mergeCommit, etag }: HostState,
): Promise<void> {
  const pull = await getPull(work.db, id);
  if (pull.status !== "open") return;
  if (status !== "open") return endPull(work, pull, { status, mergeCommit, mergeMethod: null, etag });
  await savePull(work.db, pull, { etag, updatedAt: work.now });
}

/** The base has all of the branch without our doing: whoever merged it did so with git. */
export async function recordHandMerge(work: SystemWork, id: PullId): Promise<void> {
  const pull = await getPull(work.db, id);
  if (pull.status !== "open" || pull.host !== "local") return;
  await endPull(work, pull, { status: "merged", mergeCommit: null, mergeMethod: null });
}

/** The branch has moved on, and its pull request with it. What was decided about it meanwhile is looked at in the next round. */
export async function recordMove(work: SystemWork, { id, version }: Pull, head: string): Promise<void> {
  const pull = await getPull(work.db, id);
  if (pull.version === version) await followHead(work, pull, head);
}
