import type { GitArgs } from "../git/commands.ts";
import type { LookedAt } from "./git-repository.ts";

const mostEntries = 5_000;

/** Steps that only went to a commit that was there already, and those of which nothing is said. */
const onlyMoves = /^(?:$|checkout\b|reset\b|clone\b|branch\b|initial pull)|Fast-forward$|\((?:start|finish|abort)\)/i;

/**
 * Commits that were made in this working tree, by its own log of where it has been, each with the branch it was made on.
 * Undefined where no log is kept, or where it does not lead to the commit that is checked out.
 */
export async function readMade(
  { run }: LookedAt,
  ask: { readonly head: string; readonly branch: string | null },
): Promise<ReadonlyMap<string, string | null> | undefined> {
  const args: GitArgs = ["log", "-g", `--max-count=${mostEntries}`, "--format=%H %gs", "HEAD", "--"];
  const { code, text } = await run(args, [128]);
  const entries = text.split("\n").map((line) => {
    const space = line.indexOf(" ");
    return { commit: line.slice(0, space), step: line.slice(space + 1) };
  });
  if (code !== 0 || entries[0]?.commit !== ask.head) return undefined;
  entries.reverse();
  const made = new Map<string, string | null>();
  let branch = firstBranch(entries) ?? ask.branch;
  for (const { commit, step } of entries) {
    branch = branchAfter(step) ?? branch;
    if (!onlyMoves.test(step)) made.set(commit, branch);
  }
  return made;
}

const checkout = /^checkout: moving from (\S+) to (\S+)$/;

function firstBranch(entries: readonly { readonly step: string }[]): string | undefined {
  for (const { step } of entries) {
    const from = checkout.exec(step)?.[1];
    if (from !== undefined) return `refs/heads/${from}`;
  }
  return undefined;
}

/** A commit that was checked out by itself reads like a branch of that name, which there is not. */
function branchAfter(step: string): string | undefined {
  const to = checkout.exec(step)?.[2];
  return to === undefined ? /(?:returning to|renamed \S+ to) (refs\/heads\/\S+)$/.exec(step)?.[1] : `refs/heads/${to}`;
}
