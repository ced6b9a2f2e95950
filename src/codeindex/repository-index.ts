import { Refusal } from "../contract/refusal.ts";
import type { SkippedPath } from "../domain/codeindex/model.ts";
import type { BuiltIndex, Watch } from "../domain/codeindex/port.ts";
import { indexFiles } from "./index-files.ts";
import { Library } from "./library.ts";
import type { ParsePool } from "./parse/parse-pool.ts";
import { countChunks } from "./segment/segment.ts";
import { loadForeign, loadIndex, saveIndex } from "./store/index-files-on-disk.ts";
import type { IndexLayout } from "./store/layout.ts";
import { detectChanges, type Wanted } from "./tree/detect.ts";
import { type OpenGit, TreeLister } from "./tree/listing.ts";
import { View } from "./tree/view.ts";

/** So many changed files are indexed before a search is answered, whatever it takes. */
const filesAtOnce = 25;
/** More only within this time; the rest is indexed behind the answer. */
const patienceMs = 200;
/** What was indexed for a search is written down after so long. */
const saveAfterMs = 3_000;
/** Segments of so few contents are put together when there are so many of them. */
const smallSegment = 500;
const mostSmall = 8;

interface RepositoryParts {
  readonly layout: IndexLayout;
  readonly main: string;
  readonly openGit: OpenGit;
  readonly parsing: ParsePool;
  readonly now: () => number;
}

/** The index of one repository with all its work trees. */
export class RepositoryIndex {
  readonly #parts: RepositoryParts;
  library = new Library();
  readonly views = new Map<string, View>();
  builtAt: number | undefined;
  #running: Promise<unknown> = Promise.resolve();
  readonly #queued = new Map<string, Promise<boolean>>();
  /** What is being indexed behind an answer. */
  #behind: Promise<void> | undefined;
  readonly #namesBehind = new Set<string>();
  #saving: NodeJS.Timeout | undefined;

  private constructor(parts: RepositoryParts) {
    this.#parts = parts;
  }

  /** Takes up what was written down; empty where there is nothing. */
  static async open(parts: RepositoryParts): Promise<RepositoryIndex> {
    const index = new RepositoryIndex(parts);
    const stored = await loadIndex(parts.layout);
    if (!stored || stored.main !== parts.main) return index;
    index.builtAt = stored.builtAt;
    for (const segment of stored.segments) index.library.add(segment);
    for (const [key, reason] of stored.skipped) index.library.skipped.set(key, reason);
    for (const { root, head, branch, entries } of stored.views) {
      const view = index.#makeView(root);
      view.head = head;
      view.branch = branch;
      view.apply(new Map([...entries].map((entry) => [entry.raw, entry])), index.library.placeOf);
      index.views.set(root, view);
    }
    return index;
  }

