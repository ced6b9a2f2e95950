import type { RecordAsk, RecordMatch } from "../../domain/codeindex/port.ts";
import { foldText } from "../query/fold.ts";
import { type Literal, listSought, type Pattern, type Query, worthOf } from "../query/grammar.ts";
import { compilePattern } from "../query/pattern.ts";
import { listStems } from "../segment/stems.ts";

/** Which records a query asks for, best first. They are few: each is looked through as it is. */
export function matchRecords(query: Query, { isCased, records }: Omit<RecordAsk, "query">): RecordMatch[] {
  const test = compile(query, isCased);
  const sought = listSought(query).map((atom) => finderOf(atom, isCased));
  const matches: RecordMatch[] = [];
  for (const [place, record] of records.entries()) {
    const score = test(record.text);
    if (score === undefined) continue;
    const named = sought.some((find) => find(record.name) >= 0) ? 2 : 0;
    matches.push({
      place,
      score: Math.round((score + named) * 1_000) / 1_000,
      headline: headlineOf(record.text, sought),
    });
  }
  return matches.sort((one, other) => other.score - one.score || one.place - other.place);
}

/** How well a text fits; undefined where it does not. */
type Test = (text: string) => number | undefined;

function compile(query: Query, isCased: boolean): Test {
  switch (query.type) {
    case "all":
      return () => 0;
    case "plain": {
      const words = [...(query.text.match(/[\w$\u0080-\uffff]+/g) ?? []), ...(query.also ?? [])];
      const stems = new Set(words.flatMap(listStems));
      return (text) => {
        const has = new Set((text.match(/[\w$\u0080-\uffff]+/g) ?? []).flatMap(listStems));
        const common = [...stems].filter((stem) => has.has(stem)).length;
        return common === 0 ? undefined : common / Math.sqrt(1 + has.size);
      };
    }
    case "not": {
      const test = compile(query.part, isCased);
      return (text) => (test(text) === undefined ? 0 : undefined);
    }
    case "and": {
      const tests = query.parts.map((part) => compile(part, isCased));
      return (text) =>
        tests.reduce<number | undefined>((sum, test) => (sum === undefined ? sum : add(sum, test(text))), 0);
    }
    case "or": {
      const tests = query.parts.map((part) => compile(part, isCased));
      return (text) =>
        tests.reduce<number | undefined>((sum, test) => add(sum, test(text)) ?? sum ?? test(text), undefined);
    }
    default: {
      const find = finderOf(query, isCased);
      return (text) => (find(text) >= 0 ? worthOf(query) : undefined);
    }
  }
}

const add = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? undefined : one + other;

/** Where in a text something is found first; -1 where it is not. */
type Finder = (text: string) => number;

function finderOf(atom: Literal | Pattern, isCased: boolean): Finder {
  if (atom.type === "literal") {
    const sought = isCased ? atom.text : foldText(atom.text);
    return (text) => (isCased ? text : foldText(text)).indexOf(sought);
  }
  const pattern = compilePattern(atom.source, atom.flags);
  return (text) => {
    const matcher = pattern.matcher(text);
    return matcher.find() ? matcher.start() : -1;
  };
}

const longestHeadline = 200;

function headlineOf(text: string, sought: readonly Finder[]): string {
  const places = sought.map((find) => find(text)).filter((place) => place >= 0);
  const at = places.length === 0 ? 0 : Math.min(...places);
  const start = text.lastIndexOf("\n", at - 1) + 1;
  const line = (text.slice(start).split("\n", 1)[0] ?? "").trim();
  return line.length > longestHeadline ? `${line.slice(0, longestHeadline - 1)}…` : line;
}
