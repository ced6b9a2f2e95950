import type { SearchWarning } from "../../domain/codeindex/model.ts";
import { splitPhrases } from "../query/filter-values.ts";
import type { Entry } from "../tree/entry.ts";
import type { HistoryLook } from "./histories.ts";
import { emptyMask, listContents, type Mask, type Scope } from "./scope.ts";

/** Git takes a quarter of a second to say who wrote the lines of a file with a long history. */
const mostFiles = 100;
const filesAtOnce = 4;

interface Kept {
  readonly scopes: readonly Scope[];
  readonly warning: SearchWarning | undefined;
}

/**
 * Keeps the chunks with a line by one of these people. Files that none of them ever touched are not looked at; beyond the
 * limit, and where something is not committed, the file's last author counts.
 */
export async function keepChunksBy(
  given: string,
  scopes: readonly Scope[],
  { look, signal }: { readonly look: HistoryLook; readonly signal: AbortSignal },
): Promise<Kept> {
  const names = splitPhrases(given.toLowerCase());
  const isOne = (author: string): boolean => names.some((name) => author.toLowerCase().includes(name));
  const layers = scopes.map((scope) => new Layers(scope));
  const doubtful = scopes.flatMap((scope, number) =>
    listContents(scope.segment, scope.allowed).flatMap((content) =>
      (scope.entries[content] ?? [])
        .filter(({ path }) => look.of(path)?.authors.some(isOne) === true)
        .map((entry) => ({ number, content, entry })),
    ),
  );
  for (let at = 0; at < doubtful.length; at += filesAtOnce) {
    signal.throwIfAborted();
    await Promise.all(
      doubtful.slice(at, at + filesAtOnce).map(async ({ number, content, entry }) => {
        const lines = at < mostFiles ? await look.linesOf(entry) : undefined;
        const isLast = isOne(look.of(entry.path)?.authors[0] ?? "");
        layers[number]?.add(content, entry, (first, last) =>
          lines ? lines.slice(first - 1, last).some(isOne) : isLast,
        );
      }),
    );
  }
  return {
    scopes: layers.flatMap((some) => some.list()),
    warning: doubtful.length > mostFiles ? estimated : undefined,
  };
}

const estimated: SearchWarning = {
  code: "chunk_author_estimated",
  message: `More than ${mostFiles} files could match \`chunkAuthor\`. For the rest the last author of the file was used; narrow the search by path to be exact.`,
};

interface Layer extends Scope {
  readonly entries: (readonly Entry[] | undefined)[];
}

/**
 * A scope without anything, to which files are added with the chunks that are kept. One content may lie under several paths
 * whose lines others wrote: what differs becomes a scope of its own.
 */
class Layers {
  readonly #scope: Scope;
  readonly #layers: Layer[] = [];

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** Lines are counted from 1, both included. */
  add(content: number, entry: Entry, passes: (first: number, last: number) => boolean): void {
    const { segment, allowed } = this.#scope;
    const { chunks, contents } = segment;
    const from = contents.firstChunks[content] ?? 0;
    const kept = allowed.slice(from, contents.firstChunks[content + 1] ?? allowed.length);
    for (let at = 0; at < kept.length; at += 1) {
      const chunk = from + at;
      if (kept[at] === 1 && !passes(chunks.startLine[chunk] ?? 0, chunks.endLine[chunk] ?? 0)) kept[at] = 0;
    }
    if (!kept.includes(1)) return;
    const isSame = (mask: Mask): boolean => kept.every((is, at) => mask[from + at] === is);
    const layer =
      this.#layers.find((one) => one.entries[content] === undefined || isSame(one.allowed)) ?? this.#addLayer();
    layer.entries[content] = [...(layer.entries[content] ?? []), entry];
    layer.allowed.set(kept, from);
  }

  /** At least one, so that what is common is weighed by all there is. */
  list(): readonly Scope[] {
    return this.#layers.length > 0 ? this.#layers : [this.#addLayer()];
  }

  #addLayer(): Layer {
    const { segment, entries } = this.#scope;
    const layer = { segment, entries: entries.map(() => undefined), allowed: emptyMask(this.#scope) };
    this.#layers.push(layer);
    return layer;
  }
}
