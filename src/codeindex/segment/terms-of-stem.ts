import { foldText } from "../query/fold.ts";
import { eachIn } from "./frozen-lists.ts";
import type { Segment } from "./segment.ts";
import { listStems } from "./stems.ts";
import { longestWord } from "./term-table.ts";

/** Calls `visit` for each term that a stem belongs to: those that are made of it, and those that are it themselves. */
export function eachTermOf({ terms, stems, stemLists }: Segment, stem: string, visit: (term: number) => void): void {
  for (const number of stems.find(stem, { isWhole: true, isCased: true })) eachIn(stemLists, number, visit);
  for (const term of terms.find(stem, { isWhole: true, isCased: false })) {
    const word = terms.at(term);
    if (word.length <= longestWord && foldText(word) === stem && listStems(word).includes(stem)) visit(term);
  }
}
