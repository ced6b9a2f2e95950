import type { Meeting, MeetingPlace, SymbolClash } from "../../domain/forecast/port.ts";
import { textOfName } from "../evidence/file-names.ts";
import type { Attributes } from "../git/attributes.ts";
import type { RawName } from "../git/names.ts";
import type { Repository } from "../git/repository.ts";
import { Memory } from "../memory.ts";
import { type Changes, wordOf } from "./changes.ts";
import { limits } from "./limits.ts";
import { tryMerges } from "./merge-batch.ts";
import { Nearness } from "./nearness.ts";
import type { Side, SideReader } from "./sides.ts";
import { findClashes } from "./symbols/collide.ts";
import { SymbolReader } from "./symbols/reader.ts";

/** What git makes of two sides; undefined where it could not be tried. */
type Tried = { readonly conflicts: readonly RawName[] } | { readonly conflicts: undefined };

interface Wanted {
  readonly key: string;
  readonly commits: readonly [string, string];
}

/** Tells where sides meet, and remembers every try. */
export class Meetings {
  readonly #sides: SideReader;
  readonly #attributes: Attributes;
  readonly nearness: Nearness;
  readonly symbols = new SymbolReader();
  readonly #tried = new Memory<Tried>(20_000);
  readonly #judged = new Memory<Omit<Meeting, "between">>(20_000);
  readonly #mostMerges: number;
  readonly #clashes = new WeakMap<Changes, WeakMap<Changes, readonly SymbolClash[]>>();

  constructor(
    folder: string,
    readers: { readonly sides: SideReader; readonly attributes: Attributes },
    mostMerges: number = limits.mergesARound,
  ) {
    this.#mostMerges = mostMerges;
    this.#sides = readers.sides;
    this.#attributes = readers.attributes;
    this.nearness = new Nearness(folder);
  }

  /** Two that change no file in common cannot be in conflict, so they are not tried. */
  async find(repository: Repository, all: readonly Side[]): Promise<Meeting[]> {
    // Git lists folders in an order that changes; whose attributes count must not.
    const sides = all.toSorted((one, other) => (one.path < other.path ? -1 : 1));
    const pairs = pairsOf(sides)
      .map(([one, other]) => ({ one, other, shared: sharedBy(one, other) }))
      .filter(({ shared }) => shared.length > 0);
    await this.#try(repository, pairs.filter((pair) => !this.#judged.get(wordsOf(pair))).slice(0, this.#mostMerges));
    const meetings = pairs.map(
      (pair): Meeting => ({
        between: [pair.one.path, pair.other.path],
        ...(this.#judged.get(wordsOf(pair)) ?? untried(pair)),
      }),
    );
    return this.#addSymbols(repository, sides, meetings);
  }

  /** Pairs that are as they were were judged before; what one round leaves out, the next begins with. */
  async #try(repository: Repository, pairs: readonly Pair[]): Promise<void> {
    // One git for all of them; each pair would start its own.
    const folders = await this.#attributes.foldersOf(
      repository,
      pairs.map(({ one }) => one.commit),
    );
    const keys = await Promise.all(pairs.map((pair, at) => this.#keyOf(repository, pair, folders[at] ?? "")));
    const tried = await this.tryAll(
      repository,
      pairs.map(({ one, other }, at) => ({ key: keys[at] ?? "", commits: [one.commit, other.commit] as const })),
    );
    for (const [at, pair] of pairs.entries()) {
      const conflicts = tried[at]?.conflicts;
      // What could not be tried may be possible the next time.
      if (conflicts !== undefined) this.#judged.set(wordsOf(pair), await this.#judge(repository, pair, conflicts));
    }
  }

  /** What git can merge, and what has no file in common, can still be wrong together. */
  async #addSymbols(repository: Repository, sides: readonly Side[], meetings: readonly Meeting[]): Promise<Meeting[]> {
    const known = new Map(meetings.map((meeting) => [meeting.between.join("\0"), meeting]));
    await this.symbols.load(
      repository,
      sides.map(({ changes }) => changes),
    );
    for (const [one, other] of pairsOf(sides)) {
      const between = [one.path, other.path] as const;
      const verdict = known.get(between.join("\0"))?.verdict;
      if (verdict === "conflict" || verdict === "unknown") continue;
      const clashes = await this.#findClashes(repository, one, other);
      if (clashes.length === 0) continue;
      const places = clashes.map((symbol) => ({ path: symbol.path, heading: null, symbol }));
      known.set(between.join("\0"), { between, verdict: "symbol", places: places.slice(0, most) });
    }
    return [...known.values()];
  }

