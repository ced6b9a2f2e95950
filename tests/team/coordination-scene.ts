import type { Caller } from "../../src/contract/caller.ts";
import type { LedgerEntry } from "../../src/contract/event.ts";
import type { DeveloperId } from "../../src/contract/ids.ts";
import { replaceFileMarks } from "../../src/domain/agent/file-mark-store.ts";
import type { TestHouse } from "../../src/testing/house.ts";
import { begin } from "./session-scene.ts";

export interface Answer<Data = Record<string, unknown>> {
  readonly status: string;
  readonly message: string;
  readonly feedback: { readonly type: string; readonly required_action: string | null };
  readonly data: Data;
}

export type Args = Record<string, unknown>;

/** Calls one operation of covibe_coordination. */
export const coordinate = <Data = Record<string, unknown>>(
  house: TestHouse,
  operation: string,
  args: Args = {},
  caller: Caller = house.owner,
): Promise<Answer<Data>> => house.call<Answer<Data>>("covibe_coordination", { operation, ...args }, caller);

export const turnDown = (
  house: TestHouse,
  operation: string,
  args: Args,
  caller: Caller = house.owner,
): Promise<string> => house.refusal("covibe_coordination", { operation, ...args }, caller);

export interface Granted {
  readonly claim_id: string;
  readonly fence: number;
  readonly expires_at: string;
  readonly conflicts: readonly Record<string, unknown>[];
}

/** Claims paths in the repository `shop`. */
export const take = (house: TestHouse, paths: readonly string[], ask: Args = {}, caller: Caller = house.owner) =>
  coordinate<Granted>(house, "claim", { repo: "shop", paths, ...ask }, caller);

export interface Summary {
  readonly asks_to_me: readonly Record<string, unknown>[];
  readonly asks_from_me: readonly Record<string, unknown>[];
  readonly answers: readonly Record<string, unknown>[];
  readonly handoffs_to_me: readonly Record<string, unknown>[];
  readonly handoffs_from_me: readonly Record<string, unknown>[];
  readonly claims: readonly Record<string, unknown>[];
  readonly announcements: readonly Record<string, unknown>[];
  readonly conflicts: readonly Record<string, unknown>[];
  readonly truncated: readonly string[];
}

export const summaryOf = async (house: TestHouse, caller: Caller = house.owner): Promise<Summary> =>
  (await coordinate<Summary>(house, "summary", {}, caller)).data;

/** What the ledger learnt of work and feedback through `act`, without what sessions say of themselves. */
export async function happened(
  house: TestHouse,
  act: () => Promise<unknown>,
): Promise<Pick<LedgerEntry, "kind" | "subject" | "data" | "developerId">[]> {
  const before = await lastSeq(house);
  await act();
  const entries = [...(await house.entries("work", before)), ...(await house.entries("feedback", before))];
  return entries
    .sort((one, other) => one.seq - other.seq)
    .map(({ kind, subject, data, developerId }) => ({ kind, subject, data, developerId }));
}

const lastSeq = async (house: TestHouse): Promise<number> =>
  Math.max(0, ...(await Promise.all([house.entries("work"), house.entries("feedback")])).flat().map(({ seq }) => seq));

export interface Team {
  readonly house: TestHouse;
  readonly ada: Caller;
  readonly bob: Caller;
  readonly cy: Caller;
  readonly dora: Caller;
}

/** The owner Ada, Bob and Cy, and Dora who is private. */
export async function gather(open: () => Promise<TestHouse>): Promise<Team> {
  const house = await open();
  const { caller: bob } = await house.developer("bob");
  const { caller: cy } = await house.developer("cy");
  const { caller: dora } = await house.developer("dora", { private: true });
  return { house, ada: house.owner, bob, cy, dora };
}

export const session = (house: TestHouse, caller: Caller = house.owner): Promise<string> =>
  begin(house, caller, { repo: "shop" });

/** Marks files as a task's targets or a session's changes do. */
export const mark = (
  house: TestHouse,
  ask: { subjectId: string; source: "target" | "dirty" | "unpushed"; paths: string[]; by: Caller; repo?: string },
): Promise<unknown> =>
  house.house.store.transact(async (db) => {
    await replaceFileMarks(db, {
      subjectId: ask.subjectId,
      source: ask.source,
      repo: ask.repo ?? "shop",
      paths: ask.paths,
      developerId: ask.by.developerId as DeveloperId,
      createdAt: house.clock.now(),
    });
    return { value: undefined, entries: [] };
  });
