import type { Segment } from "../segment/segment.ts";
import type { Entry } from "./entry.ts";
import type { Listing, TreeLister } from "./listing.ts";

type PlacedEntries = readonly (readonly Entry[] | undefined)[];

/** Where a content lies. */
export interface ContentPlace {
  readonly segment: Segment;
  readonly content: number;
}

/** What is in one work tree now: which path has which content. Whoever searches takes what is there and keeps it. */
export class View {
  readonly lister: TreeLister;
  readonly entries = new Map<string, Entry>();
  head: string | null = null;
  branch: string | null = null;
  isDirty = false;
  /** What git said last, to compare only what may have changed since. */
  listed: Pick<Listing, "tracked" | "loose" | "deleted"> | undefined;
  /** What readers know of folders, for as long as nothing changes: behind a link git finds none of the files. */
  folders = new Map<string, boolean>();
  #placed = new Map<Segment, PlacedEntries>();
  /** Where the content of each path was put: by the time it goes, the library may know it elsewhere. */
  readonly #places = new Map<string, ContentPlace>();

  constructor(lister: TreeLister) {
    this.lister = lister;
  }

  get root(): string {
    return this.lister.root;
  }

  placedIn(segment: Segment): PlacedEntries {
    return this.#placed.get(segment) ?? [];
  }

  /** Takes over what was found. Arrays that a search may hold are copied, not changed. */
  apply(changes: ReadonlyMap<string, Entry | undefined>, placeOf: (key: string) => ContentPlace | undefined): void {
    this.folders = new Map();
    const copies = new Map<Segment, (readonly Entry[] | undefined)[]>();
    const copyOf = (segment: Segment): (readonly Entry[] | undefined)[] => {
      const known = copies.get(segment);
      if (known) return known;
      const copy = [...this.placedIn(segment)];
      copies.set(segment, copy);
      return copy;
    };
    for (const [raw, entry] of changes) {
      const left = this.#places.get(raw);
      if (left) {
        const others = copyOf(left.segment)[left.content]?.filter((one) => one.raw !== raw) ?? [];
        copyOf(left.segment)[left.content] = others.length === 0 ? undefined : others;
        this.#places.delete(raw);
      }
      const place = entry?.key === undefined ? undefined : placeOf(entry.key);
      if (place && entry) {
        copyOf(place.segment)[place.content] = [...(copyOf(place.segment)[place.content] ?? []), entry];
        this.#places.set(raw, place);
      }
      if (entry) this.entries.set(raw, entry);
      else this.entries.delete(raw);
    }
    const placed = new Map(this.#placed);
    for (const [segment, copy] of copies) placed.set(segment, copy);
    this.#placed = placed;
  }

  /** Finds its contents again after segments were put together. */
  replace(placeOf: (key: string) => ContentPlace | undefined): void {
    const placed = new Map<Segment, Entry[][]>();
    this.#places.clear();
    for (const entry of this.entries.values()) {
      const place = entry.key === undefined ? undefined : placeOf(entry.key);
      if (!place) {
        if (entry.key === undefined) continue;
        // Its file has changed under our hands: it is looked at again.
        this.entries.delete(entry.raw);
        this.listed = undefined;
        continue;
      }
      const list = placed.get(place.segment) ?? [];
      placed.set(place.segment, list);
      const here = list[place.content] ?? [];
      list[place.content] = here;
      here.push(entry);
      this.#places.set(entry.raw, place);
    }
    this.#placed = placed;
  }
}
