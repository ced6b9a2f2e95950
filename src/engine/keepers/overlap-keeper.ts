import { setImmediate as breathe } from "node:timers/promises";
import { isIdOf } from "../../contract/ids.ts";
import { readHead } from "../../domain/ledger/queries.ts";
import { hasEnded } from "../../domain/lifecycle.ts";
import { mostAround } from "../../domain/overlap/detect-operations.ts";
import { listTaskDocs, listWorkstreamDocs, readDocs } from "../../domain/overlap/doc-operations.ts";
import type { OverlapQuery } from "../../domain/overlap/engine/doc.ts";
import { OverlapIndex } from "../../domain/overlap/engine/overlap-index.ts";
import type { OverlapSettings } from "../../domain/overlap/engine/settings.ts";
import type { LikeWork } from "../../domain/overlap/port.ts";
import { isComparable, type WorkDoc } from "../../domain/overlap/work-doc.ts";
import type { Store } from "../../storage/store.ts";
import type { Feed } from "../feed.ts";
import type { Sources } from "../sources.ts";
import { ScopeCheckMemory } from "./scope-check-memory.ts";

/** Rows read at once: a slice of building must not keep others waiting. */
const sliceSize = 500;
/** So much is handed on for a closer look, because rows may have closed or changed hands since. */
const mostIds = 50;
/** So many of them need not reach the warn floor: the best others are shown too. */
const mostNearest = 10;
/** What has become too old to be compared is let go at most this often. */
const trimEveryMs = 3_600_000;

/**
 * Keeps all comparable work in memory: built in slices at the first question, then kept up to date from the feed, so
 * that the work of other servers on the same database is in it too.
 */
export class OverlapKeeper {
  readonly #store: Store;
  readonly #feed: Feed;
  readonly #sources: Sources;
  readonly #thresholds: { readonly overlap: OverlapSettings };
  readonly #index: OverlapIndex;
  /** The version each piece of work was put in with, and until when it is comparable if it is closed. */
  readonly #known = new Map<string, Pick<WorkDoc, "version" | "at" | "lifecycle" | "repo">>();
  /** Open work by repository; an empty name stands for work that names none. */
  readonly #open = new Map<string, Set<string>>();
  readonly #changed = new Set<string>();
  /** Only where a team caps how often checks ask; with the figures that were in force when it was built. */
  #checks: ScopeCheckMemory | undefined;
  #received = 0;
  #trimmedAt = 0;
  #building: Promise<void> | undefined;
  #catchingUp: Promise<void> = Promise.resolve();
  #stop: () => void = () => undefined;

  constructor(parts: {
    store: Store;
    feed: Feed;
    sources: Sources;
    thresholds: { readonly overlap: OverlapSettings };
  }) {
    this.#store = parts.store;
    this.#feed = parts.feed;
    this.#sources = parts.sources;
    this.#thresholds = parts.thresholds;
    this.#index = new OverlapIndex({ settings: parts.thresholds.overlap });
  }

