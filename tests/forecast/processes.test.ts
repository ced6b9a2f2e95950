import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openForecast } from "../../src/adapters/forecast/forecast.ts";
import { makeFolder, writeIn } from "../git/scratch.ts";
import { commitIn, lines, openScene } from "./scene.ts";

/** Puts a git before the installed one that writes down each start. */
function countStarts(): { take(): number } {
  const folder = makeFolder();
  const log = join(folder, "log");
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  writeFileSync(join(folder, "git"), `#!/bin/sh\necho >> '${log}'\nexec '${real}' "$@"\n`, { mode: 0o755 });
  const path = process.env["PATH"] ?? "";
  process.env["PATH"] = `${folder}${delimiter}${path}`;
  onTestFinished(() => {
    process.env["PATH"] = path;
  });
  return {
    take() {
      const count = existsSync(log) ? readFileSync(log, "utf8").split("\n").length - 1 : 0;
      rmSync(log, { force: true });
      return count;
    },
  };
}

/** How often git is started for the first look, and for one after one of its files was saved. */
async function countFor(worktrees: number): Promise<{ readonly perWorktree: number; readonly saved: number }> {
  const scene = openScene({ "a.txt": lines(), ".gitattributes": "*.md merge=union\n" });
  const folders = Array.from({ length: worktrees }, (_, at) => scene.worktree(`worker-${at}`));
  for (const [at, folder] of folders.entries()) {
    commitIn(folder, { "a.txt": lines({ [20 + 2 * at]: `line of ${at}` }) });
    writeIn(folder, "note.txt", "not committed\n");
  }
  const forecast = openForecast(makeFolder());
  const [first = ""] = folders;
  const look = (changed?: readonly string[]) =>
    forecast.look({ folder: scene.path, changed }, new AbortController().signal);
  const starts = countStarts();
  await look();
  const all = starts.take();
  writeIn(first, "a.txt", lines({ 20: "line of 0", 50: "saved" }));
  const { meetings } = await look([first]);
  expect(meetings.filter(({ between }) => between.includes(first))).toHaveLength(worktrees - 1);
  return { perWorktree: all / worktrees, saved: starts.take() };
}

test("[FC43] one saved file starts git as often with many worktrees that it meets as with a few", async () => {
  const few = await countFor(3);
  const many = await countFor(9);
  expect(many.saved).toBe(few.saved);
  // The fork of each pair is asked for, once.
  expect(many.perWorktree).toBeLessThan(few.perWorktree + 9);
});
