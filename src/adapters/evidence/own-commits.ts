import { type Graph, readGraph } from "./commit-graph.ts";
import { readMade } from "./git-reflog.ts";
import { readBranch, readRefs } from "./git-refs.ts";
import type { LookedAt } from "./git-repository.ts";

/** Where a task began: the commit to compare with, and what was known of branches then. */
export interface Start {
  readonly commit: string | null;
  readonly branch: string | null;
  readonly refs: Readonly<Record<string, string>>;
}

/** Commits since the start, told apart by whose they are. */
export interface Shares {
  /** Made by this working tree, newest first. */
  readonly own: readonly string[];
  /** Newest first. */
  readonly others: readonly string[];
  readonly graph: Graph;
  readonly warning?: string;
}

const mostRefs = 2_000;

/**
 * Whose the commits since the start are (EV20). Everything that was on some branch when the task started is another's.
 * What was made in this working tree is its own, unless it was made on a branch that was there before, is none of the
 * two the task began and ended on, and still has it. What came from elsewhere is another's while any branch has it.
 */
export async function tellApart(repository: LookedAt, start: Start, head: string): Promise<Shares> {
  const graph = await readGraph(repository, start.commit, head);
  if (graph.isCut) return { own: graph.commits, others: [], graph, warning: tooLong };
  if (graph.commits.length === 0) return { own: [], others: [], graph };
  const [branch, refs] = [await readBranch(repository), await readRefs(repository, mostRefs)];
  const isHere = (ref: string): boolean => ref === branch || ref === start.branch;
  const made = await readMade(repository, { head, branch });
  const elsewhere = made
    ? [...refs.keys()].filter((ref) => ref !== branch)
    : [...refs.keys()].filter((ref) => !isHere(ref) && !isTwin(ref, branch) && !isTwin(ref, start.branch));
  const lacking = (names: Iterable<string>): Promise<ReadonlySet<string>> =>
    graph.without([...names].flatMap((name) => refs.get(name) ?? []));
  const fresh = await graph.without(Object.values(start.refs));
  const nowhereElse = await lacking(elsewhere);
  const aside = [...new Set(made?.values() ?? [])].filter(
    (ref): ref is string => ref !== null && !isHere(ref) && Object.hasOwn(start.refs, ref) && refs.has(ref),
  );
  const notAside = await lacking(aside);
  const straight = made ? undefined : graph.straightTo(start.commit);
  const isOwn = (commit: string): boolean => {
    if (!fresh.has(commit)) return false;
    const on = made?.get(commit);
    if (on !== undefined) return notAside.has(commit) || on === null || !aside.includes(on);
    return nowhereElse.has(commit) || straight?.has(commit) === true;
  };
  return {
    own: graph.commits.filter(isOwn),
    others: graph.commits.filter((commit) => !isOwn(commit)),
    graph,
  };
}

/** The branch of a remote to which this one is pushed, by its name. */
const isTwin = (ref: string, branch: string | null): boolean =>
  branch !== null && ref.startsWith("refs/remotes/") && ref.endsWith(branch.slice("refs/heads".length));

const tooLong =
  "More commits came in since the start than can be told apart; commits of other branches may be counted.";