  async find(query: OverlapQuery, signal: AbortSignal): Promise<LikeWork> {
    this.#building ??= this.#build().catch((error: unknown) => {
      this.#building = undefined;
      throw error;
    });
    await this.#building;
    const settings = this.#thresholds.overlap;
    this.#index.use(settings);
    await this.#remember(settings);
    const asOf = await this.#catchUp();
    signal.throwIfAborted();
    this.#trim(this.#sources.now());
    const index = this.#index;
    const escalateThreshold = this.#checks?.raise(settings) ?? settings.escalateThreshold;
    return {
      ids: this.#listIds(query),
      around: this.#listAround(query),
      asOf,
      settings,
      escalatesFrom: escalateThreshold,
      modelVersion: index.version,
      compare: (one, others) =>
        index.score(one, others, { escalateThreshold, isIndexed: ({ id, version }) => this.#knows(id, version) }),
    };
  }

  /** What was checked last counts from the first question on that is asked under a cap. */
  async #remember({ escalationCap }: OverlapSettings): Promise<void> {
    if (escalationCap >= 1) this.#checks = undefined;
    if (escalationCap >= 1 || this.#checks !== undefined) return;
    const checks = new ScopeCheckMemory(this.#store);
    this.#checks = checks;
    await checks.load();
  }

  #knows(id: string, version: number | undefined): boolean {
    return version !== undefined && this.#known.get(id)?.version === version;
  }

  /** What shares a file stays, however unlike: the row may say more by now than memory does. */
  #listIds(query: OverlapQuery): string[] {
    return this.#index
      .rank(query, mostIds)
      .filter(({ isShown, sharesFile }, place) => place < mostNearest || isShown || sharesFile)
      .map(({ id }) => id);
  }

  /** Work that names no repository may be of any, and is around everybody. */
  #listAround({ repo }: OverlapQuery): string[] | null {
    const shelves =
      repo === null ? [...this.#open.values()] : [foldName(repo), ""].flatMap((name) => this.#open.get(name) ?? []);
    const count = shelves.reduce((sum, { size }) => sum + size, 0);
    return count > mostAround ? null : shelves.flatMap((ids) => [...ids]);
  }

  async close(): Promise<void> {
    this.#stop();
  }

  /** Follows the ledger from before the first slice on: what changes while slices are read is read again. */
  async #build(): Promise<void> {
    this.#stop();
    const head = await this.#store.read(readHead);
    this.#received = head.seq;
    this.#stop = await this.#feed.follow(head.seq, {
      receive: (entries) => {
        for (const { stream, subject } of entries) {
          if (stream !== "work") continue;
          if (isWork(subject)) this.#changed.add(subject);
          this.#checks?.tell(subject);
        }
        this.#received = entries.at(-1)?.seq ?? this.#received;
      },
    });
    for (const list of [listTaskDocs, listWorkstreamDocs]) {
      for (let after = ""; ; ) {
        const page = { after, now: this.#sources.now(), limit: sliceSize };
        const docs = await this.#store.read((db) => list(db, page));
        for (const doc of docs) this.#put(doc);
        const last = docs.at(-1);
        if (docs.length < sliceSize || !last) break;
        after = last.id;
        await breathe();
      }
    }
  }

  /** Reads again what has changed; one after the other, so that an older reading never replaces a newer one. */
  #catchUp(): Promise<number> {
    const turn = this.#catchingUp.then(() => this.#readChanged());
    this.#catchingUp = turn.then(
      () => undefined,
      () => undefined,
    );
    return turn;
  }

  async #readChanged(): Promise<number> {
    const received = this.#received;
    const ids = [...this.#changed];
    this.#changed.clear();
    try {
      for (let at = 0; at < ids.length; at += sliceSize) {
        const some = ids.slice(at, at + sliceSize);
        const docs = new Map((await this.#store.read((db) => readDocs(db, some))).map((doc) => [doc.id, doc]));
        for (const id of some) this.#take(id, docs.get(id));
      }
      await this.#checks?.catchUp();
    } catch (error) {
      for (const id of ids) this.#changed.add(id);
      throw error;
    }
    return received;
  }

  #take(id: string, doc: WorkDoc | undefined): void {
    if (doc && isComparable(doc, this.#sources.now())) this.#put(doc);
    else this.#forget(id);
  }

  #put(doc: WorkDoc): void {
    const { id, version, at, lifecycle, repo } = doc;
    this.#closeOne(id);
    if (!hasEnded(lifecycle)) this.#openOne(id, repo);
    this.#index.put(doc);
    this.#known.set(id, { version, at, lifecycle, repo });
  }

  #openOne(id: string, repo: string | null): void {
    const name = foldName(repo);
    const ids = this.#open.get(name) ?? new Set();
    this.#open.set(name, ids.add(id));
  }

  #closeOne(id: string): void {
    const name = foldName(this.#known.get(id)?.repo ?? null);
    const ids = this.#open.get(name);
    ids?.delete(id);
    if (ids?.size === 0) this.#open.delete(name);
  }

  #forget(id: string): void {
    this.#index.remove(id);
    this.#closeOne(id);
    this.#known.delete(id);
  }

  #trim(now: number): void {
    if (now - this.#trimmedAt < trimEveryMs) return;
    this.#trimmedAt = now;
    for (const [id, known] of this.#known) if (!isComparable(known, now)) this.#forget(id);
  }
}

/** One spelling for one repository, as comparisons fold it. */
const foldName = (repo: string | null): string => (repo ?? "").trim().toLowerCase();

const isTask = isIdOf("task");
const isWorkflow = isIdOf("workflow");

const isWork = (subject: string): boolean => isTask(subject) || isWorkflow(subject);
