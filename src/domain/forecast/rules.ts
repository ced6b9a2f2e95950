import type { Collision, CollisionVerdict } from "./model.ts";
import type { MeetingPlace, Outlook } from "./port.ts";

/** What a forecast says of one pair. */
export type Seen = Pick<Collision, "one" | "other" | "baseBranch" | "verdict" | "places">;

interface CollisionPlan {
  readonly begun: readonly Seen[];
  readonly changed: readonly { readonly was: Collision; readonly now: Seen }[];
  /** The same verdict, elsewhere in the files. */
  readonly moved: readonly { readonly was: Collision; readonly now: Seen }[];
  readonly ended: readonly Collision[];
}

/**
 * What a fresh look changes in what is known (FC12). A pair that could not be tried this time, or one of whose folders
 * was left out, stays as it was: not to know is no end.
 */
export function planCollisions(known: readonly Collision[], outlook: Outlook): CollisionPlan {
  const seen = new Map(listSeen(outlook).map((one) => [keyOf(one), one]));
  const open = new Set(known.map(keyOf));
  const paired = known.map((was) => ({ was, now: seen.get(keyOf(was)) }));
  const held = paired.flatMap(({ was, now }) => (now === undefined ? [] : [{ was, now }]));
  return {
    begun: [...seen.values()].filter((one) => !open.has(keyOf(one))),
    changed: held.filter(({ was, now }) => was.verdict !== now.verdict),
    moved: held.filter(({ was, now }) => was.verdict === now.verdict && !isSamePlace(was, now)),
    ended: paired.filter(({ was, now }) => now === undefined && isKnownToEnd(was, outlook)).map(({ was }) => was),
  };
}

/** That the base may have done the work is one thing, that it conflicts with it another: both can be so. */
const keyOf = ({ one, other, verdict }: Pick<Seen, "one" | "other" | "verdict">): string =>
  [one, other ?? "", verdict === "moot" ? verdict : ""].join("\0");

const isSamePlace = (was: Collision, now: Seen): boolean =>
  was.baseBranch === now.baseBranch && JSON.stringify(was.places) === JSON.stringify(now.places);

const isKept = (verdict: string): verdict is CollisionVerdict =>
  verdict === "conflict" || verdict === "symbol" || verdict === "near";

function listSeen({ meetings, worktrees, base }: Outlook): Seen[] {
  const pairs = meetings.flatMap(({ between, verdict, places }): Seen[] => {
    // Git lists folders in an order that changes; a pair stays the same.
    const [one, other] = between.toSorted();
    if (one === undefined || other === undefined || !isKept(verdict)) return [];
    return [{ one, other, baseBranch: null, verdict, places: places.map(placeOf) }];
  });
  const outdated = worktrees.flatMap(({ path, behind }): Seen[] =>
    base === null || behind === null || behind.conflicts.length === 0
      ? []
      : [
          {
            one: path,
            other: null,
            baseBranch: base.ref,
            verdict: "conflict",
            places: behind.conflicts.slice(0, mostPlaces).map((name) => ({ path: name, heading: null })),
          },
        ],
  );
  const moot = worktrees.flatMap(({ path, doneBy }): Seen[] => {
    if (base === null || !doneBy) return [];
    const heading = `${doneBy.commit.slice(0, 10)} ${doneBy.subject}`.trim();
    const places = doneBy.paths.slice(0, mostPlaces).map((name) => ({ path: name, heading }));
    return [{ one: path, other: null, baseBranch: base.ref, verdict: "moot", places }];
  });
  return [...pairs, ...outdated, ...moot];
}

const mostPlaces = 20;

const placeOf = ({ path, heading, symbol }: MeetingPlace): Collision["places"][number] => {
  if (symbol === undefined) return { path, heading };
  const { name, why, definedIn } = symbol;
  return { path, heading, symbol: { name, why, definedIn } };
};

function isKnownToEnd({ one, other }: Collision, { worktrees, meetings, leftOut }: Outlook): boolean {
  const ends = other === null ? [one] : [one, other];
  const looks = ends.map((path) => worktrees.find((worktree) => worktree.path === path));
  if (looks.some((look) => look !== undefined && look.leftOutFor !== null)) return false;
  if (leftOut > 0 && looks.some((look) => look === undefined)) return false;
  return !meetings.some(
    ({ between, verdict }) => verdict === "unknown" && ends.every((path) => between.includes(path)),
  );
}
