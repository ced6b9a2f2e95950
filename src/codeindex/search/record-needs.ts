import type { TextNeed } from "../../contract/text-need.ts";
import type { Query } from "../query/grammar.ts";
import { listRequired } from "../query/pattern.ts";
import { listStems } from "../segment/stems.ts";

/** A condition of more parts costs a database more than it spares; SQLite reads none of more than a thousand. */
const mostParts = 60;

/** What every record that a query finds has in it; undefined where that says nothing or is too long to be asked. */
export function needOf(query: Query): TextNeed | undefined {
  const need = read(query);
  return need && countParts(need) <= mostParts ? need : undefined;
}

function read(query: Query): TextNeed | undefined {
  switch (query.type) {
    case "literal":
      return piece(query.text);
    case "pattern":
      return every(listRequired(query.source, query.flags).map(piece));
    case "and":
      return every(query.parts.map(read));
    case "or":
      return some(query.parts.map(read));
    case "plain": {
      const words = [...(query.text.match(/[\w$\u0080-\uffff]+/g) ?? []), ...(query.also ?? [])];
      // Of a word that has the stem `party` only `part` need be there: it may be `parties`.
      const stems = new Set(words.flatMap(listStems).map((stem) => (stem.length > 3 ? stem.slice(0, -1) : stem)));
      return some([...stems].map(piece));
    }
    default:
      return undefined;
  }
}

/** What is left out of a list of parts that all hold only widens it. */
function every(parts: readonly (TextNeed | undefined)[]): TextNeed | undefined {
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? undefined : { all: known };
}

/** Where one of several parts may be anything, so may the whole. */
function some(parts: readonly (TextNeed | undefined)[]): TextNeed | undefined {
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 || known.length < parts.length ? undefined : { any: known };
}

const shortestPiece = 2;

/**
 * The longest run that stands in a database as it does in the text: records are kept as JSON, which writes quotes and
 * backslashes differently, and databases differ in the small letters beyond ASCII.
 */
function piece(text: string): TextNeed | undefined {
  const runs = text.match(/[ !#-[\]-~]+/g) ?? [];
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), "");
  return longest.length < shortestPiece ? undefined : { has: longest.toLowerCase() };
}

const countParts = (need: TextNeed): number =>
  "has" in need ? 1 : ("all" in need ? need.all : need.any).reduce((sum, part) => sum + countParts(part), 0);
