import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pass } from "node:timers/promises";

const fileOf = (at) => `src/part-${at % 40}/file-${at}.ts`;
const textOf = (at, first) => `${first}\n${`export const value${at} = ${at};\n`.repeat(40)}`;

/**
 * How long it takes from saving a file to the warning, where nobody says a word to the server: agents in worktrees of
 * one repository, of which one after the other saves what another has committed otherwise. `call` asks the server.
 */
export async function judgeWarning({ call, folder, worktrees, times, files = 2_000 }) {
  const place = join(folder, "repository");
  const git = (cwd, ...args) =>
    execFileSync("git", ["-C", cwd, "-c", "user.name=Bench", "-c", "user.email=bench@localhost", ...args], {
      stdio: "ignore",
    });
  mkdirSync(place, { recursive: true });
  git(place, "init", "-q", "-b", "main");
  for (let at = 0; at < files; at += 1) {
    mkdirSync(join(place, fileOf(at), ".."), { recursive: true });
    writeFileSync(join(place, fileOf(at)), textOf(at, "// as it was"));
  }
  git(place, "add", "-A");
  git(place, "commit", "-qm", "First");
  const folders = [];
  for (let at = 0; at < worktrees; at += 1) {
    const path = join(folder, `worktree-${at}`);
    git(place, "worktree", "add", "-q", "-b", `work-${at}`, path);
    // Everybody changes a file that the next one may change, too.
    writeFileSync(join(path, fileOf(at)), textOf(at, `// as ${at} has it`));
    git(path, "commit", "-qam", "Mine");
    await call("covibe_session", { operation: "start", agent_name: `agent ${at}`, repo: "bench", worktree: path });
    folders.push(path);
  }
  const known = async () => new Set((await call("collision_known", {})).collisions.map(({ id }) => id));
  // Until the first looks are over and what is saved up is used.
  await pass(30_000);
  const took = [];
  for (let at = 0; at < times; at += 1) {
    const before = await known();
    const other = (at * 7 + 1) % worktrees;
    const [mine, theirs] = [folders[(other + 1) % worktrees], other];
    writeFileSync(join(mine, fileOf(theirs)), textOf(theirs, `// saved for the ${at + 1}. time`));
    const savedAt = performance.now();
    while ([...(await known())].every((id) => before.has(id)) && performance.now() - savedAt < 120_000) await pass(200);
    took.push(performance.now() - savedAt);
    // At any moment of a round.
    await pass((at * 1_700) % 9_000);
  }
  return took.toSorted((one, other) => one - other);
}
