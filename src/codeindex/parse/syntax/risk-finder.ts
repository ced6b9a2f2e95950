import type { FactBook } from "../fact-book.ts";
import { type RiskCategory, sinkOf, sourceOf } from "../risk.ts";

/** Looks each path up once and joins what a piece reads from outside with what it should not reach. */
export class RiskFinder {
  readonly #book: FactBook;
  readonly #sources = new Map<string, string | undefined>();
  readonly #sinks = new Map<string, ReturnType<typeof sinkOf>>();
  readonly #found = new Map<number, { readonly sources: Set<string>; readonly sinks: Map<string, RiskCategory> }>();

  constructor(book: FactBook) {
    this.#book = book;
  }

  takeRead(piece: number, path: string): void {
    const source = remember(this.#sources, path, sourceOf);
    if (source !== undefined) this.#at(piece).sources.add(source);
  }

  takeCall(piece: number, path: string): void {
    const sink = remember(this.#sinks, path, sinkOf);
    if (sink) for (const name of sink.names) this.#at(piece).sinks.set(name, sink.category);
  }

  finish(): void {
    for (const [piece, { sources, sinks }] of this.#found) {
      for (const source of sources) this.#book.add(piece, "riskSource", source);
      for (const [sink, category] of sinks) {
        this.#book.add(piece, "riskSink", sink);
        this.#book.add(piece, "riskCategory", category);
        this.#book.add(piece, "riskTag", category);
        for (const source of sources) this.#book.add(piece, "riskFlow", `${source}->${sink}`);
      }
    }
  }

  #at(piece: number) {
    const known = this.#found.get(piece);
    if (known) return known;
    const fresh = { sources: new Set<string>(), sinks: new Map<string, RiskCategory>() };
    this.#found.set(piece, fresh);
    return fresh;
  }
}

function remember<T>(known: Map<string, T>, path: string, find: (path: string) => T): T {
  if (known.has(path)) return known.get(path) as T;
  const found = find(path);
  known.set(path, found);
  return found;
}
