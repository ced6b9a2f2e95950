import { randomBytes } from "node:crypto";
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

export const realSources: Sources = { now: () => Date.now(), randomBytes: (count) => randomBytes(count) };

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** A new id: its kind's prefix and 130 random bits, so that none can be guessed. */
export function newId<Kind extends IdKind>(sources: Sources, kind: Kind): IdTypes[Kind] {
  const bytes = sources.randomBytes(26);
  let text = `${idPrefixes[kind]}_`;
  for (const byte of bytes) text += alphabet[byte & 31];
  return text as IdTypes[Kind];
}
