/** Builds the index of a repository, then again from scratch, and is killed so many milliseconds into that. */
import { openGit } from "../../../dist/adapters/git/open.js";
import { installedGit } from "../../../dist/adapters/git/run.js";
import { openCodeindex } from "../../../dist/codeindex/open-codeindex.js";

const [homeDir, root, afterMs] = process.argv.slice(2);
const { ports } = openCodeindex({ homeDir, openGit: (signal) => openGit(installedGit, signal), now: Date.now });
const { signal } = new AbortController();
const build = (isFromScratch) => ports.build({ repository: { root, main: root }, isFromScratch }, { signal });
await build(false);
setTimeout(() => process.kill(process.pid, "SIGKILL"), Number(afterMs));
for (;;) await build(true);
