import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Segment } from "../segment/segment.ts";
import { decodeSegment, encodeSegment, segmentFormat } from "../segment/segment-file.ts";
import { type Entry, oidOf } from "../tree/entry.ts";
import type { IndexLayout } from "./layout.ts";

/** What is kept of an index beside its segments. */
interface StoredIndex {
  readonly main: string;
  readonly builtAt: number;
  readonly segments: readonly Segment[];
  readonly skipped: ReadonlyMap<string, string>;
  readonly views: readonly StoredView[];
}

interface StoredView {
  readonly root: string;
  readonly head: string | null;
  readonly branch: string | null;
  readonly entries: Iterable<Entry>;
}

interface Manifest {
  readonly format: number;
  readonly main: string;
  readonly builtAt: number;
  readonly segments: readonly { readonly file: string; readonly bytes: number }[];
  readonly views: string;
}

/**
 * An entry as it is written: path as bytes, key, blob, stamp, reason. A key that a segment has is its place among the keys of
 * all segments; a blob that is the key's is true. What is null at the end is left out.
 */
type Row = readonly [
  path: string,
  key?: number | string | null,
  oid?: string | true | null,
  stamp?: string | null,
  skipped?: string | null,
];

interface ViewsFile {
  readonly skipped: readonly (readonly [string, string])[];
  readonly views: readonly (Omit<StoredView, "entries"> & { readonly rows: readonly Row[] })[];
}

/** Which file holds a segment that was written or read. */
const files = new WeakMap<Segment, { readonly file: string; readonly bytes: number }>();

/**
 * Writes what is new, then the manifest, which one rename puts in its place: whenever this is cut short, the index that
 * was there before is there still.
 */
export async function saveIndex(layout: IndexLayout, index: StoredIndex): Promise<void> {
  await mkdir(layout.folder, { recursive: true, mode: 0o700 });
  const segments = [];
  for (const segment of index.segments) {
    const known = files.get(segment);
    if (known) segments.push(known);
    else {
      const file = `segment-${randomUUID()}.bin`;
      const bytes = await writeWhole(join(layout.folder, file), encodeSegment(segment));
      files.set(segment, { file, bytes });
      segments.push({ file, bytes });
    }
  }
  const views = `views-${randomUUID()}.json`;
  await writeWhole(join(layout.folder, views), [Buffer.from(JSON.stringify(writeViews(index)))]);
  const manifest: Manifest = { format: segmentFormat, main: index.main, builtAt: index.builtAt, segments, views };
  const draft = join(layout.folder, `draft-${randomUUID()}.json`);
  await writeWhole(draft, [Buffer.from(JSON.stringify(manifest))]);
  await rename(draft, layout.manifest);
  await removeRest(layout, new Set(["manifest.json", views, ...segments.map(({ file }) => file)]));
}

/** Undefined where nothing was built. What was, but can't be read, is empty: a search then indexes all files again. */
export async function loadIndex(layout: IndexLayout): Promise<StoredIndex | undefined> {
  const manifest = await readManifest(layout);
  if (!manifest) return undefined;
  const { main, builtAt } = manifest;
  return (await loadParts(layout, manifest)) ?? { main, builtAt, segments: [], skipped: new Map(), views: [] };
}

async function loadParts(layout: IndexLayout, manifest: Manifest): Promise<StoredIndex | undefined> {
  try {
    if (manifest.format !== segmentFormat) return undefined;
    const { skipped, views } = JSON.parse(await readFile(join(layout.folder, manifest.views), "utf8")) as ViewsFile;
    const segments: Segment[] = [];
    for (const written of manifest.segments) {
      const bytes = await readFile(join(layout.folder, written.file));
      const segment = bytes.length === written.bytes ? decodeSegment(bytes) : undefined;
      if (!segment) return undefined;
      files.set(segment, written);
      segments.push(segment);
    }
    return {
      main: manifest.main,
      builtAt: manifest.builtAt,
      segments,
      skipped: new Map(skipped),
      views: views.map(({ rows, ...view }) => ({ ...view, entries: rows.map(entryReader(segments)) })),
    };
  } catch {
    return undefined;
  }
}

/** Contents that another machine indexed, such as a job in CI that kept its index folder. Undefined where there are none. */
export async function loadForeign(folder: string): Promise<Pick<StoredIndex, "segments" | "skipped"> | undefined> {
  const layout = { id: "", folder, manifest: join(folder, "manifest.json") };
  const manifest = await readManifest(layout);
  const isSafe = manifest?.segments?.every?.(({ file }) => isOurs(file)) === true && isOurs(manifest.views);
  const stored = manifest && isSafe ? await loadParts(layout, manifest) : undefined;
  // They lie elsewhere: they are written into the index's own folder with the next save.
  for (const segment of stored?.segments ?? []) files.delete(segment);
  return stored && { segments: stored.segments, skipped: stored.skipped };
}

/** What an index says of itself; undefined where there is none. */
export async function readManifest(layout: IndexLayout): Promise<Manifest | undefined> {
  try {
    return JSON.parse(await readFile(layout.manifest, "utf8")) as Manifest;
  } catch {
    return undefined;
  }
}

function writeViews({ segments, skipped, views }: StoredIndex): ViewsFile {
  const places = new Map(listKeys(segments).map((key, place) => [key, place]));
  const rowOf = ({ raw, oid, stamp, key, skipped: reason }: Entry): Row => {
    const isOfKey = oid !== undefined && key !== undefined && oid === oidOf(key);
    const row: unknown[] = [raw, key && (places.get(key) ?? key), isOfKey || oid, stamp, reason];
    while (row.at(-1) === undefined) row.pop();
    return row as [string];
  };
  return {
    skipped: [...skipped],
    views: views.map(({ root, head, branch, entries }) => ({ root, head, branch, rows: [...entries].map(rowOf) })),
  };
}

function entryReader(segments: readonly Segment[]): (row: Row) => Entry {
  const keys = listKeys(segments);
  return ([raw, place, oid, stamp, skipped]) => {
    const key = typeof place === "number" ? keys[place] : (place ?? undefined);
    return {
      raw,
      path: Buffer.from(raw, "latin1").toString("utf8"),
      oid: oid === true ? key && oidOf(key) : (oid ?? undefined),
      stamp: stamp ?? undefined,
      key,
      skipped: skipped ?? undefined,
    };
  };
}

const listKeys = (segments: readonly Segment[]): string[] => segments.flatMap(({ contents }) => contents.keys);

async function writeWhole(path: string, parts: readonly Uint8Array[]): Promise<number> {
  const file = await open(path, "wx", 0o600);
  let bytes = 0;
  try {
    for (const part of parts) {
      if (part.length === 0) continue;
      await file.appendFile(part);
      bytes += part.length;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return bytes;
}

/** Names without a way out of their folder. */
const isOurs = (name: string): boolean => /^(segment|views|draft)-[0-9a-f-]+\.(bin|json)$/.test(name);

async function removeRest({ folder }: IndexLayout, kept: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(folder)) {
    if (isOurs(name) && !kept.has(name)) await rm(join(folder, name), { force: true });
  }
}
