import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Measured, PlaceName } from "../../domain/artifact/port.ts";
import { placesIn } from "./places.ts";

/** What takes room below the home beside indexes, by kind. */
export async function measureArtifacts(homeDir: string): Promise<Measured[]> {
  const places = placesIn(homeDir);
  const kinds = ["models", "dictionaries", "extensions", "triage"] as const satisfies readonly PlaceName[];
  const measured: Measured[] = [];
  for (const kind of kinds) {
    for (const name of (await readdir(places[kind]).catch(() => [])).sort()) {
      // Notes about downloads, and what is not finished.
      if (name.startsWith(".")) continue;
      const path = join(places[kind], name);
      measured.push({ kind, name, path, bytes: await sizeOf(path) });
    }
  }
  return measured;
}

async function sizeOf(path: string): Promise<number> {
  const stats = await stat(path).catch(() => undefined);
  if (!stats?.isDirectory()) return stats?.size ?? 0;
  let bytes = 0;
  for (const name of await readdir(path)) bytes += await sizeOf(join(path, name));
  return bytes;
}

/** Whether a repository is still where it was. */
export const isFolderThere = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
