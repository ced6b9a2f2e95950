import type { LedgerEntry } from "../../src/contract/event.ts";
import { realSources } from "../../src/engine/sources.ts";
import { forEachStore, openTestHouse, type StoreKind, type TestClock, TestHouse } from "../../src/testing/house.ts";

/** When a still house opens its doors. */
export const opening = Date.UTC(2026, 0, 1);

/** The moment so many milliseconds after the opening, as records show it. */
export const momentAt = (ms: number): string => new Date(opening + ms).toISOString();

/** A house whose time only moves by hand, so that whole records and exact limits can be compared. */
export async function openStillHouse(kind: StoreKind): Promise<TestHouse> {
  const clock = stillClock();
  const { house, location, ownerToken, owner } = await openTestHouse(kind, { sources: clock });
  return new TestHouse(house, location, ownerToken, owner, clock);
}

export function forEachStillStore(
  title: string,
  body: (open: () => Promise<TestHouse>, kind: StoreKind) => void,
): void {
  forEachStore(title, (_open, kind) => body(() => openStillHouse(kind), kind));
}

export function stillClock(): TestClock {
  let now = opening;
  return {
    ...realSources,
    now: () => now,
    advance(ms) {
      now += ms;
    },
  };
}

/** What a reader of the ledger learns from an entry. */
export type Trace = Pick<LedgerEntry, "kind" | "announced" | "subject" | "channels" | "data" | "developerId">;

/** Everything `act` leaves in the ledger: what changed, and who called what. */
export async function traceOf(
  house: TestHouse,
  act: () => Promise<unknown>,
): Promise<{ work: Trace[]; usage: Record<string, unknown>[] }> {
  const before = Math.max((await house.entries()).at(-1)?.seq ?? 0, (await house.entries("usage")).at(-1)?.seq ?? 0);
  await act();
  const work = await house.entries("work", before);
  const usage = await house.entries("usage", before);
  return {
    work: work.map(({ kind, announced, subject, channels, data, developerId }) => ({
      kind,
      announced,
      subject,
      channels,
      data,
      developerId,
    })),
    usage: usage.map((entry) => entry.data),
  };
}

/** The usage event of a granted call; nothing took any time in a still house. */
export const usedWell = (tool: string, agentId?: string): Record<string, unknown> => ({
  tool,
  outcome: "ok",
  ...(isOfTeam(tool) ? { status: "ok" } : {}),
  transport: "http",
  duration_ms: 0,
  ...(agentId === undefined ? {} : { agent_id: agentId, ...(isOfTeam(tool) ? { session_id: agentId } : {}) }),
});

export const wasRefused = (tool: string, code: string): Record<string, unknown> => ({
  tool,
  outcome: "refused",
  ...(isOfTeam(tool) ? { status: "error" } : {}),
  code,
  transport: "http",
  duration_ms: 0,
});

/** The usage event of a team tool says how it went in that family's words too, and names the session as such. */
const isOfTeam = (tool: string): boolean => tool.startsWith("covibe_");
