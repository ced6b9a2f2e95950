/** Edits files of an indexed repository, searches and saves after each edit, and is killed so many milliseconds into that. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openGit } from "../../../dist/adapters/git/open.js";
import { installedGit } from "../../../dist/adapters/git/run.js";
import { openCodeindex } from "../../../dist/codeindex/open-codeindex.js";

const [homeDir, root, afterMs] = process.argv.slice(2);
const { signal } = new AbortController();
const repository = { root, main: root };
const plain = { isNothing: false, filters: {}, top: 1, contextLines: 0, isFull: false, isEverywhere: false };
const open = () => openCodeindex({ homeDir, openGit: (signal) => openGit(installedGit, signal), now: Date.now });
setTimeout(() => process.kill(process.pid, "SIGKILL"), Number(afterMs));
for (let edit = 0; ; edit += 1) {
  const index = open();
  // Each one leaves a small segment, and every eighth puts them together.
  writeFileSync(join(root, `f${edit % 60}.ts`), `export const needle = "edited ${edit}";\n`);
  await index.ports.search({ ...plain, query: "needle", modes: ["code"], repository, now: 0 }, { signal });
  await index.close();
}
