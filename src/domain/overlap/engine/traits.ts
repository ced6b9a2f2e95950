import { stem } from "./stem.ts";
import { stopWords } from "./stop-words.ts";

/** What a term is besides a word, as bits, so that it is found out once for each term and not for each comparison. */
export const trait = {
  stop: 1,
  number: 2,
  generic: 4,
  test: 8,
  docs: 16,
  review: 32,
  fix: 64,
  build: 128,
  remove: 256,
  refactor: 512,
} as const;

/** What kind of work a title asks for. */
export const workTraits =
  trait.test | trait.docs | trait.review | trait.fix | trait.build | trait.remove | trait.refactor;

const words: Readonly<Record<Exclude<keyof typeof trait, "stop" | "number">, string>> = {
  generic: `add implement create build support introduce make write update change improve fix resolve handle use set get
    refactor clean cleanup remove delete drop rename move review check verify investigate ensure allow enable run do work
    need new bug issue problem task feature thing stuff code error misc various general minor small todo followup follow
    wip finish complete start continue please test docs`,
  test: "test tests testing spec specs coverage e2e unittest",
  docs: "doc docs document documentation readme changelog guide tutorial",
  review: "review audit inspect retrospective",
  fix: "fix bug bugfix hotfix repair resolve crash broken",
  build: "add implement create build support introduce",
  remove: "remove delete drop deprecate eliminate",
  refactor: "refactor rename extract simplify restructure cleanup",
};

const byTerm = collect();
const stops = new Set([...stopWords].map(stem));

export function traitsOf(term: string): number {
  const isNumber = /^v?\d+(?:\.\d+)*$/.test(term);
  return (byTerm.get(term) ?? 0) | (isNumber ? trait.number : 0) | (stops.has(term) ? trait.stop : 0);
}

function collect(): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [name, list] of Object.entries(words)) {
    const bit = trait[name as keyof typeof words];
    for (const word of list.split(/\s+/)) found.set(stem(word), (found.get(stem(word)) ?? 0) | bit);
  }
  return found;
}
