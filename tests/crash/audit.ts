import { expect } from "vitest";
import { verifyStore } from "../../src/domain/ledger/operations.ts";
import type { Db } from "../../src/storage/db.ts";

/** What a writer printed for one acknowledged change. */
export interface Ack {
  readonly kind: "agent" | "beat" | "message" | "broadcast";
  readonly call: string;
  readonly ids: readonly string[];
}

export const isAck = (line: unknown): line is Ack => typeof line === "object" && line !== null && "call" in line;

export interface Audit {
  /** Acknowledged changes of which something is missing. */
  readonly lost: readonly Ack[];
  /** Everything that is there by half, in words. */
  readonly halves: readonly string[];
  readonly isIntact: boolean;
  readonly reason: string;
}

/** Compares a store with what it has acknowledged, and its rows with its own ledger. */
export async function auditStore(db: Db, acks: readonly Ack[]): Promise<Audit> {
  const facts = await readFacts(db);
  const { isIntact, reason, problems } = await verifyStore(db);
  return {
    lost: acks.filter((ack) => !facts.calls.has(ack.call) || !ack.ids.every((id) => facts.rows.has(id))),
    halves: listHalves(facts),
    isIntact,
    reason: [reason ?? "", ...problems].join(" "),
  };
}

export function expectWhole(audit: Audit): void {
  expect(audit).toEqual({ lost: [], halves: [], isIntact: true, reason: "" });
}

interface Facts {
  /** Ids of agents and messages, with how often each was changed. */
  readonly rows: ReadonlyMap<string, number>;
  readonly threads: ReadonlyMap<string, number>;
  readonly work: readonly { subject: string; kind: string; callId: string | null; data: string }[];
  /** Calls that left a usage event of success, with how many. */
  readonly calls: ReadonlyMap<string, number>;
}

async function readFacts(db: Db): Promise<Facts> {
  const agents = await db.all(db.q.selectFrom("agent").select(["id", "version"]));
  const messages = await db.all(db.q.selectFrom("message").select(["id", "version", "threadId"]));
  const entries = await db.all(
    db.q.selectFrom("ledger").select(["subject", "kind", "callId", "data", "stream"]).orderBy("seq"),
  );
  return {
    rows: new Map([...agents, ...messages].map((row) => [row.id, row.version])),
    threads: countBy(messages.map((message) => message.threadId)),
    work: entries.filter((entry) => entry.stream === "work"),
    calls: countBy(entries.filter((entry) => entry.stream === "usage").map((entry) => entry.subject)),
  };
}

const countBy = (keys: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
};

const creations = new Set(["agent.registered", "message.sent"]);

function listHalves({ rows, threads, work, calls }: Facts): string[] {
  const halves: string[] = [];
  const changes = countBy(work.filter((entry) => rows.has(entry.subject)).map((entry) => entry.subject));
  for (const [id, version] of rows) {
    if (changes.get(id) !== version) halves.push(`${id} has version ${version} and ${changes.get(id)} entries`);
  }
  const created = countBy(work.filter((entry) => creations.has(entry.kind)).map((entry) => entry.subject));
  for (const [id, count] of created) if (count !== 1 || !rows.has(id)) halves.push(`${id} was created ${count} times`);
  for (const { callId, kind } of work) {
    if (callId !== null && calls.get(callId) !== 1) halves.push(`${kind} of ${callId} has no usage event of its own`);
  }
  for (const [thread, count] of threads) {
    if (count !== 1 && count !== 3) halves.push(`${thread} reached ${count} of 3`);
  }
  return halves;
}
