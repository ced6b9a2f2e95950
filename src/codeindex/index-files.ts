import { setImmediate as nextTurn } from "node:timers/promises";
import type { Library } from "./library.ts";
import { languageOf } from "./parse/languages.ts";
import { mostBytes, parseFile } from "./parse/parse-file.ts";
import { decodeText } from "./parse/source-text.ts";
import { SegmentBuilder } from "./segment/builder.ts";
import type { Wanted } from "./tree/detect.ts";
import { type Entry, keyOf } from "./tree/entry.ts";
import { blobIdOf, TreeReader } from "./tree/read-file.ts";

interface IndexOptions {
  readonly root: string;
  readonly library: Library;
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
const segmentBytes = 48 * 1024 * 1024;
/** Others get their turn after so long. */
const turnMs = 8;

/** Reads and parses files, adds what is new to the library, and says what each of them is. */
export async function indexFiles(
  wanted: readonly Wanted[],
  { root, library, mayGoOn }: IndexOptions,
): Promise<IndexedFiles> {
  const reader = new TreeReader(root);
  const entries = new Map<string, Entry | undefined>();
  const isLarge = wanted.length > 200;
  let builder = new SegmentBuilder({ isLarge });
  const inBuilder = new Set<string>();
  let done = 0;
  let parsed = 0;
  let turnEnds = performance.now() + turnMs;
  const flush = (): void => {
    if (builder.length > 0) library.add(builder.finish());
    builder = new SegmentBuilder({ isLarge });
    inBuilder.clear();
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
      let skipped = library.skipped.get(key);
      if (skipped === undefined && !inBuilder.has(key) && !library.placeOf(key)) {
        const outcome = await parseFile(path, bytes);
        if ("skipped" in outcome) {
          skipped = outcome.skipped;
          library.skipped.set(key, skipped);
        } else {
          const text = decodeText(bytes)?.text ?? "";
          builder.add({ key, bytes, text, parsed: outcome });
          inBuilder.add(key);
          parsed += 1;
        }
      }
      entries.set(raw, skipped === undefined ? entry : { ...entry, key: undefined, skipped });
      if (builder.size > segmentBytes) flush();
    }
    if (performance.now() > turnEnds) {
      await nextTurn();
      turnEnds = performance.now() + turnMs;
    }
  }
  flush();
  return { entries, done, parsed };
}
