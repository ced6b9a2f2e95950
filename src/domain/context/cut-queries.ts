import { countUpTo } from "../../storage/count.ts";
import type { Db } from "../../storage/db.ts";
import { type Cut, mostCounted } from "./team-model.ts";

/** A list that was read, and how many there are in all; counted only when the list is full. */
export async function cutOf<T>(
  db: Db,
  items: readonly T[],
  limit: number,
  all: () => Parameters<typeof countUpTo>[2],
): Promise<Cut<T>> {
  return { items, total: items.length < limit ? items.length : await countUpTo(db, mostCounted, all()) };
}

/** Several lists as one, newest first. */
export function joinCuts<T extends { readonly id: string }>(
  cuts: readonly Cut<T>[],
  ageOf: (item: T) => number,
  limit: number,
): Cut<T> {
  const items = cuts.flatMap((cut) => cut.items);
  const sorted = items.sort((one, other) => ageOf(other) - ageOf(one) || (one.id < other.id ? 1 : -1));
  const total = cuts.reduce((sum, cut) => sum + cut.total, 0);
  return { items: sorted.slice(0, limit), total: Math.min(mostCounted, total) };
}
