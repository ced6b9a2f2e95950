import type { Library } from "../library.ts";
import { languageOf } from "../parse/languages.ts";
import { type Entry, keyOf } from "./entry.ts";
import { toText } from "./listing.ts";
import { TreeReader } from "./read-file.ts";
import type { View } from "./view.ts";

/** A file whose content is not known yet. */
export interface Wanted {
  readonly raw: string;
  readonly path: string;
  /** Its blob, where git vouches for it. */
  readonly oid: string | undefined;
}

interface Detected {
  /** What can be said at once; undefined for what is gone, or has to be read first. */
  readonly changes: ReadonlyMap<string, Entry | undefined>;
  readonly wanted: readonly Wanted[];
}

/** Compares a work tree with what is known of it. Only files that may have changed are looked at. */
export async function detectChanges(view: View, library: Library): Promise<Detected> {
  const before = view.listed;
  const listing = await view.lister.list();
  const { tracked, loose, deleted } = listing;
  const isSameIndex = before?.tracked === tracked;
  const candidates = isSameIndex
    ? new Set([...before.loose, ...before.deleted, ...loose, ...deleted])
    : new Set([...view.entries.keys(), ...tracked.keys(), ...loose]);
  const reader = new TreeReader(view.root);
  const changes = new Map<string, Entry | undefined>();
  const wanted: Wanted[] = [];
  for (const raw of candidates) {
    const known = view.entries.get(raw);
    const oid = deleted.has(raw) || loose.has(raw) ? undefined : tracked.get(raw);
    const found =
      oid !== undefined
        ? compareTracked(raw, oid, known, library)
        : loose.has(raw)
          ? compareLoose(raw, known, reader)
          : "gone";
    if (found === "same") continue;
    if (found === "gone") {
      if (known) changes.set(raw, undefined);
      continue;
    }
    if (found === "unknown") {
      changes.set(raw, undefined);
      wanted.push({ raw, path: toText(raw), oid });
    } else changes.set(raw, found);
  }
  view.head = listing.head;
  view.branch = listing.branch;
  view.isDirty = loose.size > 0 || deleted.size > 0;
  view.listed = { tracked, loose, deleted };
  return { changes, wanted };
}

type Comparison = "same" | "gone" | "unknown" | Entry;

/** Git vouches for it: the blob says what it is, and one that was met on another branch is known. */
function compareTracked(raw: string, oid: string, known: Entry | undefined, library: Library): Comparison {
  if (known?.oid === oid) return "same";
  const path = toText(raw);
  const key = keyOf(oid, languageOf(path));
  if (library.placeOf(key)) return { path, raw, oid, stamp: undefined, key, skipped: undefined };
  const skipped = library.skipped.get(key);
  return skipped === undefined ? "unknown" : { path, raw, oid, stamp: undefined, key: undefined, skipped };
}

function compareLoose(raw: string, known: Entry | undefined, reader: TreeReader): Comparison {
  const stamp = reader.stamp(raw);
  if (stamp === undefined) return "gone";
  return known?.stamp === stamp ? "same" : "unknown";
}
