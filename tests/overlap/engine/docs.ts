import type { OverlapDoc, OverlapMatch } from "../../../src/domain/overlap/engine/doc.ts";
import { OverlapIndex } from "../../../src/domain/overlap/engine/overlap-index.ts";

/** Open work of which only the title is known, unless `known` says more. */
export const workOf = (title: string, known: Partial<OverlapDoc> = {}): OverlapDoc => ({
  id: title,
  kind: "task",
  title,
  scope: null,
  description: null,
  result: null,
  action: null,
  component: null,
  repo: null,
  files: [],
  developerId: null,
  sessionId: null,
  status: "active",
  at: 0,
  ...known,
});

export function indexOf(docs: readonly OverlapDoc[]): OverlapIndex {
  const index = new OverlapIndex();
  for (const doc of docs) index.put(doc);
  return index;
}

/** Two pieces of work, compared in an index that knows nothing else. */
export const compare = (one: OverlapDoc, other: OverlapDoc) => scoreOne(new OverlapIndex(), one, other);

export function scoreOne(index: OverlapIndex, one: OverlapDoc, other: OverlapDoc): OverlapMatch {
  const [compared] = index.score(one, [other]);
  if (!compared) throw new Error("nothing was compared");
  return compared.match;
}
