import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { LeftOutFor } from "../../domain/forecast/port.ts";
import type { Repository } from "../git/repository.ts";
import { findBaseRef, listDefaults } from "../git/survey.ts";
import { listLinkedWorktrees } from "../git/worktrees.ts";
import { Memory } from "../memory.ts";
import { type Changes, listChanges } from "./changes.ts";
import { limits } from "./limits.ts";
import { type CheckedOut, type Snapshot, snapshotFolder } from "./snapshot.ts";

/** What everybody's work goes into. */
export interface Base {
  readonly branch: string;
  readonly commit: string;
  /** What git calls that commit. */
  readonly ref: string;
}

/** One folder's work, as it would be merged. */
export interface Side {
  readonly path: string;
  readonly branch: string | null;
  readonly head: string;
  readonly dirty: number;
  readonly skipped: number;
  readonly leftOutFor: LeftOutFor | null;
  /** A commit of all there is. */
  readonly commit: string;
  /** Where it left the base; its own commit where there is no base. */
  readonly fork: string;
  /** What it changes beyond the base. */
  readonly changes: Changes;
}

/** The branch that is asked for, else what the repository takes for its main one. */
export async function findBase(repository: Repository, wanted?: string): Promise<Base | null> {
  for (const branch of wanted === undefined ? await listDefaults(repository, "origin") : [wanted]) {
    const found = await findBaseRef(repository, branch, "origin");
    if (found !== undefined) return { branch, ...found };
  }
  return null;
}

/** Every folder of the repository, its main one first. */
export async function listFolders(repository: Repository): Promise<CheckedOut[]> {
  const { commonDir } = repository;
  const linked = await listLinkedWorktrees(repository);
  const main = basename(commonDir) === ".git" ? [{ path: dirname(commonDir), gitDir: commonDir }] : [];
  return [...main, ...linked.map(({ path, gitDir }) => ({ path, gitDir }))].filter(({ path }) => existsSync(path));
}

/** The branches of the repository with their newest commits. */
export async function listBranches({ git }: Repository): Promise<ReadonlyMap<string, string>> {
  const { text } = await git(["for-each-ref", "--format=%(refname:lstrip=2) %(objectname)", "refs/heads"]);
  return new Map(
    text.split("\n").flatMap((line) => {
      const at = line.lastIndexOf(" ");
      return at === -1 ? [] : [[line.slice(0, at), line.slice(at + 1)] as const];
    }),
  );
}

/** Which branch is checked out in which folder. */
export async function listCheckedOut(
  repository: Repository,
  folders: readonly CheckedOut[],
): Promise<{ branch: string; path: string }[]> {
  const found = [];
  for (const { path, gitDir } of folders) {
    const branch = await readBranch(repository, gitDir);
    if (branch !== null) found.push({ branch, path });
  }
  return found;
}

/** Reads folders as sides, and remembers what does not change. */
export class SideReader {
  readonly #forks = new Memory<Promise<string | null>>(5_000);
  readonly #snapshots = new Memory<Snapshot>(1_000);
  readonly #changes = new Memory<Promise<Changes>>(1_000);

  /** Undefined for a folder in which nothing has been committed yet; `isKnown` where the last look at it will do. */
  async read(
    repository: Repository,
    folder: CheckedOut,
    base: Base | null,
    { isKnown = false }: { readonly isKnown?: boolean } = {},
  ): Promise<Side | undefined> {
    const last = isKnown ? this.#snapshots.get(folder.path) : undefined;
    const snapshot = last ?? (await this.#look(repository, folder));
    this.#snapshots.set(folder.path, snapshot);
    const { head, branch, state } = snapshot;
    if (head === undefined) return undefined;
    const known = { path: folder.path, branch, head };
    const nothing = { dirty: 0, skipped: 0, commit: head, fork: head, changes: new Map() };
    if (typeof state === "string") return { ...known, ...nothing, leftOutFor: state };
    const work = await this.#readWork(repository, { commit: state.commit, head }, base);
    return work ? { ...known, ...state, ...work, leftOutFor: null } : { ...known, ...nothing, leftOutFor: "too-large" };
  }

  /** Where git says nothing of a folder's files, it may still say which commit it stands on. */
  #look(repository: Repository, folder: CheckedOut): Promise<Snapshot> {
    return snapshotFolder(repository, folder).catch(async (): Promise<Snapshot> => {
      const head = await readCommit(repository, folder.gitDir);
      return { head, branch: await readBranch(repository, folder.gitDir), state: "unreadable" };
    });
  }

  /** A side that is all committed, whether it is checked out anywhere or not; undefined where it changes too much. */
  async ofCommit(
    repository: Repository,
    { name, commit }: { readonly name: string; readonly commit: string },
    base: Base | null,
  ): Promise<Side | undefined> {
    const work = await this.#readWork(repository, { commit, head: commit }, base);
    return work && { path: name, branch: name, head: commit, commit, dirty: 0, skipped: 0, leftOutFor: null, ...work };
  }

  async #readWork(
    repository: Repository,
    { commit, head }: Tip,
    base: Base | null,
  ): Promise<Pick<Side, "fork" | "changes"> | undefined> {
    const fork =
      base === null
        ? head
        : await this.findFork(repository, { commit: base.commit, head: base.commit }, { commit, head });
    const changes = await this.listChanges(repository, fork, commit);
    return changes.size > limits.changedPaths ? undefined : { fork, changes };
  }

  listChanges(repository: Repository, from: string, to: string): Promise<Changes> {
    return this.#changes.of(`${from} ${to}`, () => listChanges(repository, from, to));
  }

  /**
   * The newest commit that two have in common; the second where there is none. What is not committed is a commit of ours
   * that nobody else has, so it is asked of the heads, which stay as they are from one saved file to the next.
   */
  async findFork({ git }: Repository, one: Tip, other: Tip): Promise<string> {
    const found = await this.#forks.of(`${one.head} ${other.head}`, async () => {
      const { code, text } = await git(["merge-base", "--end-of-options", one.head, other.head], { answers: [1] });
      return code === 0 ? (text.split("\n")[0] ?? null) : null;
    });
    return found ?? other.commit;
  }
}

/** Where a side stands, and the same with what is not committed. */
type Tip = Pick<Side, "head" | "commit">;

async function readCommit({ git }: Repository, gitDir: string): Promise<string | undefined> {
  const { code, text } = await git(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], {
    gitDir,
    answers: [1, 128],
  });
  return code === 0 ? text : undefined;
}

async function readBranch({ git }: Repository, gitDir: string): Promise<string | null> {
  const { code, text } = await git(["symbolic-ref", "-q", "--short", "HEAD"], { gitDir, answers: [1, 128] });
  return code === 0 && text !== "" ? text : null;
}
