/** Money inside the house is whole billionths of a dollar: sums are exact, on every database and in any order. */

const nanosPerDollar = 1_000_000_000;

/** The most that one report may cost; more is a mistake in units. */
export const mostDollars = 1_000_000;

export const nanosOf = (dollars: number): bigint => BigInt(Math.round(dollars * nanosPerDollar));

export const dollarsOf = (nanos: bigint | number): number => Number(nanos) / nanosPerDollar;
