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

  /** Puts other segments in the place of these. What none of the others has is forgotten. */
  exchange(old: ReadonlySet<Segment>, merged: readonly Segment[]): void {
    for (const [key, { segment }] of this.#places) if (old.has(segment)) this.#places.delete(key);
    this.#segments = [...this.#segments.filter((segment) => !old.has(segment)), ...merged];
    for (const segment of merged) this.#note(segment);
  }

  #note(segment: Segment): void {
    for (const [content, key] of segment.contents.keys.entries()) {
      if (!this.#places.has(key)) this.#places.set(key, { segment, content });
    }
  }
}
