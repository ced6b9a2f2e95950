import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { StoredIndex } from "../../domain/codeindex/port.ts";
import { readManifest } from "./index-files-on-disk.ts";
import { repositoriesIn } from "./layout.ts";

/** Every index below a home, with the room it takes. */
export async function listStoredIndexes(homeDir: string): Promise<StoredIndex[]> {
  const parent = repositoriesIn(homeDir);
  const found: StoredIndex[] = [];
  for (const id of (await readdir(parent).catch(() => [])).sort()) {
    const folder = join(parent, id);
    const manifest = await readManifest({ id, folder, manifest: join(folder, "manifest.json") });
    if (!manifest) continue;
    let bytes = 0;
    for (const name of await readdir(folder))
      bytes += (await stat(join(folder, name)).catch(() => undefined))?.size ?? 0;
    found.push({ id, folder, main: manifest.main, bytes, builtAt: manifest.builtAt });
  }
  return found;
}

export async function removeStoredIndex(homeDir: string, id: string): Promise<void> {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(id)) return;
  await rm(join(repositoriesIn(homeDir), id), { recursive: true, force: true });
}
