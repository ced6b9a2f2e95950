import type { Segment } from "./segment/segment.ts";
import type { ContentPlace } from "./tree/view.ts";

/** Every content that was ever read, by its key, in segments. Which of them are in a work tree is the views' business. */
export class Library {
  #segments: readonly Segment[] = [];
  readonly #places = new Map<string, ContentPlace>();
  /** Contents that could not be cut into chunks, with the reason. */
  readonly skipped = new Map<string, string>();

  get segments(): readonly Segment[] {
    return this.#segments;
  }

  readonly placeOf = (key: string): ContentPlace | undefined => this.#places.get(key);

  add(segment: Segment): void {
    this.#segments = [...this.#segments, segment];
    this.#note(segment);
  }

  /** Puts one segment in the place of several. */
  exchange(old: ReadonlySet<Segment>, merged: Segment): void {
    for (const { contents } of old) for (const key of contents.keys) this.#places.delete(key);
    this.#segments = [...this.#segments.filter((segment) => !old.has(segment)), merged];
    this.#note(merged);
  }

  #note(segment: Segment): void {
    for (const [content, key] of segment.contents.keys.entries()) {
      if (!this.#places.has(key)) this.#places.set(key, { segment, content });
    }
  }
}
