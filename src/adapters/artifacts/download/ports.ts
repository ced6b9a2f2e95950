import { copyFile, mkdir, rename, stat } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { Refusal } from "../../../contract/refusal.ts";
import type { ArtifactPorts, DownloadAsk, DownloadSettings, ExtensionAsk } from "../../../domain/artifact/port.ts";
import type { ArchiveLimits } from "../archive/entry-names.ts";
import { confinedPath } from "../confined-path.ts";
import { placesIn } from "../places.ts";
import { readWanted } from "./address.ts";
import { hashOf } from "./fetch.ts";
import { install } from "./install.ts";
import { noteInstalled, readInstalled } from "./installed.ts";
import { tryExtension } from "./probe-extension.ts";

interface DownloadOptions {
  readonly homeDir: string;
  readonly downloads: DownloadSettings;
  /** So long a server may say nothing; 30 s unless said. */
  readonly patienceMs?: number | undefined;
  readonly limits?: ArchiveLimits | undefined;
}

/** What a download may hold at most, packed and unpacked (DL7). */
export const downloadLimits: ArchiveLimits = {
  mostBytes: 200_000_000,
  mostEntryBytes: 50_000_000,
  mostEntries: 2_048,
};

type DownloadPorts = Pick<ArtifactPorts, "host" | "download" | "findExtension" | "tryExtension">;

export const downloadPorts = ({
  homeDir,
  downloads,
  patienceMs = 30_000,
  limits = downloadLimits,
}: DownloadOptions): DownloadPorts => ({
  host: { platform: process.platform, arch: process.arch },
  async download(ask, watch) {
    if (!downloads.allow) throw notAllowed();
    const dir = ask.dir === undefined ? placesIn(homeDir)[ask.kind] : confinedPath(homeDir, ask.dir, "folder");
    const out = ask.out === undefined ? undefined : confinedPath(homeDir, ask.out, "file");
    const wanted = readWanted(firstListed(ask, downloads), downloads.files);
    const { kind, name, force } = ask;
    const { hosts } = downloads;
    const isInPlace = dir === placesIn(homeDir)[kind];
    const installed = {
      ...(await install({ kind, name, wanted, dir, force, hosts, patienceMs, limits }, watch)),
      isInPlace,
    };
    if (out === undefined) return installed;
    const loadable = installed.files.find(isLoadable) ?? installed.files[0];
    if (loadable === undefined) throw nothingLoadable();
    await copyWhole(join(dir, loadable), out);
    await noteInstalled(dirname(out), basename(out), {
      sha256: installed.sha256,
      bytes: installed.bytes,
      files: { [basename(out)]: await hashOf(out) },
    });
    return { ...installed, path: out };
  },
  async findExtension(ask) {
    const dir = ask.dir === undefined ? placesIn(homeDir).extensions : confinedPath(homeDir, ask.dir, "folder");
    return findIn(homeDir, dir, ask);
  },
  tryExtension,
});

/** The first of the names that the table has; else the first, which is then an address or is not known. */
function firstListed({ from }: DownloadAsk, { files }: DownloadSettings): string {
  return from.find((name) => Object.hasOwn(files, name)) ?? from[0] ?? "";
}

async function findIn(homeDir: string, dir: string, { provider, path, platform }: ExtensionAsk) {
  if (path !== undefined) {
    const asked = confinedPath(homeDir, path, "file");
    return { path: asked, exists: await isFile(asked), isTrusted: await isAsInstalled(dir, asked) };
  }
  const known = (await readInstalled(dir))[provider];
  const loadable = Object.keys(known?.files ?? {}).find((name) => isLoadableOn(name, platform));
  if (loadable === undefined) return { path: null, exists: false, isTrusted: false };
  const found = join(dir, loadable);
  return { path: found, exists: await isFile(found), isTrusted: await isAsInstalled(dir, found) };
}

/** Whether a file still has the hash it was installed with: nothing else is ever loaded (DL8). */
async function isAsInstalled(dir: string, path: string): Promise<boolean> {
  const hashes = new Set<string>();
  for (const folder of [dir, dirname(path)]) {
    const name = relative(folder, path).replaceAll(sep, "/");
    for (const { files } of Object.values(await readInstalled(folder))) {
      const hash = files[name];
      if (hash !== undefined) hashes.add(hash);
    }
  }
  return hashes.size > 0 && (await isFile(path)) && hashes.has(await hashOf(path));
}

const endings: Readonly<Record<string, string>> = { linux: ".so", darwin: ".dylib", win32: ".dll" };
const isLoadableOn = (name: string, platform: string): boolean => name.endsWith(endings[platform] ?? ".so");
const isLoadable = (name: string): boolean => Object.values(endings).some((ending) => name.endsWith(ending));

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );

async function copyWhole(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await copyFile(from, `${to}.tmp`);
  await rename(`${to}.tmp`, to);
}

const notAllowed = (): Refusal =>
  new Refusal(
    "FORBIDDEN",
    "Downloads are not allowed on this server.",
    'Set "downloads": {"allow": true, "hosts": ["…"]} in config.json and restart the server.',
  );

const nothingLoadable = (): Refusal =>
  new Refusal("ARCHIVE_UNSAFE", "The archive holds no extension.", "Check that it is the right one.");
