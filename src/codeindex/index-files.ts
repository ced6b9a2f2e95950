import { setImmediate as nextTurn } from "node:timers/promises";
import type { Library } from "./library.ts";
import { languageOf } from "./parse/languages.ts";
import { mostBytes } from "./parse/limits.ts";
import type { ParsePool } from "./parse/parse-pool.ts";
import { decodeText } from "./parse/source-text.ts";
import type { FileOutcome } from "./parsed-file.ts";
import { SegmentBuilder } from "./segment/builder.ts";
import type { Wanted } from "./tree/detect.ts";
import { type Entry, keyOf } from "./tree/entry.ts";
import { blobIdOf, TreeReader } from "./tree/read-file.ts";

interface IndexOptions {
  readonly root: string;
  readonly library: Library;
  readonly parsing: ParsePool;
  /** Asked before each file; false leaves it and the rest for later. */
  mayGoOn(done: number): boolean;
}

interface IndexedFiles {
  readonly entries: ReadonlyMap<string, Entry | undefined>;
  /** How many of the files were dealt with. */
  readonly done: number;
  readonly parsed: number;
}

/** A segment is finished when it has so much text, so that building takes no more memory for large repositories. */
const segmentBytes = 24 * 1024 * 1024;
/** Files that are read ahead of the one whose turn it is: enough for every thread. */
const filesAhead = 24;
/** Others get their turn after so long. */
const turnMs = 8;

/** Reads and parses files, adds what is new to the library, and says what each of them is. */
export async function indexFiles(
  wanted: readonly Wanted[],
  { root, library, parsing, mayGoOn }: IndexOptions,
): Promise<IndexedFiles> {
  const reader = new TreeReader(root);
  const entries = new Map<string, Entry | undefined>();
  const isLarge = wanted.length > 200;
  let builder = new SegmentBuilder({ isLarge });
  const inBuilder = new Set<string>();
  const outcomes = new Map<string, Promise<FileOutcome>>();
  const ahead: Read[] = [];
  let done = 0;
  let parsed = 0;
  let turnEnds = performance.now() + turnMs;
  const flush = (): void => {
    if (builder.length > 0) library.add(builder.finish());
    builder = new SegmentBuilder({ isLarge });
    inBuilder.clear();
  };
  /** Takes the first of those that were read ahead, so that everything is added in its order. */
  const settle = async ({ entry, key, bytes, outcome }: Read): Promise<void> => {
    const found = await outcome;
    outcomes.delete(key);
    if ("skipped" in found) {
      library.skipped.set(key, found.skipped);
      entries.set(entry.raw, { ...entry, key: undefined, skipped: found.skipped });
      return;
    }
    entries.set(entry.raw, entry);
    if (inBuilder.has(key) || library.placeOf(key)) return;
    builder.add({ key, bytes, text: decodeText(bytes)?.text ?? "", parsed: found });
    inBuilder.add(key);
    parsed += 1;
    if (builder.size > segmentBytes) flush();
  };
  for (const { raw, path, oid } of wanted) {
    if (!mayGoOn(done)) break;
    done += 1;
    const read = reader.read(raw, mostBytes);
    if (read === undefined) entries.set(raw, undefined);
    else if ("skipped" in read) {
      const stamp = reader.stamp(raw);
      entries.set(raw, { path, raw, oid, stamp, key: undefined, skipped: read.skipped });
    } else {
      const { bytes, stamp } = read;
      const blobId = blobIdOf(bytes);
      const key = keyOf(blobId, languageOf(path));
      // Bytes that are not the blob's are what line ends were made of, or were saved since git looked.
      const vouched = blobId === oid || stamp !== undefined ? oid : undefined;
      const entry = { path, raw, oid: vouched, stamp, key, skipped: undefined };
      const skipped = library.skipped.get(key);
      if (skipped !== undefined) entries.set(raw, { ...entry, key: undefined, skipped });
      else if (inBuilder.has(key) || library.placeOf(key)) entries.set(raw, entry);
      else {
        const outcome = outcomes.get(key) ?? parsing.parse(path, bytes);
        outcome.catch(() => undefined); // It is told when its turn comes.
        outcomes.set(key, outcome);
        ahead.push({ entry, key, bytes, outcome });
      }
    }
    while (ahead.length > filesAhead) for (const first of ahead.splice(0, 1)) await settle(first);
    if (performance.now() > turnEnds) {
      await nextTurn();
      turnEnds = performance.now() + turnMs;
    }
  }
  for (const one of ahead) await settle(one);
  flush();
  return { entries, done, parsed };
}

/** A file that was read and is being parsed. */
interface Read {
  readonly entry: Entry;
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly outcome: Promise<FileOutcome>;
}
