import { expect, test } from "vitest";
import { freshLocation, openTestHouse, type StoreKind } from "../../src/testing/house.ts";
import { letPass } from "../../src/testing/waiting.ts";
import { type Ack, auditStore, expectWhole, isAck } from "./audit.ts";
import { type Program, startProgram } from "./program.ts";

const longestLifeMs = 500;

/** Kills a server under sixteen writers again and again. The next one starts where the last one was torn away. */
async function killRepeatedly(kind: StoreKind, kills: number): Promise<{ location: string; acks: Ack[] }> {
  const location = freshLocation(kind);
  const acks: Ack[] = [];
  let next = startProgram("writer", { location });
  for (let kill = 1; kill <= kills; kill += 1) {
    const program = next;
    await program.waitForLines(1);
    program.process.stdin?.write("go\n");
    next = startProgram("writer", { location });
    if (kill % 5 !== 0) await waitForFirstAck(program);
    await letPass(Math.random() * longestLifeMs, "a kill comes at a random moment");
    await program.kill();
    acks.push(...program.lines.filter(isAck));
    if (kill % 10 === 0) await check(kind, location, acks);
  }
  await next.kill();
  return { location, acks };
}

/** Most are killed under load; every fifth may still be opening its store. */
async function waitForFirstAck(program: Program): Promise<void> {
  await program.waitForLines(3);
}

async function check(kind: StoreKind, location: string, acks: readonly Ack[]): Promise<void> {
  const house = await openTestHouse(kind, { location });
  await house.entries();
  expectWhole(await house.house.store.read((db) => auditStore(db, acks)));
  await house.house.close();
}

test.each([
  { kind: "sqlite", kills: 30 },
  { kind: "postgres", kills: 25 },
] as const)("[DU1, DU2] $kills kills of a server on $kind lose nothing and leave nothing half done", async ({
  kind,
  kills,
}) => {
  const { location, acks } = await killRepeatedly(kind, kills);
  await check(kind, location, acks);
  expect(acks.length).toBeGreaterThan(kills);
  process.stdout.write(`kill -9 on ${kind}: kills ${kills} · acked ${acks.length} · lost 0 · half done 0\n`);
});
