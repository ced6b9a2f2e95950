import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { openSqlite } from "../../src/storage/sqlite.ts";
import { freshLocation } from "../../src/testing/house.ts";
import { seed } from "../seed.ts";
import { type Ack, type Audit, auditStore, isAck } from "./audit.ts";
import { ForgetfulDisk, fates } from "./disk.ts";
import { startProgram } from "./program.ts";
import { seededRandom } from "./random.ts";
import { readTrace, recorder, type Step } from "./trace.ts";

/** Records every write and sync of a server that acknowledges this many changes. */
async function record(acks: number, synchronous: "full" | "normal"): Promise<Step[]> {
  const location = freshLocation("sqlite");
  const traceFile = `${location}.trace`;
  const program = startProgram("writer", { location, acks, storeOptions: { synchronous } }, recorder(traceFile));
  await program.waitForLines(1);
  program.process.stdin?.end("go\n");
  expect(await program.ended).toEqual({ code: 0, signal: null });
  return readTrace(traceFile);
}

interface Findings {
  readonly crashPoints: number;
  readonly acked: number;
  readonly losses: number;
  readonly faults: readonly string[];
}

/** Fails the power at random moments, three ways each, and looks at what a restart finds. */
async function failPower(steps: readonly Step[], moments: number, random: () => number): Promise<Findings> {
  const chosen = chooseMoments(steps, moments, random);
  const disk = new ForgetfulDisk();
  const acks: Ack[] = [];
  const audits: Audit[] = [];
  for (const [place, step] of steps.entries()) {
    disk.apply(step);
    if (step.kind === "print") acks.push(...parseAcks(step.text));
    if (!chosen.has(place)) continue;
    for (const fate of fates) audits.push(await restartAfter(disk.afterPowerFailure(fate, random), acks));
    if (audits.length % 60 === 0) collectGarbage();
  }
  return {
    crashPoints: audits.length,
    acked: acks.length,
    losses: audits.filter((audit) => audit.lost.length > 0).length,
    faults: audits.filter((audit) => !audit.isIntact || audit.halves.length > 0).map((audit) => JSON.stringify(audit)),
  };
}

/** Between the opening of the store and the last acknowledgement. */
function chooseMoments(steps: readonly Step[], count: number, random: () => number): ReadonlySet<number> {
  const first = openingOf(steps);
  const last = steps.findLastIndex((step) => step.kind === "print");
  const chosen = new Set<number>();
  while (chosen.size < Math.min(count, last - first)) chosen.add(first + 1 + Math.floor(random() * (last - first)));
  return chosen;
}

const openingOf = (steps: readonly Step[]): number =>
  steps.findIndex((step) => step.kind === "print" && step.text.includes('"open"'));

const parseAcks = (text: string): Ack[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line))
    .filter(isAck);

async function restartAfter(files: ReadonlyMap<string, Buffer>, acks: readonly Ack[]): Promise<Audit> {
  const dir = mkdtempSync(join(tmpdir(), "crewdeck-power-"));
  try {
    for (const [name, content] of files) {
      if (!name.endsWith("-shm")) writeFileSync(join(dir, basename(name)), content);
    }
    const hooks = { check: () => undefined, append: async () => [], committed: () => undefined };
    const store = await openSqlite(join(dir, "crewdeck.db"), hooks, Date.now);
    const audit = await store.read((db) => auditStore(db, acks));
    await store.close();
    return audit;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The driver keeps the files of a closed store open until its statements are collected. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}

test("[DU3] a power failure at any of 600 crash points loses nothing acknowledged and breaks no chain", async () => {
  const steps = await record(400, "full");
  const { crashPoints, acked, losses, faults } = await failPower(steps, 200, seededRandom(seed));
  report(`power failure, full sync: crash points ${crashPoints} · acked ${acked} · points with losses ${losses}`);
  expect(faults).toEqual([]);
  expect(losses).toBe(0);
  expect(crashPoints).toBe(600);
  expect(acked).toBeGreaterThanOrEqual(400);
  const isCheckpoint = (step: Step) => step.kind === "sync" && step.file.endsWith("crewdeck.db");
  expect(steps.slice(openingOf(steps)).some(isCheckpoint)).toBe(true);
});

test("[DU4] the same test finds the losses of a store that syncs less", async () => {
  const steps = await record(300, "normal");
  const { crashPoints, acked, losses } = await failPower(steps, 40, seededRandom(seed));
  report(`power failure, less sync: crash points ${crashPoints} · acked ${acked} · points with losses ${losses}`);
  expect(losses).toBeGreaterThan(crashPoints / 4);
});

const report = (figures: string): void => void process.stdout.write(`${figures} · seed ${seed}\n`);
