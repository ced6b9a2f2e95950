import type { RawName } from "../git/names.ts";
import type { Identity } from "./disk-reader.ts";
import { listMoves } from "./git-commits.ts";
import type { LookedAt } from "./git-repository.ts";
import type { Shares } from "./own-commits.ts";

type Moves = ReadonlyMap<RawName, { readonly before: Identity; readonly after: Identity }>;

interface Change {
  readonly moves: Moves;
  /** Made on top of our own work, so that what it left behind holds ours as well. */
  readonly isOnOurs: boolean;
}

export interface BroughtIn {
  /** Oldest first. */
  readonly changes: readonly Change[];
  readonly warning?: string;
}

/** Commits on top of our own that are looked at one by one. */
const mostSingle = 500;

/**
 * What the commits of others changed: up to where they know nothing of ours, each line of them as a whole; beyond that,
 * such as what came to a main line after our work was merged into it, one by one.
 */
export async function readBroughtIn(
  repository: LookedAt,
  start: string | null,
  { own, others, graph }: Shares,
): Promise<BroughtIn> {
  if (others.length === 0) return { changes: [] };
  const isOwn = new Set(own);
  const isMixed = new Set<string>();
  for (const commit of graph.commits.toReversed()) {
    if (isOwn.has(commit) || graph.parentsOf(commit).some((parent) => isMixed.has(parent))) isMixed.add(commit);
  }
  const covered = new Set<string>();
  const tips: string[] = [];
  for (const commit of others.filter((one) => !isMixed.has(one))) {
    if (!covered.has(commit)) tips.push(commit);
    for (const parent of graph.parentsOf(commit)) covered.add(parent);
  }
  const single = others.filter((one) => isMixed.has(one) && graph.parentsOf(one).length === 1).toReversed();
  const changes: Change[] = [];
  let isWhole = single.length <= mostSingle;
  for (const tip of tips.toReversed()) {
    const base = start === null ? null : await findFork(repository, start, tip);
    if (base === undefined) isWhole = false;
    else changes.push({ moves: await listMoves(repository, base, tip), isOnOurs: false });
  }
  for (const commit of single.slice(0, mostSingle)) {
    changes.push({ moves: await listMoves(repository, graph.parentsOf(commit)[0] ?? null, commit), isOnOurs: true });
  }
  return isWhole ? { changes } : { changes, warning: notWhole };
}

/** Null where they share nothing, undefined where what they share is not here, as in a shallow clone. */
async function findFork({ run }: LookedAt, one: string, other: string): Promise<string | null | undefined> {
  const { code, text } = await run(["merge-base", one, other], [1, 128]);
  if (code === 0) return text;
  return (await run(["rev-parse", "--is-shallow-repository"])).text === "true" ? undefined : null;
}

const notWhole = "Not all history is available; commits of other branches may be counted.";

/** A file that the start had changed itself, and what others did to it. */
export interface Contest {
  readonly start: Identity;
  readonly steps: readonly { readonly before: Identity; readonly after: Identity }[];
  /** What they left holds our own change of it, so that a file which is exactly that may be ours all the same. */
  readonly holdsOurs: boolean;
}

/** How the start would look with all that others brought in, where that differs; and where both had changed a file. */
export function expectAfter(
  changes: readonly Change[],
  startOf: (name: RawName) => Identity,
): { readonly expected: ReadonlyMap<RawName, Identity>; readonly contested: ReadonlyMap<RawName, Contest> } {
  const expected = new Map<RawName, Identity>();
  const contested = new Map<RawName, Contest>();
  for (const { moves, isOnOurs } of changes) {
    for (const [name, step] of moves) {
      const start = expected.has(name) ? (expected.get(name) ?? null) : startOf(name);
      const contest = contested.get(name) ?? { start, steps: [], holdsOurs: false };
      if (contest.steps.length > 0 || (start !== step.before && start !== step.after)) {
        contested.set(name, {
          start: contest.start,
          steps: [...contest.steps, step],
          holdsOurs: contest.holdsOurs || isOnOurs,
        });
      }
      expected.set(name, step.after);
    }
  }
  return { expected, contested };
}
