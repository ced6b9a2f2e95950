import { join } from "node:path";
import { expect, test } from "vitest";
import { repository } from "./planted-tree.ts";

interface Site {
  readonly line: number;
  readonly what: string;
  readonly start: number;
  readonly end: number;
}
type Fault = Site & { readonly id: number };

interface Planting {
  listSites(path: string, text: string, parsed: unknown): Site[];
  chooseSites(sites: readonly Site[], ask: { most: number; seed: number }): Fault[];
  plant(text: string, faults: readonly Fault[]): string;
  parseSource(text: string, path: string): unknown;
}

const load = async (script: string): Promise<Partial<Planting>> => import(join(repository, "scripts", script));
const { listSites, chooseSites, plant, parseSource } = {
  ...(await load("faults/sites.mjs")),
  ...(await load("faults/plant.mjs")),
  ...(await load("steps/syntax.mjs")),
} as Planting;

const source = `const limit = 3 > 2 ? 3 : 2;
export function admit(age, guests) {
  if (age < 18 && !guests.length) throw new Error("too young");
  note(age);
  return guests.length > limit ? "full" : "in";
}
`;
const sites = listSites("door.ts", source, parseSource(source, "door.ts"));

test("[RE94] a fault is planted where a rule can be wrong, never in what runs once at the start", () => {
  expect(sites.map(({ line, what }) => `${line} ${what}`).sort()).toEqual([
    "3 ! is gone",
    "3 && without its left side",
    "3 && without its right side",
    "3 < is <=",
    "3 never",
    "4 is not done",
    "5 > is >=",
    "5 always the first",
    "5 always the second",
  ]);
});

test("[RE94] each fault is in the text behind a switch, and only the one that is on does anything", () => {
  const faults = chooseSites(sites, { most: 100, seed: 1 });
  expect(faults.length).toBeGreaterThan(2);
  const planted = plant(source, faults);
  const outcomesWith = (active: number): unknown[] => {
    const noted: unknown[] = [];
    // The planted text is ours, from the lines above.
    const make = new Function("globalThis", "note", `${planted.replace("export ", "")}; return admit;`);
    const admit = make({ hasFault: (id: number) => id === active }, (age: number) => noted.push(age));
    const cases = [
      [18, []],
      [17, []],
      [17, ["a"]],
      [30, ["a", "b", "c"]],
      [30, ["a", "b", "c", "d"]],
    ];
    const told = cases.map(([age, guests]) => {
      try {
        return admit(age, guests);
      } catch {
        return "refused";
      }
    });
    return [...told, noted];
  };
  const right = ["in", "refused", "in", "in", "full", [18, 17, 30, 30]];
  expect(outcomesWith(0)).toEqual(right);
  for (const { id, what } of faults) expect(outcomesWith(id), what).not.toEqual(right);
});

test("[RE94] the same seed plants the same faults, and none lies in another", () => {
  const ask = { most: 4, seed: 7 };
  expect(chooseSites(sites, ask)).toEqual(chooseSites(sites, ask));
  const chosen = [...chooseSites(sites, { most: 100, seed: 3 })].sort((one, other) => one.start - other.start);
  for (const [at, { start }] of chosen.entries()) expect(chosen[at - 1]?.end ?? 0).toBeLessThanOrEqual(start);
});
