import { isIdOf } from "../../contract/ids.ts";
import type { ProbableFile } from "../task/footprint-model.ts";
import { findFootprint, listOtherFootprints } from "../task/footprint-queries.ts";

import type { Work } from "../work.ts";
import { readDocs } from "./doc-operations.ts";
import { shareFiles } from "./footprint-rules.ts";
import type { WorkDoc } from "./work-doc.ts";

/** Other work that will probably touch the same files. It is context and decides nothing. */
export interface ProbableOverlap {
  readonly doc: WorkDoc;
  readonly files: readonly ProbableFile[];
}

const mostCompared = 500;
const mostShown = 5;

export async function listProbableOverlaps(
  work: Pick<Work, "db">,
  plannedId: string | null,
): Promise<ProbableOverlap[]> {
  if (plannedId === null || !isIdOf("task")(plannedId)) return [];
  const own = await findFootprint(work.db, plannedId);
  if (!own) return [];
  const shared = (await listOtherFootprints(work.db, own, mostCompared))
    .map(({ taskId, files }) => ({ taskId, files: shareFiles(own.files, files) }))
    .filter(({ files }) => files.length > 0)
    .sort((one, other) => (other.files[0]?.probability ?? 0) - (one.files[0]?.probability ?? 0))
    .slice(0, mostShown);
  const docs = new Map(
    (
      await readDocs(
        work.db,
        shared.map(({ taskId }) => taskId),
      )
    ).map((doc) => [doc.id, doc]),
  );
  return shared.flatMap(({ taskId, files }) => {
    const doc = docs.get(taskId);
    return doc ? [{ doc, files }] : [];
  });
}