  /** Takes over what another machine indexed: contents that this one meets need not be read again. */
  async restore(folder: string): Promise<boolean> {
    return this.#inTurn(async () => {
      const found = await loadForeign(folder);
      if (!found) return false;
      for (const segment of found.segments) {
        if (segment.contents.keys.some((key) => !this.library.placeOf(key))) this.library.add(segment);
      }
      for (const [key, reason] of found.skipped) this.library.skipped.set(key, reason);
      return true;
    });
  }

  /** Indexes all of a work tree, and answers when everything is on the disk. */
  async build(root: string, { isFromScratch }: { readonly isFromScratch: boolean }, watch: Watch): Promise<BuiltIndex> {
    return this.#inTurn(async () => {
      await this.#behind;
      const library = isFromScratch ? new Library() : this.library;
      const view = isFromScratch ? this.#makeView(root) : (this.views.get(root) ?? this.#makeView(root));
      watch.progress?.(0, 1, "Looking for files");
      const { changes, wanted } = await detectChanges(view, library);
      const { entries, parsed } = await indexFiles(wanted, {
        root,
        library,
        parsing: this.#parts.parsing,
        mayGoOn: (done) => {
          watch.signal.throwIfAborted();
          watch.progress?.(done, wanted.length, "Indexing files");
          return true;
        },
      }).catch((error: unknown) => {
        // Git has already been compared with: what was not indexed must be found missing the next time.
        view.listed = undefined;
        throw error;
      });
      view.apply(new Map([...changes, ...entries]), library.placeOf);
      if (isFromScratch) {
        this.library = library;
        this.views.clear();
      }
      this.views.set(root, view);
      this.builtAt = this.#parts.now();
      await this.#save();
      return {
        state: this.stateOf(view, true),
        files: [...view.entries.values()].filter((entry) => entry.key !== undefined).length,
        chunks: this.countChunks(view),
        parsed,
        bytes: this.library.segments.reduce((sum, { contents }) => sum + contents.bytes.reduce((a, b) => a + b, 0), 0),
        skipped: listSkipped(view),
      };
    });
  }

  /**
   * Brings a work tree's view up to what lies on the disk. Whoever asks while this is under way shares the next one.
   * False where more has changed than can be indexed at once.
   */
  refresh(root: string): Promise<boolean> {
    const queued = this.#queued.get(root);
    if (queued) return queued;
    const turn = this.#inTurn(() => {
      this.#queued.delete(root);
      return this.#refreshNow(root);
    });
    this.#queued.set(root, turn);
    return turn;
  }

  async #refreshNow(root: string): Promise<boolean> {
    const view = this.views.get(root) ?? this.#makeView(root);
    this.views.set(root, view);
    const { library } = this;
    const { changes, wanted: all } = await detectChanges(view, library);
    const wanted = all.filter(({ raw }) => !this.#namesBehind.has(`${root}/${raw}`));
    if (changes.size > 0) view.apply(changes, library.placeOf);
    if (wanted.length === 0) {
      if (changes.size > 0) this.#saveSoon();
      return this.#behind === undefined;
    }
    const until = performance.now() + patienceMs;
    const mayGoOn = (done: number): boolean => done < filesAtOnce || performance.now() < until;
    const { entries, done } = await indexFiles(wanted, { root, library, parsing: this.#parts.parsing, mayGoOn });
    view.apply(entries, library.placeOf);
    await this.#compact();
    this.#saveSoon();
    if (done < wanted.length) this.#indexBehind(view, wanted.slice(done));
    return this.#behind === undefined;
  }

  /** Puts what single changes left behind together, so that a search need not go through ever more small segments. */
  async #compact(): Promise<void> {
    const { library } = this;
    const small = new Set(library.segments.filter(({ contents }) => contents.keys.length <= smallSegment));
    if (small.size < mostSmall || this.#behind !== undefined) return;
    const merged = new Library();
    for (const view of this.views.values()) {
      const wanted = [...view.entries.values()].filter(({ key }) => {
        const place = key === undefined ? undefined : library.placeOf(key);
        return place !== undefined && small.has(place.segment);
      });
      const { parsing } = this.#parts;
      await indexFiles(wanted, { root: view.root, library: merged, parsing, mayGoOn: () => true });
    }
    library.exchange(small, merged.segments);
    for (const view of this.views.values()) view.replace(library.placeOf);
  }

  /** In portions, so that what is indexed can be found before all of it is. */
  #indexBehind(view: View, wanted: readonly Wanted[]): void {
    const before = this.#behind ?? Promise.resolve();
    for (const { raw } of wanted) this.#namesBehind.add(`${view.root}/${raw}`);
    const behind = before.then(async () => {
      for (let at = 0; at < wanted.length; at += 1_000) {
        const { library } = this;
        const portion = wanted.slice(at, at + 1_000);
        const { entries } = await indexFiles(portion, {
          root: view.root,
          library,
          parsing: this.#parts.parsing,
          mayGoOn: () => true,
        });
        if (library === this.library) view.apply(entries, library.placeOf);
      }
    });
    const settled = behind
      .catch(() => undefined)
      .then(() => {
        // Files may have gone or changed since they were read: the next look compares all of them.
        view.listed = undefined;
        for (const { raw } of wanted) this.#namesBehind.delete(`${view.root}/${raw}`);
        if (this.#behind === settled) this.#behind = undefined;
        this.#saveSoon();
      });
    this.#behind = settled;
  }

  stateOf(view: View, isFresh: boolean): BuiltIndex["state"] {
    return { builtAt: new Date(this.builtAt ?? 0).toISOString(), head: view.head, isFresh };
  }

  countChunks(view: View): number {
    let count = 0;
    for (const segment of this.library.segments) {
      const { firstChunks } = segment.contents;
      for (const [content, entries] of view.placedIn(segment).entries()) {
        if (entries)
          count += ((firstChunks[content + 1] ?? countChunks(segment)) - (firstChunks[content] ?? 0)) * entries.length;
      }
    }
    return count;
  }

  /** Writes nothing any more, and waits for what is being written. */
  async abandon(): Promise<void> {
    this.builtAt = undefined;
    clearTimeout(this.#saving);
    this.#saving = undefined;
    await this.#running.catch(() => undefined);
    await this.#behind;
  }

  /** Writes down what is not written yet. */
  async close(): Promise<void> {
    const isUnsaved = this.#saving !== undefined;
    clearTimeout(this.#saving);
    this.#saving = undefined;
    await this.#running.catch(() => undefined);
    if (isUnsaved) await this.#save().catch(() => undefined);
  }

  #makeView(root: string): View {
    return new View(new TreeLister(root, this.#parts.openGit));
  }

  #inTurn<T>(body: () => Promise<T>): Promise<T> {
    const turn = this.#running.then(body, body);
    this.#running = turn.catch(() => undefined);
    return turn;
  }

  #saveSoon(): void {
    if (this.builtAt === undefined || this.#saving !== undefined) return;
    this.#saving = setTimeout(() => {
      this.#saving = undefined;
      void this.#inTurn(() => this.#save()).catch(() => undefined);
    }, saveAfterMs);
    this.#saving.unref();
  }

  async #save(): Promise<void> {
    if (this.builtAt === undefined) return;
    const { layout, main } = this.#parts;
    await saveIndex(layout, {
      main,
      builtAt: this.builtAt,
      segments: this.library.segments,
      skipped: this.library.skipped,
      views: [...this.views.values()].map((view) => ({
        root: view.root,
        head: view.head,
        branch: view.branch,
        entries: view.entries.values(),
      })),
    });
  }
}

export function listSkipped(view: View): SkippedPath[] {
  const skipped: SkippedPath[] = [];
  for (const { path, skipped: reason } of view.entries.values()) {
    if (reason !== undefined) skipped.push({ file: path, reason });
  }
  return skipped;
}

export const noIndex = (): Refusal => new Refusal("NO_INDEX", "This repository has no search index yet.");
