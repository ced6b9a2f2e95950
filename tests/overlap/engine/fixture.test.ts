import { describe, expect, test } from "vitest";
import { indexOf } from "./docs.ts";
import { identical, others, type Pair, reworded, traps } from "./fixture.ts";

/** Traps that escalate although they should not. It may fall; to let it rise is to make agents judge in vain. */
const recordedFalseAlarms = 0;
/** Reworded duplicates that are only shown, not escalated: too few words in common. */
const recordedQuiet = 3;

/** One piece of work asked about, with the whole team's work around the one it is held against. */
function search({ asked, existing }: Pair) {
  const around = [...identical, ...reworded, ...traps]
    .map((pair) => pair.existing)
    .filter((doc) => doc.title !== existing.title && !isSameSubject(doc.title, existing.title));
  const matches = indexOf([...others, ...around, existing]).search(asked);
  return { matches, place: matches.findIndex(({ id }) => id === existing.id) };
}

/** The fixture has the leak in the handler twice. */
const isSameSubject = (one: string, other: string): boolean =>
  [one, other].every((title) => /memory leak/i.test(title));

describe("the fixture", () => {
  test("[OV20] has at least ten duplicates and twenty traps", () => {
    expect(identical.length + reworded.length).toBeGreaterThanOrEqual(10);
    expect(traps.length).toBeGreaterThanOrEqual(20);
  });

  test.each(identical)("[OV20] same title: $name", (pair) => {
    const { matches, place } = search(pair);
    expect(matches[place]).toMatchObject({ tier: "identical", escalates: true });
    expect(place).toBe(0);
  });

  test.each(reworded)("[OV20] reworded: $name", (pair) => {
    const { place } = search(pair);
    expect(place).toBeGreaterThanOrEqual(0);
    expect(place).toBeLessThan(5);
  });

  test("[OV20] no more reworded duplicates stay quiet and no more traps escalate than are recorded", () => {
    const escalates = (pair: Pair): boolean => {
      const { matches, place } = search(pair);
      return matches[place]?.escalates ?? false;
    };
    expect(reworded.filter((pair) => !escalates(pair)).length).toBeLessThanOrEqual(recordedQuiet);
    expect(traps.filter(escalates).map(({ name }) => name)).toHaveLength(recordedFalseAlarms);
  });
});
