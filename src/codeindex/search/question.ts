import { widenedWorth } from "../query/dictionary.ts";
import type { PlainText } from "../query/grammar.ts";
import { listStems } from "../segment/stems.ts";

/** Words of questions that say nothing about code. */
const stopWords = new Set(
  (
    "a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my no not of on " +
    "or our should so some such than that the their them then there these they this to was we were what when where which while " +
    "who why will with would you your also just like use using used get got make made want need please see get issue bug expected actual behavior version"
  ).split(" "),
);
const mostStems = 512;

/**
 * What an occurrence counts for: the first line says what it is about, and code that was pasted has many words that are
 * not. Like all weights of questions chosen on issues of open-source projects and the files that fixed them.
 */
const places = { title: 2, prose: 1, code: 0.5 } as const;
/** A name out of the code says more than a word of prose. */
const nameWeight = 1.3;
/** How soon it stops to count that a word is said again. */
const repetition = 0.7;

/** What a question is about, with how much it says so. */
export function stemsOf({ text, also = [] }: Pick<PlainText, "text" | "also">): Map<string, number> {
  const stems = readStems(text);
  for (const stem of also.flatMap(listStems)) if (!stems.has(stem)) stems.set(stem, widenedWorth);
  return stems;
}

function readStems(text: string): Map<string, number> {
  const found = new Map<string, { times: number; factor: number }>();
  const take = (part: string, weight: number): void => {
    for (const word of part.match(/[\w$\u0080-\uffff]+/g) ?? []) {
      if (isNumber.test(word) || stopWords.has(word.toLowerCase())) continue;
      const factor = /[a-z][A-Z]|[a-zA-Z]_|_[a-zA-Z]/.test(word) ? nameWeight : 1;
      for (const stem of listStems(word)) {
        if (stem.length < 2 || stopWords.has(stem)) continue;
        const known = found.get(stem);
        if (known) {
          known.times += weight;
          known.factor = Math.max(known.factor, factor);
        } else if (found.size < mostStems) found.set(stem, { times: weight, factor });
      }
    }
  };
  const [title = "", ...lines] = withoutNoise(text).trim().split(/\r?\n/);
  take(title, lines.length === 0 ? places.prose : places.title);
  let isFenced = false;
  for (const line of lines) {
    if (fence.test(line)) isFenced = !isFenced;
    else if (isFenced || !heading.test(line))
      take(line, (isFenced || pasted.test(line)) && !complaint.test(line) ? places.code : places.prose);
  }
  const once = Math.log2(1 + repetition);
  return new Map(
    [...found].map(([stem, { times, factor }]) => [stem, (Math.log2(1 + repetition * times) / once) * factor]),
  );
}

/** What forms ask for in comments, and addresses, are about something else. */
function withoutNoise(text: string): string {
  const [first = "", ...parts] = text.split("<!--");
  const kept = parts.map((part) => part.slice(part.indexOf("-->") === -1 ? 0 : part.indexOf("-->") + 3));
  return [first, ...kept].join(" ").replace(/\bhttps?:\/\/\S+/g, " ");
}

const isNumber = /^(?:\d+|[0-9a-f]{7,})$/;
/** What forms ask for. */
const heading = /^\s*(?:#{2,6} .*|\*\*[^*]{1,60}\*\*:?\s*)$/;
const fence = /^\s*(?:```|~~~|\{\{\{|\}\}\})/;
/** Indented code, a session of an interpreter, a line of a stack trace. */
const pasted = /^(?: {4}|\t\t)\S|^>>> |^In \[|^\s*File ".*", line \d|^\s+at [\w.$<>]+\(/;
/** The line of a stack trace that says what went wrong. */
const complaint = /^[\w.]*(?:Error|Exception)\b/;
