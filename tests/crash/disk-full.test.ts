import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openTestHouse } from "../../src/testing/house.ts";
import { auditStore, expectWhole, isAck } from "./audit.ts";
import { startProgram } from "./program.ts";

/** A disk of four megabytes, gone after the test. */
function mountSmallDisk(): string {
  const dir = mkdtempSync(join(tmpdir(), "crewdeck-small-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", dir]);
  onTestFinished(() => {
    execFileSync("umount", ["--lazy", dir]);
    rmdirSync(dir);
  });
  return dir;
}

test("[DU8, LG19] a full disk refuses changes, loses none, and with room again the store goes on", async () => {
  const dir = mountSmallDisk();
  const location = join(dir, "crewdeck.db");
  const ballast = join(dir, "ballast");
  writeFileSync(ballast, Buffer.alloc(1_500_000, 1));
  const program = startProgram("fill", { location, backup: join(dir, "backup.db") });

  await waitForLine(() => program.lines.some((line) => "backup" in (line as object)));
  const refused = program.lines.flatMap((line) => (line as { refused?: string }).refused ?? []);
  expect(new Set(refused)).toEqual(new Set(["STORE_FULL"]));
  expect(program.lines.at(-1)).toEqual({ backup: expect.stringMatching(/full/), reads: true, reason: null });
  expect(readdirSync(dir).filter((name) => name.startsWith("backup"))).toEqual([]);
  const before = program.lines.filter(isAck).length;

  rmSync(ballast);
  program.process.stdin?.write("go on\n");
  expect(await program.ended, program.errors).toEqual({ code: 0, signal: null });
  const calls = program.lines.filter(isAck);
  const acks = calls.filter((line) => "kind" in line);
  expect(acks.length).toBeGreaterThanOrEqual(20);
  expect(calls.length - before).toBe(20);

  const house = await openTestHouse("sqlite", { location });
  expectWhole(await house.house.store.read((db) => auditStore(db, acks)));
  const usage = (await house.entries("usage")).filter((entry) => entry.kind === "agent_register");
  expect(usage.map((entry) => entry.subject).sort()).toEqual(calls.map((line) => line.call).sort());

  async function waitForLine(isThere: () => boolean): Promise<void> {
    while (!isThere()) await program.waitForLines(program.lines.length + 1);
  }
});
