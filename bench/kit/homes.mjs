import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/steps/root.mjs";

/** On the disk the repository lies on: a temporary folder may be in memory, where saving costs nothing. */
const place = join(root, ".work", "bench", String(process.pid));

let count = 0;

/** A fresh folder for one home or one store. */
export function makeFolder() {
  count += 1;
  const folder = join(place, String(count));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

export const removeFolders = () => rmSync(place, { recursive: true, force: true });

/** The owner's token, which the first start of a server leaves in its home. */
export const readToken = (home) => JSON.parse(readFileSync(join(home, "credentials.json"), "utf8")).default;
