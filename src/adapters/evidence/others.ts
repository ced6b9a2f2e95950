import type { RawName } from "../git/names.ts";
import { type BroughtIn, expectAfter, readBroughtIn } from "./brought-in.ts";
import { combineAll } from "./combine.ts";
import type { Identity, Seen } from "./disk-reader.ts";
import type { LookedAt } from "./git-repository.ts";
import { type Start, tellApart } from "./own-commits.ts";

interface Ends {
  readonly atStart: (name: RawName) => Identity;
  readonly after: (name: RawName) => Identity;
  /** Neither dirty now nor at the start. */
  readonly isClean: (name: RawName) => boolean;
}

interface Foreseen {
  /** What a file would be without the task's own work. */
  readonly before: (name: RawName) => Identity;
  /** Where that is not what it was at the start. */
  readonly replaced: ReadonlyMap<RawName, Seen>;
}

/** What others brought into a working tree since a task started there. */
interface Others {
  readonly changes: BroughtIn["changes"];
  readonly warnings: readonly string[];
  readonly isComplete: boolean;
  foresee(ends: Ends): Promise<Foreseen>;
}

const nobody: Others = {
  changes: [],
  warnings: [],
  isComplete: true,
  foresee: async ({ atStart }) => ({ before: atStart, replaced: new Map() }),
};

export async function readOthers(repository: LookedAt, start: Start, head: string | null): Promise<Others> {
  if (head === null || head === start.commit) return nobody;
  const shares = await tellApart(repository, start, head);
  const { changes, warning: gap } = await readBroughtIn(repository, start.commit, shares);
  const unsure = [shares.warning, gap].filter((warning) => warning !== undefined);
  return {
    changes,
    warnings: [...((await isRewritten(repository, start, head)) ? [rewritten] : []), ...unsure],
    isComplete: unsure.length === 0,
    foresee: (ends) => foresee(repository, changes, ends),
  };
}

/**
 * What only others changed is expected as they left it. Where the start had a change of its own to the same file, what
 * git makes of both is expected: only what differs from that is the task's doing. So it is where others went on from
 * the task's own work: how they left the file does not tell whose it is.
 */
async function foresee(
  repository: LookedAt,
  changes: BroughtIn["changes"],
  { atStart, after, isClean }: Ends,
): Promise<Foreseen> {
  const { expected, contested } = expectAfter(changes, atStart);
  const replaced = new Map([...expected].map(([name, identity]) => [name, { identity }]));
  const open = [...contested].filter(([name, { holdsOurs }]) => holdsOurs || after(name) !== expected.get(name));
  const combined = await combineAll(repository, new Map(open.filter(([name]) => isClean(name))));
  for (const [name, { holdsOurs }] of open) {
    const is = after(name);
    if (is === atStart(name) || is === combined.get(name)) replaced.set(name, { identity: is });
    else if (holdsOurs || expected.get(name) === null) replaced.delete(name);
  }
  const before = (name: RawName): Identity => {
    const foreseen = replaced.get(name);
    return foreseen ? foreseen.identity : atStart(name);
  };
  return { before, replaced: new Map([...replaced].filter(([name]) => before(name) !== after(name))) };
}

const rewritten =
  "The commit the task started from was rewritten (rebase, amend, squash or reset); only what this branch adds beyond other branches is counted.";

/** Whether the start is no longer part of the history, neither here nor on the branch it was on. */
async function isRewritten({ run }: LookedAt, { commit, branch }: Start, head: string): Promise<boolean> {
  if (commit === null) return false;
  const isIn = async (tip: string): Promise<boolean> =>
    (await run(["merge-base", "--is-ancestor", commit, tip], [1, 128])).code === 0;
  return !(await isIn(head)) && (branch === null || !(await isIn(branch)));
}
