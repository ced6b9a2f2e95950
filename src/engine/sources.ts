import { randomBytes, randomFillSync } from "node:crypto";
import { type IdKind, type IdTypes, idPrefixes } from "../contract/ids.ts";

/** Time and chance, injected so that the whole core can be simulated. */
export interface Sources {
  /** Milliseconds since 1970. */
  now(): number;
  randomBytes(count: number): Uint8Array;
  /** Which of several servers on one store this is: outside work is done where it was asked for. */
  readonly place?: string;
}

export const placeOf = (sources: Sources): string => sources.place ?? "here";

export const realSources: Sources = { now: () => Date.now(), randomBytes: takeRandom };

const pool = Buffer.alloc(4_096);
let taken = pool.length;

/** Fetched in bulk, because the system takes as long for a few bytes as for many. What was taken is wiped. */
function takeRandom(count: number): Uint8Array {
  if (count > pool.length) return randomBytes(count);
  if (taken + count > pool.length) {
    randomFillSync(pool);
    taken = 0;
  }
  const place = pool.subarray(taken, taken + count);
  taken += count;
  const bytes = Uint8Array.from(place);
  place.fill(0);
  return bytes;
}

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * A new id: its kind's prefix and 130 random bits, so that none can be guessed. A call's has the time before them: an
 * index of the ledger holds one for every call, and those of one moment must lie side by side there.
 */
export function newId<Kind extends IdKind>(sources: Sources, kind: Kind): IdTypes[Kind] {
  const time = kind === "call" ? sources.now().toString(32).padStart(9, "0") : "";
  let text = `${idPrefixes[kind]}_${time}`;
  for (const byte of sources.randomBytes(26)) text += alphabet[byte & 31];
  return text as IdTypes[Kind];
}
