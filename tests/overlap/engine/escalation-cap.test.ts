import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EscalationCap } from "../../../src/domain/overlap/engine/escalation-cap.ts";

const set = { escalateThreshold: 0.1, escalationCap: 0.1 };

function capOf(tops: readonly number[]): EscalationCap {
  const cap = new EscalationCap();
  tops.forEach((top, at) => {
    cap.note(`work ${at}`, [top]);
  });
  return cap;
}

const times = (count: number, top: number): number[] => Array.from({ length: count }, () => top);

describe("the cap on questions", () => {
  test("[OV22] with fewer than 200 checks the threshold is the one that was set", () => {
    expect([capOf(times(199, 0.5)), capOf(times(200, 0.5))].map((cap) => cap.raise(set))).toEqual([0.1, 0.5]);
  });

  test("[OV22] it rises to the score that the allowed share reached, and not where fewer reach the one set", () => {
    const rising = Array.from({ length: 200 }, (_, at) => at / 1_000);
    expect(capOf(rising).raise(set)).toBe(0.18);
    expect(capOf([...times(180, 0), ...times(20, 0.4)]).raise(set)).toBe(0.4);
    expect(capOf([...times(181, 0), ...times(19, 0.4)]).raise(set)).toBe(0.1);
  });

  test("[OV22] the share is set: none at all leaves identical work only, all of them nothing to raise", () => {
    const cap = capOf(times(200, 0.4));
    expect([0, 0.1, 1].map((escalationCap) => cap.raise({ ...set, escalationCap }))).toEqual([0.9, 0.4, 0.1]);
  });

  test("[OV22] the same work checked again counts once, with what was found last", () => {
    const cap = capOf(times(200, 0.02));
    for (let again = 0; again < 400; again += 1) cap.note("a loop", [0.8]);
    expect(cap.raise(set)).toBe(0.1);
    for (let at = 0; at < 20; at += 1) cap.note(`work ${at}`, [0.3]);
    expect(cap.raise(set)).toBe(0.3);
    for (let at = 0; at < 20; at += 1) cap.note(`work ${at}`, []);
    expect(cap.raise(set)).toBe(0.1);
  });

  test("[OV22] what was checked more than 500 pieces of work ago is forgotten", () => {
    const cap = capOf([...times(200, 0.6), ...times(500, 0.02)]);
    expect(cap.raise(set)).toBe(0.1);
  });

  test("[OV22] however much is alike, the threshold stays between the one set and what identical work scores", () => {
    const scores = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 });
    fc.assert(
      fc.property(
        fc.array(scores, { minLength: 200, maxLength: 600 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (found, escalationCap) => {
          const cap = new EscalationCap();
          found.forEach((one, at) => {
            cap.note(`${at}`, one);
          });
          const threshold = cap.raise({ ...set, escalationCap });
          expect(threshold).toBeGreaterThanOrEqual(set.escalateThreshold);
          expect(threshold).toBeLessThanOrEqual(0.9);
          const tops = found.slice(-500).map((one) => Math.max(0, ...one.filter((score) => score < 0.9)));
          const above = tops.filter((top) => top > threshold).length;
          expect(above).toBeLessThanOrEqual(tops.length * escalationCap);
        },
      ),
      { numRuns: 50 },
    );
  });
});
