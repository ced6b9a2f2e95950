import { Refusal } from "../../contract/refusal.ts";

/**
 * A place in the ledger as clients hold it. Opaque on purpose: what it stands for may change, what it promises may
 * not, namely that reading on from it misses nothing and repeats nothing.
 */
export const cursorOf = (seq: number): string => Buffer.from(`1.${seq.toString(36)}`).toString("base64url");

export function seqOf(cursor: string): number {
  const [version, place = ""] = Buffer.from(cursor, "base64url").toString("latin1").split(".");
  const seq = Number.parseInt(place, 36);
  if (version !== "1" || !Number.isSafeInteger(seq) || seq < 0 || cursorOf(seq) !== cursor) {
    throw new Refusal("INVALID_REQUEST", "That cursor was not given out by this server.", "Start without a cursor.");
  }
  return seq;
}
