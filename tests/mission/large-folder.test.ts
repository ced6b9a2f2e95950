import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compareFolder, snapshotFolder } from "../../src/adapters/evidence/checksums.ts";
import { never } from "./changes.ts";
import { completeTask, openMissionHouse, startMission, startTask, tempDir } from "./repository.ts";

const roomy = { mostEntries: 100, mostBytes: 1_000n };

function folderOf(files: Record<string, number>): string {
  const dir = tempDir();
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(dir, name), "x".repeat(bytes));
  return dir;
}

test("[EV24] a folder up to the limits has a snapshot, one beyond either of them has none", async () => {
  const dir = folderOf({ "a.txt": 400, "b.txt": 600 });
  expect((await snapshotFolder(dir, never, roomy))?.type).toBe("checksum");
  expect(await snapshotFolder(dir, never, { ...roomy, mostBytes: 999n })).toBeUndefined();
  expect(await snapshotFolder(dir, never, { ...roomy, mostEntries: 1 })).toBeUndefined();
});

test("[EV24] folders count as well as files", async () => {
  const dir = folderOf({ "a.txt": 1 });
  for (const name of ["x", "y", "z"]) mkdirSync(join(dir, name));
  expect(await snapshotFolder(dir, never, { ...roomy, mostEntries: 3 })).toBeUndefined();
  expect(await snapshotFolder(dir, never, { ...roomy, mostEntries: 4 })).toBeDefined();
});

test("[EV24] a folder that outgrows the limits while a task is under way cannot be compared", async () => {
  const dir = folderOf({ "a.txt": 400 });
  const snapshot = await snapshotFolder(dir, never, roomy);
  writeFileSync(join(dir, "b.txt"), "x".repeat(2_000));
  expect(snapshot && (await compareFolder(snapshot, never, roomy))).toBeUndefined();
});

test("[EV24] the start of the task and its receipt say that the folder is too large", async () => {
  const house = await openMissionHouse("sqlite");
  const dir = tempDir();
  for (let at = 0; at <= 50_000; at += 1) mkdirSync(join(dir, `${at}`));
  const started = await startTask(house, { mission_id: await startMission(house), repository_path: dir });
  const warning =
    "The folder has no git repository and is too large for a checksum snapshot (50,000 entries or 512 MiB); changes are not known.";
  expect(started).toMatchObject({ snapshot_type: "none", warning });
  const { files_changed, verification } = await completeTask(house, started.task_id);
  expect(files_changed).toEqual({ added: [], modified: [], deleted: [] });
  expect(verification.warnings).toEqual([warning]);
});
