import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { ForecastPorts, Meeting, MeetingPlace, Outlook, OutlookAsk } from "../../domain/forecast/port.ts";
import { textOfName } from "../evidence/file-names.ts";
import { findRepository } from "../evidence/git-repository.ts";
import type { RawName } from "../git/names.ts";
import { openRepository, type Repository } from "../git/repository.ts";
import { installedGit } from "../git/run.ts";
import { findBehind } from "./behind.ts";
import { limits } from "./limits.ts";
import { Memory } from "./memory.ts";
import { tryMerges } from "./merge-batch.ts";
import { Nearness } from "./nearness.ts";
import { withOwnObjects } from "./own-objects.ts";
import { type Base, findBase, listFolders, type Side, SideReader } from "./sides.ts";

/** What git makes of two sides; undefined where it could not be tried. */
type Tried = { readonly conflicts: readonly RawName[] } | { readonly conflicts: undefined };

/**
 * Tries the merges of work that is still under way. Everything is read through a view of the repository and written
 * into a folder of our own: the repository is the same before and after, byte for byte.
 */
export function openForecast(homeDir: string): Pick<ForecastPorts, "look"> {
  const folder = join(homeDir, "forecast");
  const forecaster = new Forecaster(folder);
  return {
    async look({ folder: asked }: OutlookAsk, signal) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return forecaster.look(asked, signal);
    },
  };
}

class Forecaster {
  readonly #folder: string;
  readonly #sides = new SideReader();
  readonly #nearness: Nearness;
  readonly #tried = new Memory<Tried>(20_000);

  constructor(folder: string) {
    this.#folder = folder;
    this.#nearness = new Nearness(folder);
  }

  async look(asked: string, signal: AbortSignal): Promise<Outlook> {
    const found = await findRepository(asked, signal);
    const plain = await openRepository(installedGit, found?.root ?? asked, signal);
    const repository = await withOwnObjects(plain, this.#folder);
    const base = await findBase(repository);
    const folders = await listFolders(repository);
    const sides: Side[] = [];
    for (const checkedOut of folders.slice(0, limits.worktrees)) {
      const side = await this.#sides.read(repository, checkedOut, base);
      if (side) sides.push(side);
    }
    const meetings = await this.#meet(repository, sides);
    const worktrees = await this.#lookBehind(repository, sides, base);
    return {
      repositoryPath: folders[0]?.path ?? repository.path,
      base,
      worktrees,
      meetings,
      leftOut: Math.max(0, folders.length - limits.worktrees),
    };
  }

  /** Two that change no file in common cannot be in conflict, so they are not tried. */
  async #meet(repository: Repository, sides: readonly Side[]): Promise<Meeting[]> {
    const pairs = pairsOf(sides)
      .map(([one, other]) => ({ one, other, shared: sharedBy(one, other) }))
      .filter(({ shared }) => shared.length > 0)
      .slice(0, limits.mergesARound);
    const keys = await Promise.all(pairs.map((pair) => this.#keyOf(repository, pair)));
    const tried = await this.#try(
      repository,
      pairs.map(({ one, other }, at) => ({ key: keys[at] ?? "", commits: [one.commit, other.commit] as const })),
    );
    const meetings: Meeting[] = [];
    for (const [at, pair] of pairs.entries()) meetings.push(await this.#judge(repository, pair, tried[at]));
    return meetings;
  }

  /** A merge comes out the same as long as the files that both change do, and where the two parted. */
  async #keyOf(repository: Repository, { one, other, shared }: Pair): Promise<string> {
    const fork = await this.#sides.findFork(repository, one.head, other.head);
    const files = shared.map((name) => `${name}\0${one.changes.get(name)}\0${other.changes.get(name)}`);
    return [fork, one.fork, other.fork, ...files].join("\0");
  }

  async #try(
    repository: Repository,
    wanted: readonly { readonly key: string; readonly commits: readonly [string, string] }[],
  ): Promise<Tried[]> {
    const missing = wanted.filter(({ key }) => this.#tried.get(key) === undefined);
    const answers = await tryMerges(
      repository,
      missing.map(({ commits }) => commits),
    );
    const unknown = new Set<string>();
    for (const [at, { key }] of missing.entries()) {
      const conflicts = answers[at];
      // What could not be tried may be possible the next time.
      if (conflicts === undefined) unknown.add(key);
      else this.#tried.set(key, { conflicts });
    }
    return wanted.map(({ key }) => (unknown.has(key) ? undefined : this.#tried.get(key)) ?? { conflicts: undefined });
  }

  async #judge(repository: Repository, { one, other, shared }: Pair, tried: Tried | undefined): Promise<Meeting> {
    const between = [one.path, other.path] as const;
    if (tried?.conflicts === undefined)
      return { between, verdict: "unknown", places: shared.slice(0, most).map(placeOf) };
    // What is in conflict because one of them lacks what the base has got meanwhile is a matter between it and the base.
    const own = tried.conflicts.filter((name) => one.changes.has(name) && other.changes.has(name));
    const fork = await this.#sides.findFork(repository, one.commit, other.commit);
    const isStacked = fork === one.commit || fork === other.commit;
    const places: MeetingPlace[] = [];
    for (const name of own.length > 0 ? own : isStacked ? [] : shared) {
      const found = await this.#nearness.find(repository, name, [fork, one.commit, other.commit]);
      places.push(...(found.length === 0 && own.length > 0 ? [placeOf(name)] : found));
    }
    const verdict = own.length > 0 ? "conflict" : places.length > 0 ? "near" : "same-file";
    return { between, verdict, places: (places.length > 0 ? places : shared.map(placeOf)).slice(0, most) };
  }

  async #lookBehind(repository: Repository, sides: readonly Side[], base: Base | null): Promise<Outlook["worktrees"]> {
    const outdated =
      base === null ? [] : sides.filter(({ fork, leftOutFor }) => leftOutFor === null && fork !== base.commit);
    const tried = await this.#try(
      repository,
      outdated.map(({ commit }) => ({
        key: `${commit} ${base?.commit}`,
        commits: [commit, base?.commit ?? ""] as const,
      })),
    );
    const conflicts = new Map(outdated.map(({ path }, at) => [path, tried[at]?.conflicts ?? []]));
    const worktrees = [];
    for (const side of sides) {
      const { path, branch, head, dirty, leftOutFor, changes } = side;
      const behind = base === null ? null : await this.#behind(repository, side, base, conflicts.get(path));
      worktrees.push({ path, branch, head, dirty, changed: changes.size, leftOutFor, behind });
    }
    return worktrees;
  }

  async #behind(repository: Repository, side: Side, base: Base, conflicts: readonly RawName[] | undefined) {
    if (conflicts === undefined) return { commits: 0, concerning: 0, newest: [], conflicts: [] };
    return findBehind(repository, side, base, conflicts);
  }
}

const most = limits.placesAMeeting;

interface Pair {
  readonly one: Side;
  readonly other: Side;
  /** Files that both change. */
  readonly shared: readonly RawName[];
}

function pairsOf(sides: readonly Side[]): [Side, Side][] {
  return sides.flatMap((one, at) => sides.slice(at + 1).map((other): [Side, Side] => [one, other]));
}

/** What both changed to the very same thing is no meeting. */
function sharedBy(one: Side, other: Side): RawName[] {
  const [few, many] =
    one.changes.size <= other.changes.size ? [one.changes, other.changes] : [other.changes, one.changes];
  return [...few].flatMap(([name, change]) => (many.has(name) && many.get(name) !== change ? [name] : []));
}

const placeOf = (name: RawName): MeetingPlace => ({ path: textOfName(name), heading: null });
