import { join } from "node:path";
import { Refusal } from "../../contract/refusal.ts";
import { textOfName } from "../evidence/file-names.ts";
import type { GitArgs } from "./commands.ts";
import { type RawName, readNames } from "./names.ts";
import { findCommit } from "./refs.ts";
import type { Repository } from "./repository.ts";
import { listLinkedWorktrees } from "./worktrees.ts";

/** A folder in which a branch is checked out. */
interface Holder {
  readonly path: string;
  readonly gitDir: string;
}

interface Step {
  /** A full ref name. */
  readonly ref: string;
  readonly from: string;
  readonly to: string;
}

/** Refuses where somebody has changed files in a folder that shows this branch. */
export async function checkHolders(repository: Repository, ref: string): Promise<void> {
  for (const holder of await listHolders(repository, ref)) {
    const changed = await listChanged(repository, holder);
    if (changed.length > 0) throw dirty(holder, changed);
  }
}

/**
 * Moves a branch on, and every folder that shows it along. Nobody's changes are touched: a folder with any keeps the
 * branch where it is. Interrupted anywhere, the same step can be taken again. Answers which folders had to be left.
 */
export async function advance(repository: Repository, { ref, from, to }: Step): Promise<string[]> {
  const holders = await listHolders(repository, ref);
  if ((await findCommit(repository, ref)) !== to) {
    await checkHolders(repository, ref);
    for (const holder of holders) await rehearse(repository, holder, { from, to });
    await repository.git(["update-ref", "-m", "crewdeck", "--end-of-options", ref, to, from]);
    for (const holder of holders) await repository.git(["read-tree", "-m", "-u", from, to], inside(holder));
    return [];
  }
  const left: string[] = [];
  for (const holder of holders) {
    if (await isBetween(repository, holder, { from, to })) {
      await repository.git(["read-tree", "--reset", "-u", to], inside(holder));
    } else left.push(holder.path);
  }
  return left;
}

async function listHolders(repository: Repository, ref: string): Promise<Holder[]> {
  const linked = (await listLinkedWorktrees(repository)).filter(({ branch }) => branch === ref);
  const main = await findMain(repository);
  const isMain = main !== undefined && (await headOf(repository)) === ref;
  return [...(isMain ? [main] : []), ...linked.map(({ path, gitDir }) => ({ path, gitDir }))];
}

/** The folder that was there before any other worktree; a bare repository has none. */
async function findMain(repository: Repository): Promise<Holder | undefined> {
  const { commonDir } = repository;
  const { text } = await repository.git(["rev-parse", "--is-bare-repository"]);
  return text === "true" ? undefined : { path: join(commonDir, ".."), gitDir: commonDir };
}

const headOf = async ({ git }: Repository): Promise<string> =>
  (await git(["symbolic-ref", "-q", "HEAD"], { answers: [1] })).text;

const inside = ({ path, gitDir }: Holder) => ({ gitDir, workTree: path });

/** Tracked files that differ from the commit, staged or not. */
async function listChanged({ git }: Repository, holder: Holder): Promise<RawName[]> {
  const args: GitArgs = [
    "status",
    "--porcelain=v1",
    "-z",
    "--no-renames",
    "--untracked-files=no",
    "--ignore-submodules=all",
  ];
  return readNames((await git(args, inside(holder))).stdout).map((line) => line.slice(3));
}

/** Refuses where a file that nobody has committed lies where the step would put one. */
async function rehearse({ git }: Repository, holder: Holder, { from, to }: Omit<Step, "ref">): Promise<void> {
  // What was written beside git's own commands is clean by its content, and unknown to the index by its time.
  await git(["update-index", "-q", "--refresh"], { ...inside(holder), answers: [1] });
  const { code, complaints } = await git(["read-tree", "-m", "-u", "-n", from, to], {
    ...inside(holder),
    answers: [128],
  });
  if (code === 0) return;
  throw inTheWay(
    holder,
    [...complaints.matchAll(/file '(.+?)' would be/g)].map(([, name = ""]) => name),
  );
}

/** Every file is as one of the two commits has it: what an interrupted step leaves, and no work of anybody's. */
async function isBetween({ git }: Repository, holder: Holder, { from, to }: Omit<Step, "ref">): Promise<boolean> {
  await git(["update-index", "-q", "--refresh"], { ...inside(holder), answers: [1] });
  const differing = async (commit: string): Promise<RawName[]> =>
    readNames(
      (await git(["diff-index", "--name-only", "-z", "--ignore-submodules=all", commit], inside(holder))).stdout,
    );
  const ofTo = new Set(await differing(to));
  return (await differing(from)).every((name) => !ofTo.has(name));
}

const mostNamed = 10;

const dirty = (holder: Holder, names: readonly RawName[]): Refusal =>
  refuseFor(holder, names.map(textOfName), "Uncommitted changes");

const inTheWay = (holder: Holder, files: readonly string[]): Refusal =>
  refuseFor(holder, files, "Untracked files in the way");

function refuseFor({ path: folder }: Holder, files: readonly string[], what: string): Refusal {
  const more = files.length > mostNamed ? ` and ${files.length - mostNamed} more` : "";
  return new Refusal(
    "INVALID_STATE",
    `${what} in ${folder}: ${files.slice(0, mostNamed).join(", ")}${more}.`,
    "Commit, stash or move them there, then try again.",
    { folder, files: files.slice(0, 100) },
  );
}
