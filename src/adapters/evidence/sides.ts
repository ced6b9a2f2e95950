import { setImmediate as letOthersIn } from "node:timers/promises";
import type { Side, Sides, SidesAsk } from "../../domain/evidence/port.ts";
import { bytesOf, type RawName } from "../git/names.ts";
import { isId, readBlobs, readSizes } from "./blobs.ts";
import { folderReader } from "./checksums.ts";
import type { DiskReader, Identity } from "./disk-reader.ts";
import { nameOfText } from "./file-names.ts";
import { entriesIn, readEntries } from "./git-commits.ts";
import type { LookedAt } from "./git-repository.ts";
import { readerOf } from "./git-state.ts";
import { checkFolder, openTree } from "./snapshot.ts";

/** So many files are read together: each process of git costs more than a file. */
const filesAtOnce = 8;

/**
 * What files held, found by the names of their contents alone: among the repository's objects, or on the disk while it
 * still is exactly that. So whatever has happened since, nothing else is ever taken for it.
 */
export async function* readSides(ask: SidesAsk, signal: AbortSignal): AsyncGenerator<Sides> {
  if (ask.files.length === 0) return;
  await checkFolder(ask.root);
  const repository = ask.type === "git" ? await openTree(ask.root, signal) : undefined;
  const reader = repository ? readerOf(repository, signal) : folderReader(ask.root, signal);
  const files = await findWanted(repository, ask);
  const ids = files.flatMap(({ before, after }) => [idOf(before), idOf(after)]);
  const sizes = repository ? await readSizes(repository, ids) : new Map<string, number>();
  for (let at = 0; at < files.length; at += filesAtOnce) {
    signal.throwIfAborted();
    const some = files.slice(at, at + filesAtOnce);
    const small = some
      .flatMap(({ before, after }) => [idOf(before), idOf(after)])
      .filter((id) => (sizes.get(id) ?? Number.POSITIVE_INFINITY) <= ask.mostBytes);
    const blobs = repository ? await readBlobs(repository, small) : new Map<string, Buffer>();
    const source: Source = { reader, sizes, blobs, mostBytes: ask.mostBytes };
    for (const { path, name, before, after } of some) {
      // Comparing a large file takes a while, and whoever else is served must not wait for all of them.
      await letOthersIn();
      yield { path, before: await sideOf(source, name, before), after: await sideOf(source, name, after) };
    }
  }
  await checkFolder(ask.root);
}

interface Wanted {
  readonly path: string;
  readonly name: RawName;
  /** Undefined where nobody knows what lay there. */
  readonly before: Identity | undefined;
  readonly after: Identity;
}

async function findWanted(repository: LookedAt | undefined, { files, head }: SidesAsk): Promise<Wanted[]> {
  const named = files.map((file) => ({ ...file, name: nameOfText(file.path) }));
  const unknown = named.filter(({ before }) => before === undefined).map(({ name }) => name);
  const committed = repository ? await readNamed(repository, head, unknown) : new Map<RawName, Identity>();
  return named.map(({ before, ...file }) => ({
    ...file,
    before: before === undefined ? committed.get(file.name) : before,
  }));
}

/** A name that is no text cannot be asked for: for its sake the whole commit is listed. */
async function readNamed(repository: LookedAt, head: string | null, names: readonly RawName[]) {
  const isKnown = async (id: string) =>
    (await repository.run(["cat-file", "-e", `${id}^{commit}`], [1, 128])).code === 0;
  if (head === null || !isId(head) || !(await isKnown(head))) return new Map<RawName, Identity>();
  if (names.every((name) => isText(name))) return readEntries(repository, head, names);
  const { stdout } = await repository.run(["ls-tree", "-r", "-z", "--full-tree", head]);
  return new Map(entriesIn(stdout));
}

const isText = (name: RawName): boolean => Buffer.from(bytesOf(name).toString("utf8")).equals(bytesOf(name));

interface Source {
  readonly reader: DiskReader;
  readonly sizes: ReadonlyMap<string, number>;
  readonly blobs: ReadonlyMap<string, Buffer>;
  readonly mostBytes: number;
}

const things = { f: "file", x: "executable", l: "link", s: "submodule" } as const;
const gone: Side = { thing: null, content: "gone" };

async function sideOf(source: Source, name: RawName, identity: Identity | undefined): Promise<Side | null> {
  if (identity === null) return null;
  const thing = identity === undefined ? undefined : things[identity.slice(0, 1) as keyof typeof things];
  if (identity === undefined || thing === undefined) return gone;
  const id = idOf(identity);
  if (thing === "submodule") return { thing, content: Buffer.from(`Subproject commit ${id || "none"}\n`) };
  return { thing, content: source.blobs.get(id) ?? (await contentOf(source, name, identity)) };
}

async function contentOf(source: Source, name: RawName, identity: string): Promise<Side["content"]> {
  const { reader, sizes, mostBytes } = source;
  const id = idOf(identity);
  // What was too large to be read at all is told by its size and time.
  const bytes = sizes.get(id) ?? Number(/^(\d+)@/.exec(id)?.[1] ?? 0);
  if (bytes > mostBytes) return "too_large";
  return isInside(name) ? ((await reader.readIfStill(name, identity, mostBytes)) ?? "gone") : "gone";
}

const isInside = (name: RawName): boolean => name.split("/").every((part) => !["", ".", ".."].includes(part));

const idOf = (identity: Identity | undefined): string => identity?.slice(2) ?? "";
