import table from "./background.generated.json" with { type: "json" };

export interface Background {
  /** How much a term tells in software work at large. */
  weightOf(term: string): number;
}

let read: Background | undefined;

/** Reads the shipped table, at the first use: whoever never compares work does not pay for it. */
export function readBackground(): Background {
  read ??= parseTable();
  return read;
}

/** One line for each weight, the weight in hundredths first, then its terms. */
function parseTable(): Background {
  const weights = new Map<string, number>();
  for (const line of table.lines) {
    const [weight, ...terms] = line.split(" ");
    for (const term of terms) weights.set(term, Number(weight) / 100);
  }
  return { weightOf: (term) => weights.get(term) ?? table.unknown };
}
