/**
 * `npm run strings [-- FOLDER…]`: every string that people or models may read, file by file with its line, so that words
 * can be reviewed in one go.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles } from "./steps/files.mjs";
import { root } from "./steps/root.mjs";
import { isSpoken, listStrings, spokenRooms } from "./steps/strings.mjs";

const asked = process.argv.slice(2);

for (const path of (asked.length > 0 ? asked : spokenRooms).flatMap((room) => listFiles(root, room)).filter(isSpoken)) {
  const strings = listStrings(readFileSync(join(root, path), "utf8"), path);
  if (strings.length === 0) continue;
  const lines = strings.map(({ line, said }) => `${String(line).padStart(4)}  ${said}`);
  process.stdout.write(`${path}\n${lines.join("\n")}\n\n`);
}
