/** Something that may go into a context pack, most needed first. */
export interface Piece {
  /** What it is counted under when it is left out. */
  readonly section: string;
  /** What it adds, for its cost. */
  readonly value: unknown;
  /** Puts it in and answers how to take it out again. */
  put(): () => void;
  /** A shorter form with at most so many characters, if there is a useful one. */
  shorten?(most: number): Piece | undefined;
}

export interface Omission {
  readonly section: string;
  readonly omitted: number;
  readonly shortened: number;
}

/** JSON punctuation around a piece: quotes, key, comma. */
const overhead = 10;
/** Shorter than this a cut text says nothing. */
const leastUseful = 80;

/**
 * Fills a pack with the most needed pieces until the budget is used up, then proves it on the whole: while the answer
 * itself is over the budget, what was put in last comes out again (F5). `measure` counts the tokens of the whole answer
 * with the given omissions in it.
 */
export function fillPack(
  pieces: readonly Piece[],
  ask: { budget: number; count: (text: string) => number; measure: (omitted: readonly Omission[]) => number },
): readonly Omission[] {
  const omissions = new Map<string, { omitted: number; shortened: number }>();
  const note = (section: string, what: "omitted" | "shortened", by = 1): void => {
    const entry = omissions.get(section) ?? { omitted: 0, shortened: 0 };
    entry[what] += by;
    omissions.set(section, entry);
  };
  const listed = (): Omission[] =>
    [...omissions]
      .filter(([, entry]) => entry.omitted + entry.shortened > 0)
      .map(([section, entry]) => ({ section, ...entry }));

  const inside: { section: string; takeOut: () => void; wasShortened: boolean }[] = [];
  let left = ask.budget - ask.measure([]);
  for (const piece of pieces) {
    const cost = costOf(piece, ask.count);
    if (cost <= left) {
      inside.push({ section: piece.section, takeOut: piece.put(), wasShortened: false });
      left -= cost;
      continue;
    }
    const most = (left - overhead) * 3;
    const shorter = most >= leastUseful ? piece.shorten?.(most) : undefined;
    const shorterCost = shorter ? costOf(shorter, ask.count) : 0;
    if (shorter && shorterCost <= left) {
      inside.push({ section: piece.section, takeOut: shorter.put(), wasShortened: true });
      left -= shorterCost;
      note(piece.section, "shortened");
    } else {
      note(piece.section, "omitted");
    }
  }
  while (inside.length > 0 && ask.measure(listed()) > ask.budget) {
    const last = inside.pop();
    last?.takeOut();
    if (last?.wasShortened) note(last.section, "shortened", -1);
    if (last) note(last.section, "omitted");
  }
  return listed();
}

const costOf = (piece: Piece, count: (text: string) => number): number =>
  count(JSON.stringify(piece.value) ?? "") + overhead;
