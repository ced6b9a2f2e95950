import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeWhole } from "../write-file.ts";

/** What was installed in a folder, and with which hashes: only this is ever loaded. */
interface Installed {
  readonly sha256: string;
  readonly bytes: number;
  /** Relative to the folder, each with its hash. */
  readonly files: Readonly<Record<string, string>>;
}

const noteIn = (dir: string): string => join(dir, ".installed.json");

export async function readInstalled(dir: string): Promise<Readonly<Record<string, Installed>>> {
  try {
    return JSON.parse(await readFile(noteIn(dir), "utf8")) as Record<string, Installed>;
  } catch {
    return {};
  }
}

export async function noteInstalled(dir: string, name: string, installed: Installed): Promise<void> {
  const all = { ...(await readInstalled(dir)), [name]: installed };
  await writeWhole(noteIn(dir), `${JSON.stringify(all, null, 2)}\n`);
}
