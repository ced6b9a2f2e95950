import type { z } from "zod";
import type { SearchWarning } from "../../domain/codeindex/model.ts";
import { gatherRecords, mostFeedback } from "../../domain/context/record-operations.ts";
import type { Look } from "../../domain/port.ts";
import { recordFilter } from "./voice/filters.ts";
import type { RecordHit } from "./voice/hits.ts";
import { fitsMeta, type MetaTest } from "./voice/record-filters.ts";

type RecordInput = Parameters<typeof recordFilter>[0] & { readonly query: string };

interface FoundRecords {
  readonly hits: z.input<typeof RecordHit>[];
  /** All matches, before the best were taken. */
  readonly total: number;
  readonly warnings: readonly SearchWarning[];
}

/** The best of what the team wrote down. Filters on code leave no record over. */
export async function findRecords(
  input: RecordInput,
  look: Look,
  { metaTests, top }: { readonly metaTests: readonly MetaTest[]; readonly top: number },
): Promise<FoundRecords> {
  const { codeindex } = look.ports;
  const filter = recordFilter(input, look.now);
  const ask = { query: input.query, isCased: input.case === true || input.caseTokens === true };
  // What a query can't be is refused even where nothing is looked through.
  const need = await codeindex.needOfRecords(ask);
  if (!filter) return { hits: [], total: 0, warnings: [] };
  let best: z.input<typeof RecordHit>[] = [];
  let total = 0;
  let isCut = false;
  for await (const page of gatherRecords(look, { kinds: filter.kinds, need })) {
    const records = page.records.filter((record) => filter.passes(record) && fitsMeta(record, metaTests));
    const matches = await codeindex.matchRecords({ ...ask, records });
    total += matches.length;
    isCut ||= page.isCut;
    const hits = matches.slice(0, top).flatMap(({ place, score, headline }) => {
      const record = records[place];
      if (!record) return [];
      const { id, kind, name, meta, developer } = record;
      return [{ id, kind, name, headline, score, meta: { ...meta, developer } }];
    });
    best = [...best, ...hits].sort((one, other) => other.score - one.score).slice(0, top);
  }
  return { hits: best, total, warnings: isCut ? [feedbackCut] : [] };
}

const feedbackCut = {
  code: "records_incomplete",
  message: `Only the newest ${mostFeedback} warnings to you were searched.`,
};
