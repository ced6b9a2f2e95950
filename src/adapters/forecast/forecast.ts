import { setMaxListeners } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type {
  ForecastPorts,
  MergeOrder,
  OrderAsk,
  Outlook,
  OutlookAsk,
  PairAsk,
  PairFile,
} from "../../domain/forecast/port.ts";
import { findRepository } from "../evidence/git-repository.ts";
import { Attributes } from "../git/attributes.ts";
import { openRepository, type Repository } from "../git/repository.ts";
import { installedGit } from "../git/run.ts";
import { Memory } from "../memory.ts";
import { BehindReader } from "./behind.ts";
import { limits } from "./limits.ts";
import { Meetings } from "./meetings.ts";
import { findOrder } from "./order.ts";
import { withOwnObjects } from "./own-objects.ts";
import { readPair } from "./pair-hunks.ts";
import { type Base, findBase, listBranches, listCheckedOut, listFolders, type Side, SideReader } from "./sides.ts";
import { findTaken, type TakenOver } from "./taken.ts";

/**
 * Tries the merges of work that is still under way. Everything is read through a view of the repository and written
 * into a folder of our own: the repository is the same before and after, byte for byte.
 */
export function openForecast(
  homeDir: string,
  bounds: { readonly mostMerges?: number } = {},
): Pick<ForecastPorts, "look" | "compare" | "order"> {
  const folder = join(homeDir, "forecast");
  const forecaster = new Forecaster(folder, bounds);
  return {
    async look(ask: OutlookAsk, signal) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // Each git that runs listens to it, and of many worktrees many are asked at once.
      setMaxListeners(0, signal);
      return forecaster.look(ask, signal);
    },
    async compare(ask, signal) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return forecaster.compare(ask, signal);
    },
    async order(ask, signal) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return forecaster.order(ask, signal);
    },
  };
}

class Forecaster {
  readonly #folder: string;
  readonly #sides = new SideReader();
  readonly #attributes: Attributes;
  readonly #meetings: Meetings;
  readonly #bases = new Memory<{ readonly base: Base | null }>(200);
  readonly #behind: BehindReader;
  readonly #taken = new Memory<Promise<TakenOver | null>>(1_000);

  constructor(folder: string, { mostMerges }: { readonly mostMerges?: number }) {
    this.#folder = folder;
    this.#attributes = new Attributes(folder);
    this.#meetings = new Meetings(folder, { sides: this.#sides, attributes: this.#attributes }, mostMerges);
    const { nearness, symbols } = this.#meetings;
    this.#behind = new BehindReader({ sides: this.#sides, nearness, symbols });
  }

  async look({ folder: asked, changed }: OutlookAsk, signal: AbortSignal): Promise<Outlook> {
    const found = await findRepository(asked, signal);
    const plain = await openRepository(installedGit, found?.root ?? asked, signal);
    const repository = await withOwnObjects(plain, this.#folder);
    // Where the base stands is asked with each round; between two of them it will do as it was.
    const known = changed === undefined ? undefined : this.#bases.get(repository.commonDir);
    const base = known === undefined ? await findBase(repository) : known.base;
    this.#bases.set(repository.commonDir, { base });
    const folders = await listFolders(repository);
    const sides: Side[] = [];
    for (const checkedOut of folders.slice(0, limits.worktrees)) {
      // An agent may say that it works in a folder inside.
      const isKnown = changed?.every((path) => !`${path}/`.startsWith(`${checkedOut.path}/`)) ?? false;
      const side = await this.#sides.read(repository, checkedOut, base, { isKnown });
      if (side) sides.push(side);
    }
    const meetings = await this.#meetings.find(repository, sides);
    const worktrees = await this.#lookBehind(repository, sides, base);
    return {
      repositoryPath: folders[0]?.path ?? repository.path,
      base,
      worktrees,
      meetings,
      leftOut: Math.max(0, folders.length - limits.worktrees),
    };
  }

  /** Of what is committed: what is still being written is nobody's to merge. */
  async order({ folder, branches, base: wanted }: OrderAsk, signal: AbortSignal): Promise<MergeOrder> {
    const plain = await openRepository(installedGit, folder, signal);
    const repository = await withOwnObjects(plain, this.#folder);
    const base = await findBase(repository, wanted);
    const known = await listBranches(repository);
    const folders = await listFolders(repository);
    const checkedOut = await listCheckedOut(repository, folders);
    const asked = [...new Set(branches ?? checkedOut.map(({ branch }) => branch))];
    const sides: Side[] = [];
    for (const name of asked) {
      const commit = name === base?.branch ? undefined : known.get(name);
      const side = commit && (await this.#sides.ofCommit(repository, { name, commit }, base));
      if (side && side.changes.size > 0) sides.push(side);
    }
    const ordered = sides.slice(0, limits.ordered);
    return {
      repositoryPath: folders[0]?.path ?? repository.path,
      base,
      steps: base === null ? [] : await findOrder(repository, { base, sides: ordered }, this.#attributes),
      checkedOut,
      missing: asked.filter((name) => !known.has(name)),
      leftOut: sides.length - ordered.length,
    };
  }

  /** Nothing where one of the two cannot be read for now. */
  async compare({ repositoryPath, one, other }: PairAsk, signal: AbortSignal): Promise<readonly PairFile[]> {
    const plain = await openRepository(installedGit, repositoryPath, signal);
    const repository = await withOwnObjects(plain, this.#folder);
    const base = await findBase(repository);
    const folders = await listFolders(repository);
    const commitOf = async (path: string): Promise<string | undefined> => {
      const folder = folders.find((each) => each.path === path);
      const side = folder && (await this.#sides.read(repository, folder, base));
      return side?.leftOutFor === null ? side.commit : undefined;
    };
    const [first, second] = [await commitOf(one), other === null ? base?.commit : await commitOf(other)];
    return first === undefined || second === undefined
      ? []
      : readPair(repository, { one: first, other: second }, this.#attributes);
  }

  async #lookBehind(repository: Repository, sides: readonly Side[], base: Base | null): Promise<Outlook["worktrees"]> {
    const outdated =
      base === null ? [] : sides.filter(({ fork, leftOutFor }) => leftOutFor === null && fork !== base.commit);
    const tried = await this.#meetings.tryAll(
      repository,
      outdated.map(({ commit }) => ({
        key: `${commit} ${base?.commit}`,
        commits: [commit, base?.commit ?? ""] as const,
      })),
    );
    const conflicts = new Map(outdated.map(({ path }, at) => [path, tried[at]?.conflicts ?? []]));
    const worktrees = [];
    for (const side of sides) {
      const { path, branch, head, fork, dirty, skipped, leftOutFor, changes } = side;
      const behind = base === null ? null : await this.#behind.read(repository, { side, base }, conflicts.get(path));
      const over = base === null ? null : await this.#findTaken(repository, side, base);
      const { taken = null, doneBy = null } = over ?? {};
      worktrees.push({
        path,
        branch,
        head,
        fork,
        dirty,
        skipped,
        changed: changes.size,
        leftOutFor,
        behind,
        taken,
        doneBy,
      });
    }
    return worktrees;
  }

  /** A history too long to be read says nothing. */
  #findTaken(repository: Repository, side: Side, base: Base): Promise<TakenOver | null> {
    return this.#taken.of(`${side.commit} ${base.commit}`, () =>
      findTaken(repository, side, base.commit).catch(() => null),
    );
  }
}
