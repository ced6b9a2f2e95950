import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Refusal } from "../../contract/refusal.ts";
import type { VaultTrees } from "../../domain/worktree/port.ts";
import { Disk, type OnDisk } from "./disk.ts";
import { copyIndex, holdsNested, type IndexEntry, listIndex } from "./index-file.ts";
import { type RawName, readNames } from "./names.ts";
import { storeFiles, storePaths, storeTree, type TreeEntry } from "./objects.ts";
import type { Repository } from "./repository.ts";
import { storeNotes } from "./state.ts";

/** A worktree whose folder may have been moved aside, or be gone. */
export interface Source {
  readonly gitDir: string;
  readonly folder: string | undefined;
}

export interface Snapshot {
  readonly branch: string | null;
  readonly head: string | null;
  readonly trees: Omit<VaultTrees, "commit"> & { readonly conflicts: string };
  readonly untracked: readonly OnDisk[];
  readonly tracked: readonly OnDisk[];
}

/**
 * Stores everything a worktree holds as git objects: tracked files, index and untracked files apart, each as it lies on
 * the disk. Neither folder nor index is touched. Ignored files are left out.
 */
export async function takeSnapshot(repository: Repository, source: Source): Promise<Snapshot> {
  const scratch = mkdtempSync(join(tmpdir(), "crewdeck-copy-"));
  try {
    return await new SnapshotTaker(repository, source, scratch).take();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

class SnapshotTaker {
  readonly #repository: Repository;
  readonly #source: Source;
  readonly #scratch: string;
  #trees = 0;

  constructor(repository: Repository, source: Source, scratch: string) {
    this.#repository = repository;
    this.#source = source;
    this.#scratch = scratch;
  }

  async take(): Promise<Snapshot> {
    const { gitDir, folder } = this.#source;
    const indexFile = join(this.#scratch, "index");
    const within = { gitDir, workTree: folder ?? this.#scratch, indexFile };
    const hasIndex = await copyIndex(this.#repository, { gitDir, workTree: within.workTree }, indexFile);
    const entries = hasIndex ? await listIndex(this.#repository, within) : [];
    const disk = folder === undefined ? undefined : new Disk(folder);
    if (disk && (await holdsNested(disk, entries))) throw holdsRepository();
    const untracked = await onDisk(disk, disk ? await this.#listUntracked(within) : []);
    const tracked = await onDisk(disk, namesOf(entries));
    const [index] = hasIndex ? await storePaths(this.#repository, this.#scratch, [indexFile]) : [null];
    return {
      ...(await readHead(this.#repository, gitDir)),
      tracked,
      untracked,
      trees: {
        worktree: await this.#storeTree([...(await this.#store(tracked)), ...links(entries)]),
        staged: await this.#storeTree(sideOf(entries), lenient),
        conflicts: await this.#storeTree(sidesOf(entries), lenient),
        untracked: await this.#storeTree(await this.#store(untracked)),
        state: await storeNotes(this.#repository, gitDir, { scratch: this.#scratch, indexFile: this.#nextIndex() }),
        index: index ?? null,
      },
    };
  }

  /** A folder that is a repository of its own ends in a slash: git would keep no more of it than its commit. */
  async #listUntracked(within: { gitDir: string; workTree: string; indexFile: string }): Promise<RawName[]> {
    const { stdout } = await this.#repository.git(["ls-files", "--others", "--exclude-standard", "-z"], within);
    const names = readNames(stdout);
    if (names.some((name) => name.endsWith("/"))) throw holdsRepository();
    return names;
  }

  #store(files: readonly OnDisk[]): Promise<TreeEntry[]> {
    return storeFiles(this.#repository, this.#source.folder ?? this.#scratch, files, this.#scratch);
  }

  #storeTree(entries: readonly TreeEntry[], options: { allowsMissing?: boolean } = {}): Promise<string> {
    return storeTree(this.#repository, entries, { indexFile: this.#nextIndex(), ...options });
  }

  #nextIndex(): string {
    this.#trees += 1;
    return join(this.#scratch, `tree-${this.#trees}`);
  }
}

/** What an index names and the repository lacks was lost before we came. */
const lenient = { allowsMissing: true };

async function readHead({ git }: Repository, gitDir: string): Promise<Pick<Snapshot, "branch" | "head">> {
  const branch = await git(["symbolic-ref", "-q", "HEAD"], { gitDir, answers: [1] });
  const head = await git(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], { gitDir, answers: [1, 128] });
  return { branch: branch.code === 0 ? branch.text : null, head: head.code === 0 ? head.text : null };
}

async function onDisk(disk: Disk | undefined, names: readonly RawName[]): Promise<OnDisk[]> {
  const found: OnDisk[] = [];
  for (const name of names) {
    const file = await disk?.find(name);
    if (file) found.push(file);
  }
  return found;
}

/** A file in conflict is in the index several times. */
const namesOf = (entries: readonly IndexEntry[]): RawName[] => [
  ...new Set(entries.filter(({ mode }) => mode !== "160000").map(({ name }) => name)),
];

const links = (entries: readonly IndexEntry[]): TreeEntry[] =>
  entries.filter(({ mode, stage }) => mode === "160000" && stage === 0);

const sideOf = (entries: readonly IndexEntry[]): TreeEntry[] => entries.filter(({ stage }) => stage === 0);

const sidesOf = (entries: readonly IndexEntry[]): TreeEntry[] =>
  entries
    .filter(({ stage }) => stage > 0)
    .map(({ mode, oid, stage, name }) => ({ mode, oid, name: `${stage}/${name}` }));

const holdsRepository = (): Refusal =>
  new Refusal(
    "INVALID_STATE",
    "The folder holds another repository, such as a submodule that is checked out.",
    "Save what is in there, take it out of the folder and ask again.",
  );
