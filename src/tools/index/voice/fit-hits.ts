import type { z } from "zod";
import type { Hit, RecordHit } from "./hits.ts";
import type { Warning } from "./warnings.ts";

type CodeHit = z.input<typeof Hit>;
type Record = z.input<typeof RecordHit>;

interface Lists {
  readonly code?: CodeHit[];
  readonly prose?: CodeHit[];
  readonly extractedProse?: CodeHit[];
  readonly records?: Record[];
}

interface Fitted {
  readonly lists: Lists;
  readonly warnings: readonly z.input<typeof Warning>[];
}

/** What an answer may take where the caller names neither `maxTokens` nor `top`: as much as a context pack. */
export const usualTokens = 8_000;

/** No answer over code had fewer bytes to a token of o200k than 2.8; the tokenizer itself takes longer than a search. */
const bytesPerToken = 2.5;

/**
 * Keeps an answer small (IX23): all hits are told briefly, the first of each list before the second of any, and as much
 * room as is left then goes to their texts. What has no room is left out and counted; the first hit is always there.
 */
export function fitHits(lists: Lists, maxTokens: number, rest: unknown): Fitted {
  const { code, prose, extractedProse, records } = lists;
  const hits = takeTurns<CodeHit | Record>([code, prose, extractedProse, records]);
  const longestWarning = warnOf({ maxTokens, shortened: hits.length, leftOut: hits.length });
  let room = maxTokens * bytesPerToken - sizeOf(rest) - sizeOf(longestWarning);
  const most = hits.findIndex((hit, at) => {
    room -= costOf(briefOf(hit));
    return at > 0 && room < 0;
  });
  const told = most === -1 ? hits : hits.slice(0, most);
  const [last] = hits.slice(told.length);
  if (last) room += costOf(briefOf(last));
  const whole = new Set(
    told.filter((hit) => {
      const more = sizeOf(hit) - sizeOf(briefOf(hit));
      if (more > room) return false;
      room -= more;
      return true;
    }),
  );
  const known = new Set(told);
  const keep = (list: readonly CodeHit[]) =>
    list.filter((hit) => known.has(hit)).map((hit) => (whole.has(hit) ? hit : withoutText(hit)));
  const shortened = told.filter((hit) => !whole.has(hit)).length;
  return {
    lists: {
      ...(code && { code: keep(code) }),
      ...(prose && { prose: keep(prose) }),
      ...(extractedProse && { extractedProse: keep(extractedProse) }),
      ...(records && { records: records.filter((hit) => known.has(hit)) }),
    },
    warnings: warnOf({ maxTokens, shortened, leftOut: hits.length - told.length }),
  };
}

/** The first of each list, then the second of each: scores of different lists can't be compared. */
function takeTurns<One>(lists: readonly (readonly One[] | undefined)[]): One[] {
  const longest = Math.max(0, ...lists.map((list) => list?.length ?? 0));
  return Array.from({ length: longest }, (_, rank) =>
    lists.flatMap((list) => list?.slice(rank, rank + 1) ?? []),
  ).flat();
}

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value)) + 1;

/** A hit is named in a bundle too, at most in one of its own. */
const costOf = (hit: CodeHit | Record): number =>
  sizeOf(hit) + ("file" in hit ? sizeOf({ file: hit.file, score: hit.score, hits: [hit.id] }) : 0);

const briefOf = (hit: CodeHit | Record): CodeHit | Record => ("file" in hit ? withoutText(hit) : hit);

const withoutText = ({ context: _c, text: _t, signature: _s, doc: _d, meta: _m, ...hit }: CodeHit): CodeHit => hit;

function warnOf(made: { readonly maxTokens: number; readonly shortened: number; readonly leftOut: number }) {
  const parts = [
    ...(made.leftOut > 0 ? [`${hitCount(made.leftOut)} left out`] : []),
    ...(made.shortened > 0 ? [`${hitCount(made.shortened)} shown without text and context`] : []),
  ];
  if (parts.length === 0) return [];
  const budget = made.maxTokens.toLocaleString("en");
  const message = `To stay within ${budget} tokens: ${parts.join(", ")}. Pass a higher maxTokens for more, or narrow the search.`;
  return [{ code: "answer_shortened", message }];
}

const hitCount = (count: number): string => `${count} ${count === 1 ? "hit" : "hits"}`;
