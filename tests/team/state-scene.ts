import type { Caller } from "../../src/contract/caller.ts";
import type { TestHouse } from "../../src/testing/house.ts";
import type { Answer } from "./session-scene.ts";

export interface Work {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly developer: string;
}

export interface Pair {
  readonly relation: string;
  readonly one: Work;
  readonly other: Work;
  readonly reasons: readonly string[];
}

export interface State {
  readonly active_work: readonly Work[];
  readonly planned_work: readonly Work[];
  readonly recent_completions: readonly Work[];
  readonly active_workstreams: readonly Work[];
  readonly planned_workstreams: readonly Work[];
  readonly risks_decisions: readonly Record<string, unknown>[];
  readonly recent_sessions: readonly Record<string, unknown>[];
  readonly stale_sessions: readonly Record<string, unknown>[];
  readonly overlap_warnings: readonly Record<string, unknown>[];
  readonly session_contexts: readonly Record<string, unknown>[];
  readonly next_actions: readonly Record<string, unknown>[];
  readonly latest_parallel_audits: readonly { id: string; conflicts: readonly Pair[] }[];
  readonly parallel_audit_conflicts: readonly Pair[];
  readonly totals: Readonly<Record<string, number>>;
}

/** Calls one operation of covibe_team. */
export const ask = <Data = Record<string, unknown>>(
  house: TestHouse,
  operation: string,
  args: Record<string, unknown> = {},
  caller: Caller = house.owner,
): Promise<Answer<Data>> => house.call<Answer<Data>>("covibe_team", { operation, ...args }, caller);

export const readState = async (house: TestHouse, caller?: Caller): Promise<State> =>
  (await ask<State>(house, "state", {}, caller)).data;

export const nothingYet: State = {
  active_work: [],
  planned_work: [],
  recent_completions: [],
  active_workstreams: [],
  planned_workstreams: [],
  risks_decisions: [],
  recent_sessions: [],
  stale_sessions: [],
  overlap_warnings: [],
  session_contexts: [],
  next_actions: [],
  latest_parallel_audits: [],
  parallel_audit_conflicts: [],
  totals: {
    active_work: 0,
    planned_work: 0,
    recent_completions: 0,
    active_workstreams: 0,
    planned_workstreams: 0,
    risks_decisions: 0,
    recent_sessions: 0,
    stale_sessions: 0,
    overlap_warnings: 0,
    session_contexts: 0,
    parallel_audit_conflicts: 0,
  },
};

export interface InboxItem {
  readonly kind: string;
  readonly id: string;
  readonly title: string | null;
  readonly developer: string;
  readonly from: string | null;
  readonly action: string;
  readonly since: string;
}

export const readInbox = async (
  house: TestHouse,
  caller: Caller = house.owner,
  args: Record<string, unknown> = {},
): Promise<readonly InboxItem[]> => (await house.call<{ items: InboxItem[] }>("inbox", args, caller)).items;

const minute = 60_000;
export const halfAnHour = 30 * minute;
export const day = 86_400_000;
