import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { IndexParts } from "../../domain/codeindex/model.ts";
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
    const parts = { segments: 0, vectors: 0, copy: 0, other: 0 };
    for (const name of await readdir(folder))
      parts[partOf(name)] += (await stat(join(folder, name)).catch(() => undefined))?.size ?? 0;
    const bytes = Object.values(parts).reduce((sum, size) => sum + size, 0);
    found.push({ id, folder, main: manifest.main, bytes, parts, builtAt: manifest.builtAt });
  }
  return found;
}

function partOf(name: string): keyof IndexParts {
  if (name.startsWith("segment-")) return "segments";
  if (name.startsWith("vectors-")) return "vectors";
  return name.startsWith("copy.sqlite") ? "copy" : "other";
}

export async function removeStoredIndex(homeDir: string, id: string): Promise<void> {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(id)) return;
  await rm(join(repositoriesIn(homeDir), id), { recursive: true, force: true });
}
