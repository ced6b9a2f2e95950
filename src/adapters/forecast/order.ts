import type { OrderStep } from "../../domain/forecast/port.ts";
import { textOfName } from "../evidence/file-names.ts";
import type { Attributes } from "../git/attributes.ts";
import { identity } from "../git/merged.ts";
import type { RawName } from "../git/names.ts";
import type { Repository } from "../git/repository.ts";
import { tryMerges } from "./merge-batch.ts";
import type { Base, Side } from "./sides.ts";
import { sometime } from "./snapshot.ts";

/**
 * The order in which branches go into their base with the fewest conflicts. At each step every branch that is left is
 * tried on what the steps before would have made, never every order: of those that merge, the one with the fewest
 * rivals goes first, so that it does not keep two others out. What merges with nothing comes last.
 */
export async function findOrder(
  repository: Repository,
  { base, sides }: { readonly base: Base; readonly sides: readonly Side[] },
  attributes: Attributes,
): Promise<OrderStep[]> {
  const rivals = await findRivals(repository, sides, attributes);
  const waiting = sides.toSorted(
    (one, other) =>
      (rivals.get(one)?.size ?? 0) - (rivals.get(other)?.size ?? 0) ||
      one.changes.size - other.changes.size ||
      (one.path < other.path ? -1 : 1),
  );
  const merged: Side[] = [];
  const steps: OrderStep[] = [];
  let onto = base.commit;
  for (;;) {
    const tried = await tryMerges(
      repository,
      waiting.map(({ commit }) => [onto, commit]),
      attributes,
    );
    const at = tried.findIndex((conflicts) => conflicts?.length === 0);
    const [next] = at === -1 ? [] : waiting.splice(at, 1);
    if (next === undefined)
      return [...steps, ...lastOnes(waiting, tried, (side) => rivalsIn(merged, rivals.get(side)))];
    steps.push({ branch: next.path, verdict: "clean", conflicts: [], against: [] });
    merged.push(next);
    const [workTree] = await attributes.foldersOf(repository, [onto]);
    onto = await mergeInto(repository, [onto, next.commit], workTree);
  }
}

type Rivals = ReadonlyMap<Side, ReadonlySet<Side>>;

/** With which others each is in conflict. Two that change no file in common are not. */
async function findRivals(repository: Repository, sides: readonly Side[], attributes: Attributes): Promise<Rivals> {
  const pairs = sides
    .flatMap((one, at) => sides.slice(at + 1).map((other) => [one, other] as const))
    .filter(([one, other]) => [...one.changes.keys()].some((name) => other.changes.has(name)));
  const tried = await tryMerges(
    repository,
    pairs.map(([one, other]) => [one.commit, other.commit]),
    attributes,
  );
  const rivals = new Map(sides.map((side) => [side, new Set<Side>()]));
  for (const [at, [one, other]] of pairs.entries()) {
    if (tried[at]?.length === 0) continue;
    rivals.get(one)?.add(other);
    rivals.get(other)?.add(one);
  }
  return rivals;
}

const rivalsIn = (merged: readonly Side[], rivals: ReadonlySet<Side> | undefined): string[] =>
  merged.filter((side) => rivals?.has(side)).map(({ path }) => path);

/** The fewest files in conflict first; what could not be tried at the end. */
function lastOnes(
  waiting: readonly Side[],
  tried: readonly (readonly RawName[] | undefined)[],
  rivalsOf: (side: Side) => readonly string[],
): OrderStep[] {
  return waiting
    .map((side, at): OrderStep => {
      const names = tried[at];
      const { path: branch } = side;
      if (names === undefined) return { branch, verdict: "unknown", conflicts: [], against: [] };
      return { branch, verdict: "conflict", conflicts: names.map(textOfName), against: rivalsOf(side) };
    })
    .toSorted((one, other) => weightOf(one) - weightOf(other));
}

const weightOf = ({ verdict, conflicts }: OrderStep): number =>
  verdict === "unknown" ? Number.POSITIVE_INFINITY : conflicts.length;

/** What a clean merge would leave, as a commit among our own objects. */
async function mergeInto(
  { git }: Repository,
  [onto, commit]: readonly [string, string],
  workTree: string | undefined,
): Promise<string> {
  const { text } = await git(["merge-tree", "--write-tree", "--no-messages", onto, commit], { workTree });
  const dates = { GIT_AUTHOR_DATE: sometime, GIT_COMMITTER_DATE: sometime };
  const made = await git(["commit-tree", "-m", "as it would be", "-p", onto, "-p", commit, text], {
    env: { ...identity, ...dates },
  });
  return made.text;
}
