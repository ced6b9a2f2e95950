import { type DeveloperId, isIdOf } from "../../contract/ids.ts";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Db } from "../../storage/db.ts";
import type { Work } from "../work.ts";
import { detectOverlap, type Found } from "./detect-operations.ts";
import { readDocs } from "./doc-operations.ts";
import type { OverlapQuery } from "./engine/doc.ts";
import type { LikeWork } from "./port.ts";
import { findScopeCheck } from "./scope-check-store.ts";

/** Work to compare others with: as it is now, or as a check looked for it. */
export interface Sought {
  readonly query: OverlapQuery & { readonly developerId: DeveloperId };
  /** The work itself, where it exists. */
  readonly id: string | null;
}

const isCheck = isIdOf("check");

/** What a task, a workstream or a check is about. */
export async function readSought(db: Db, id: string): Promise<Sought> {
  const check = isCheck(id) ? await findScopeCheck(db, id) : undefined;
  if (check?.sought) {
    const { kind, developerId, sessionId, createdAt: at, plannedId } = check;
    const { branch: _branch, ...said } = check.sought;
    return { query: { ...said, kind, result: null, developerId, sessionId, at }, id: plannedId };
  }
  const [doc] = await readDocs(db, [check?.plannedId ?? id]);
  if (doc) return { query: doc, id: doc.id };
  throw unknownSought();
}

export const unknownSought = (): Refusal =>
  new Refusal("NOT_FOUND", "No task, workstream or check has that id.", nextStep("listDoubts"));

/** The most similar other work, best first, whatever is made of it (GA39). */
export async function listSimilar(work: Work, { query, id }: Sought, like: LikeWork): Promise<Found[]> {
  const { matches, nearest } = await detectOverlap(work, query, like, id);
  return [...matches, ...nearest];
}