  async #findClashes(repository: Repository, one: Side, other: Side): Promise<readonly SymbolClash[]> {
    const clashes = this.#clashesOf(one.changes, other.changes);
    if (clashes.length === 0) return [];
    const fork = await this.#sides.findFork(repository, one, other);
    if (fork === one.commit || fork === other.commit) return [];
    if (fork === one.fork || fork === other.fork) return clashes;
    // Both stand on work that the base lacks: what they have in common is neither's.
    const own = [];
    for (const { commit } of [one, other]) own.push(await this.#sides.listChanges(repository, fork, commit));
    await this.symbols.load(repository, own);
    const [first, second] = own.map((changes) => this.symbols.of(changes));
    return first && second ? findClashes(first, second) : [];
  }

  /** Of two that are both as they were there is nothing new to be said. */
  #clashesOf(one: Changes, other: Changes): readonly SymbolClash[] {
    const known = this.#clashes.get(one) ?? new WeakMap<Changes, readonly SymbolClash[]>();
    this.#clashes.set(one, known);
    const [mine, theirs] = [this.symbols.of(one), this.symbols.of(other)];
    if (!mine || !theirs) return [];
    const clashes = known.get(other) ?? findClashes(mine, theirs);
    known.set(other, clashes);
    return clashes;
  }

  /** What git makes of commits, each asked for once under its key. */
  async tryAll(repository: Repository, wanted: readonly Wanted[]): Promise<Tried[]> {
    const missing = wanted.filter(({ key }) => this.#tried.get(key) === undefined);
    const answers = await tryMerges(
      repository,
      missing.map(({ commits }) => commits),
      this.#attributes,
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

  /** A merge comes out the same as long as the files that both change do, where the two parted and how files are merged. */
  async #keyOf(repository: Repository, { one, other, shared }: Pair, attributes: string): Promise<string> {
    const fork = await this.#sides.findFork(repository, one, other);
    const files = shared.flatMap((name) => [name, ...[one, other].map(({ changes }) => wordOf(changes.get(name)))]);
    return [attributes, fork, one.fork, other.fork, ...files].join("\0");
  }

  async #judge(
    repository: Repository,
    { one, other, shared }: Pair,
    conflicts: readonly RawName[],
  ): Promise<Omit<Meeting, "between">> {
    // What is in conflict because one of them lacks what the base has got meanwhile is a matter between it and the base.
    const own = conflicts.filter((name) => isOfBoth(name, [one, other]));
    const fork = await this.#sides.findFork(repository, one, other);
    const isStacked = fork === one.commit || fork === other.commit;
    const places: MeetingPlace[] = [];
    for (const name of own.length > 0 ? own : isStacked ? [] : shared) {
      const found = await this.nearness.find(repository, name, { fork, sides: [one, other] });
      places.push(...(found.length === 0 && own.length > 0 ? [placeOf(name)] : found));
    }
    const verdict = own.length > 0 ? "conflict" : places.length > 0 ? "near" : "same-file";
    return { verdict, places: (places.length > 0 ? places : shared.map(placeOf)).slice(0, most) };
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
  return [...few].flatMap(([name, change]) =>
    many.has(name) && wordOf(many.get(name)) !== wordOf(change) ? [name] : [],
  );
}

/** Git names a renamed file by one of its names, which the other side need not know. */
function isOfBoth(name: RawName, sides: readonly Side[]): boolean {
  const changes = sides.flatMap((side) => side.changes.get(name) ?? []);
  const names = [name, ...changes.flatMap(({ from, to }) => [from, to])];
  return sides.every((side) => names.some((one) => side.changes.has(one)));
}

/** All that a judgement of a pair depends on. */
const wordsOf = ({ one, other }: Pair): string => [one.commit, one.fork, other.commit, other.fork].join(" ");

const untried = ({ shared }: Pair): Omit<Meeting, "between"> => ({
  verdict: "unknown",
  places: shared.slice(0, most).map(placeOf),
});

const placeOf = (name: RawName): MeetingPlace => ({ path: textOfName(name), heading: null });
