import type { CopiedRow } from "../../domain/codeindex/copied-model.ts";
import type { Literal, Pattern, Query } from "../query/grammar.ts";
import { type Matcher, matcherOf } from "../search/literals.ts";

/** How often each thing that was sought occurs in a chunk; undefined where the query does not fit. */
type RowTest = (row: CopiedRow) => ReadonlyMap<Literal | Pattern, number> | undefined;

export function rowTest(query: Query, isCased: boolean): RowTest {
  const test = compile(query, isCased);
  return (row) => {
    const found = new Map<Literal | Pattern, number>();
    return test(row, found) ? found : undefined;
  };
}

type Test = (row: CopiedRow, found: Map<Literal | Pattern, number>) => boolean;

function compile(query: Query, isCased: boolean): Test {
  switch (query.type) {
    case "all":
    case "plain":
      return () => true;
    case "not": {
      const test = compile(query.part, isCased);
      return (row) => !test(row, new Map());
    }
    case "and": {
      const tests = query.parts.map((part) => compile(part, isCased));
      return (row, found) => tests.every((test) => test(row, found));
    }
    case "or": {
      const tests = query.parts.map((part) => compile(part, isCased));
      return (row, found) => tests.map((test) => test(row, found)).includes(true);
    }
    default: {
      const matcher = matcherOf(query, isCased);
      return (row, found) => {
        const times = countIn(row, matcher);
        if (times > 0) found.set(query, times);
        return times > 0;
      };
    }
  }
}

/** A comment is looked at with the rest of its lines, and has only what lies wholly in it. */
function countIn({ lead, text, tail }: CopiedRow, matcher: Matcher): number {
  const places = matcher.find(lead + text + tail);
  const [begins, ends] = [lead.length, lead.length + text.length];
  let times = 0;
  for (let place = 0; place < places.length; place += 2) {
    const [from = 0, to = 0] = [places[place], places[place + 1]];
    if (from >= begins && from < ends && to <= ends) times += 1;
  }
  return times;
}
