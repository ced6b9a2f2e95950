import { randomBytes } from "node:crypto";
import { mkdir, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import { Refusal } from "../../../contract/refusal.ts";
import type { ArtifactKind, DownloadWatch, InstalledArtifact } from "../../../domain/artifact/port.ts";
import type { ArchiveLimits } from "../archive/entry-names.ts";
import { archiveKindOf, unpack } from "../archive/unpack.ts";
import type { Wanted } from "./address.ts";
import { fetchFile, hashOf } from "./fetch.ts";
import { noteInstalled, readInstalled } from "./installed.ts";
import { freshPrefix, isThere, putInPlace } from "./put-in-place.ts";

interface InstallAsk {
  readonly kind: ArtifactKind;
  readonly name: string;
  readonly wanted: Wanted;
  readonly dir: string;
  readonly force: boolean;
  readonly hosts: readonly string[];
  readonly patienceMs: number;
  readonly limits: ArchiveLimits;
}

/** A model is one large file; what programs load is many small ones. */
const limitsOf = ({ kind, limits }: InstallAsk): ArchiveLimits =>
  kind === "models" ? { ...limits, mostEntryBytes: limits.mostBytes } : limits;

type Installed = Omit<InstalledArtifact, "isInPlace">;

/** Two who want the same at once would write over each other's unfinished file. */
const running = new Map<string, Promise<unknown>>();

/** Fetches, checks, unpacks and puts in place, the last in one step: a name stands for something whole or for nothing. */
export async function install(ask: InstallAsk, watch: DownloadWatch): Promise<Installed> {
  const before = running.get(ask.dir) ?? Promise.resolve();
  const mine = before.catch(() => undefined).then(() => installAlone(ask, watch));
  running.set(ask.dir, mine);
  try {
    return await mine;
  } finally {
    if (running.get(ask.dir) === mine) running.delete(ask.dir);
  }
}

async function installAlone(ask: InstallAsk, watch: DownloadWatch): Promise<Installed> {
  const { dir, wanted } = ask;
  const name = safeName(ask.name);
  const kind = archiveKindOf(wanted.url.pathname);
  const place = join(dir, kind === undefined ? fileNameOf(name, wanted) : name);
  const known = (await readInstalled(dir))[name];
  if (known?.sha256 === wanted.sha256 && !ask.force && (await isThere(place))) {
    return {
      name,
      path: place,
      bytes: known.bytes,
      files: Object.keys(known.files),
      sha256: known.sha256,
      isNew: false,
    };
  }
  const draftDir = join(dir, ".partial");
  const fresh = join(dir, `${freshPrefix}${randomBytes(6).toString("hex")}`);
  try {
    const draft = await fetchFile(wanted, { ...ask, ...watch, draftDir, mostBytes: ask.limits.mostBytes });
    if (kind === undefined) await rename(draft, fresh);
    else {
      await mkdir(fresh, { mode: 0o700 });
      try {
        await unpack(draft, fresh, { kind, limits: limitsOf(ask), signal: watch.signal });
      } finally {
        await rm(draft, { force: true });
      }
    }
    await putInPlace(fresh, place);
    const files = await hashFiles(place, dir);
    const bytes = await sizeOf(files, dir);
    await noteInstalled(dir, name, { sha256: wanted.sha256, bytes, files });
    return { name, path: place, bytes, files: Object.keys(files), sha256: wanted.sha256, isNew: true };
  } finally {
    await rm(fresh, { recursive: true, force: true });
    // Folders that a failed download made and that hold nothing are no use to anybody.
    for (const empty of [draftDir, dir]) await rmdir(empty).catch(() => undefined);
  }
}

/** What a caller calls something, as the name of a folder. */
function safeName(name: string): string {
  const safe = name
    .replaceAll(/[^\w.-]+/g, "-")
    .replace(/^[.-]+/, "")
    .slice(0, 100);
  if (safe !== "") return safe;
  throw new Refusal("INVALID_REQUEST", "That is not a name.", "Use letters, digits, dots and dashes.");
}

/** A single file keeps the ending it has at its source. */
function fileNameOf(name: string, { url }: Wanted): string {
  const [ending = ""] = /\.[A-Za-z0-9]{1,10}$/.exec(basename(url.pathname)) ?? [];
  return name.endsWith(ending) ? name : `${name}${ending}`;
}

async function hashFiles(place: string, dir: string): Promise<Record<string, string>> {
  const isFolder = (await stat(place)).isDirectory();
  const names = isFolder ? await readdir(place, { recursive: true, withFileTypes: true }) : [];
  const paths = isFolder
    ? names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    : [place];
  const hashed: Record<string, string> = {};
  for (const path of paths.sort()) hashed[relative(dir, path).replaceAll(sep, "/")] = await hashOf(path);
  return hashed;
}

async function sizeOf(files: Readonly<Record<string, string>>, dir: string): Promise<number> {
  let bytes = 0;
  for (const path of Object.keys(files)) bytes += (await stat(join(dir, path))).size;
  return bytes;
}
