import { readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { placesIn } from "../places.ts";

/** What is unpacked here is not installed yet; what lies here was, until its successor is in place. */
export const freshPrefix = ".new-";
const oldPrefix = ".old-";

/**
 * Puts what was made beside it in the place of what is installed. A file takes another's place in one step. A folder can
 * not: killed between the two, the next start puts the old one back (DL13).
 */
export async function putInPlace(fresh: string, place: string): Promise<void> {
  if (!(await isFolder(place))) return rename(fresh, place);
  const old = join(dirname(place), `${oldPrefix}${basename(place)}`);
  await rm(old, { recursive: true, force: true });
  await rename(place, old);
  try {
    await rename(fresh, place);
  } catch (error) {
    await rename(old, place);
    throw error;
  }
  await rm(old, { recursive: true, force: true });
}

/** Called while nobody installs anything: mends and sweeps what a killed server left behind (DL13). */
export async function recoverInstallations(homeDir: string): Promise<void> {
  const { models, dictionaries, extensions } = placesIn(homeDir);
  for (const dir of [models, dictionaries, extensions]) {
    for (const name of await readdir(dir).catch(() => [])) {
      if (name.startsWith(freshPrefix)) await rm(join(dir, name), { recursive: true, force: true });
      if (name.startsWith(oldPrefix)) await putBack(join(dir, name), join(dir, name.slice(oldPrefix.length)));
    }
  }
}

async function putBack(old: string, place: string): Promise<void> {
  if (await isThere(place)) await rm(old, { recursive: true, force: true });
  else await rename(old, place);
}

export const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
