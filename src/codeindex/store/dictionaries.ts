import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Dictionary, readDictionary } from "../query/dictionary.ts";

const mostFiles = 200;
const mostBytes = 50_000_000;
const none: Dictionary = { words: new Set(), synonyms: new Map() };

/** The dictionaries that lie in a folder, read again when one of them has changed. */
export class Dictionaries {
  readonly #folder: string;
  #seen = "";
  #known: Dictionary = none;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async read(): Promise<Dictionary> {
    const files = await listFiles(this.#folder);
    const seen = files.map(({ path, size, changedAt }) => `${path} ${size} ${changedAt}`).join("\n");
    if (seen === this.#seen) return this.#known;
    const texts = await Promise.all(files.map(({ path }) => readFile(path, "utf8").catch(() => "")));
    this.#known = texts.length === 0 ? none : readDictionary(texts);
    this.#seen = seen;
    return this.#known;
  }
}

interface DictionaryFile {
  readonly path: string;
  readonly size: number;
  readonly changedAt: number;
}

/** Unfinished downloads and notes about them begin with a dot. */
async function listFiles(folder: string): Promise<DictionaryFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found: DictionaryFile[] = [];
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith(".")) continue;
    if (entry.isDirectory()) found.push(...(await listFiles(path)));
    else if (entry.isFile() && /\.(?:txt|dic)$|^[^.]+$/.test(entry.name)) {
      const stats = await stat(path).catch(() => undefined);
      if (stats && stats.size <= mostBytes) found.push({ path, size: stats.size, changedAt: stats.mtimeMs });
    }
  }
  return found.slice(0, mostFiles);
}
