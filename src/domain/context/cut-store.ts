import type { Db, Query } from "../../storage/db.ts";
import type { Cut } from "./team-model.ts";

/** A count stops here: how many thousand more there are tells nobody anything. */
export const mostCounted = 1_000;

interface Countable {
  limit(most: number): Query<unknown>;
}

/** How many rows there are when `shown` of them fill a list of `limit`; asked only when the list is full. */
export async function countBeyond(db: Db, shown: number, limit: number, matching: () => Countable): Promise<number> {
  return shown < limit ? shown : (await db.all(matching().limit(mostCounted))).length;
}

/** Several lists as one, newest first. */
export function joinCuts<T extends { readonly id: string }>(
  cuts: readonly Cut<T>[],
  ageOf: (item: T) => number,
  limit: number,
): Cut<T> {
  const items = cuts.flatMap((cut) => cut.items);
  const sorted = items.sort((one, other) => ageOf(other) - ageOf(one) || (one.id < other.id ? 1 : -1));
  return {
    items: sorted.slice(0, limit),
    total: Math.min(
      mostCounted,
      cuts.reduce((sum, cut) => sum + cut.total, 0),
    ),
  };
}
