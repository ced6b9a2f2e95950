import type { Omission } from "./task-context.ts";

/** Something that may go into a pack. */
export interface Piece {
  /** What it is counted under when it is left out or cut. */
  readonly section: string;
  /** The part of the budget it may take before everything else has had its turn. */
  readonly share?: number;
  /** The piece in at most so many characters; undefined when nothing useful is that short. */
  fit(most: number): Fitted | undefined;
}

export interface Fitted {
  readonly value: unknown;
  /** Characters that are missing from it. */
  readonly cut: number;
}

/** A piece that is in the pack, in the form it has there. */
export interface Chosen<P extends Piece = Piece> extends Fitted {
  readonly piece: P;
}

interface PackAsk<P extends Piece> {
  readonly budget: number;
  /** Counts the tokens of a text, never too low. */
  count(text: string): number;
  /** The whole answer with these pieces in it. */
  build(chosen: readonly Chosen<P>[], omitted: readonly Omission[]): unknown;
  /** Pieces that were not even read, by section. */
  readonly unread?: Readonly<Record<string, number>>;
}

/**
 * Fills a pack with the most needed pieces first (CX3): each within its share, then those that were cut again with what
 * is left. Then the answer as a whole is measured, and while it is over the budget the least needed piece comes out.
 */
export function fillPack<P extends Piece>(pieces: readonly P[], ask: PackAsk<P>): Chosen<P>[] {
  const chosen: (Placed<P> | undefined)[] = [];
  let left = ask.budget - measure(ask, pieces, []);
  for (const piece of pieces) {
    const placed = left < leastUseful ? undefined : place(piece, Math.min(left, shareOf(piece, ask.budget)), ask.count);
    chosen.push(placed);
    left -= placed?.cost ?? 0;
  }
  for (const [at, placed] of chosen.entries()) {
    if (!placed || placed.cut === 0 || left < leastUseful) continue;
    const wider = place(placed.piece, placed.cost + left, ask.count);
    if (!wider || wider.cut >= placed.cut) continue;
    left -= wider.cost - placed.cost;
    chosen[at] = wider;
  }
  const inside = chosen.filter((placed) => placed !== undefined);
  while (inside.length > 0 && measure(ask, pieces, inside) > ask.budget) inside.pop();
  return inside;
}

/** What of these pieces is not in the pack, in the order of the sections. */
export function listOmissions<P extends Piece>(
  pieces: readonly P[],
  chosen: readonly Chosen<P>[],
  unread: Readonly<Record<string, number>> = {},
): Omission[] {
  const cuts = new Map(chosen.map(({ piece, cut }) => [piece, cut]));
  const sections = new Map<string, { omitted: number; shortened: number; characters: number }>();
  const entryOf = (section: string) => {
    const entry = sections.get(section) ?? { omitted: 0, shortened: 0, characters: 0 };
    sections.set(section, entry);
    return entry;
  };
  for (const piece of pieces) {
    const cut = cuts.get(piece);
    const entry = entryOf(piece.section);
    if (cut === undefined) entry.omitted += 1;
    else if (cut > 0) entry.shortened += 1;
    entry.characters += cut ?? 0;
  }
  for (const [section, count] of Object.entries(unread)) entryOf(section).omitted += count;
  return [...sections].flatMap(([section, { omitted, shortened, characters }]) =>
    omitted + shortened === 0
      ? []
      : [{ section, ...(omitted > 0 ? { omitted } : {}), ...(shortened > 0 ? { shortened, characters } : {}) }],
  );
}

const measure = <P extends Piece>(ask: PackAsk<P>, pieces: readonly P[], chosen: readonly Chosen<P>[]): number =>
  ask.count(JSON.stringify(ask.build(chosen, listOmissions(pieces, chosen, ask.unread))));

interface Placed<P extends Piece> extends Chosen<P> {
  readonly cost: number;
}

/** JSON punctuation around a piece: key and comma. */
const overhead = 4;
/** With fewer tokens than this nothing is worth adding. */
const leastUseful = 12;
/** Whatever its share, a piece gets room for a line. */
const leastShare = 60;
/** No text that means something has so many characters for each token; what is longer is not even counted. */
const mostCharactersPerToken = 8;
const mostTries = 4;

const shareOf = ({ share }: Piece, budget: number): number =>
  share === undefined ? budget : Math.max(leastShare, Math.floor(budget * share));

/** The longest form of a piece that costs no more than `budget`. */
function place<P extends Piece>(piece: P, budget: number, count: (text: string) => number): Placed<P> | undefined {
  let most = budget * mostCharactersPerToken;
  for (let tries = 0; tries < mostTries && most >= 1; tries += 1) {
    const fitted = piece.fit(Math.floor(most));
    if (!fitted) return undefined;
    const text = JSON.stringify(fitted.value) ?? "";
    const cost = count(text) + overhead;
    if (cost <= budget) return { ...fitted, piece, cost };
    most = ((Math.min(most, text.length) * (budget - overhead)) / (cost - overhead)) * 0.95;
  }
  return undefined;
}
