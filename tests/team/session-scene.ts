import type { Caller } from "../../src/contract/caller.ts";
import type { TestHouse } from "../../src/testing/house.ts";
import { usedWell, wasRefused } from "../domain/still-house.ts";

/** What every tool of the family answers. */
export interface Answer<Data = Record<string, unknown>> {
  readonly status: string;
  readonly message: string;
  readonly feedback: { readonly type: string; readonly required_action: string | null };
  readonly data: Data;
}

/** Calls one operation of covibe_session. */
export const act = <Data = Record<string, unknown>>(
  house: TestHouse,
  operation: string,
  args: Record<string, unknown> = {},
  caller: Caller = house.owner,
): Promise<Answer<Data>> => house.call<Answer<Data>>("covibe_session", { operation, ...args }, caller);

export const refuse = (
  house: TestHouse,
  operation: string,
  args: Record<string, unknown>,
  caller: Caller = house.owner,
): Promise<string> => house.refusal("covibe_session", { operation, ...args }, caller);

/** A session in acme/shop, and its id. */
export async function begin(
  house: TestHouse,
  caller: Caller = house.owner,
  ask: Record<string, unknown> = {},
): Promise<string> {
  const start = { agent_name: "Ada", agent_type: "claude-code", repo: "acme/shop", branch: "main", ...ask };
  return (await act<{ session_id: string }>(house, "start", start, caller)).data.session_id;
}

/** A caller of the same developer whose token is for one kind of agent. */
export async function typedCaller(house: TestHouse, agentType: string): Promise<Caller> {
  const { token } = await house.call<{ token: string }>("token_create", { agent_type: agentType });
  return house.house.authenticator.identify(token);
}

export const used = (operation: string, sessionId?: string): Record<string, unknown> => ({
  ...usedWell("covibe_session", sessionId),
  operation,
});

export const turnedAway = (operation: string, code: string): Record<string, unknown> => ({
  ...wasRefused("covibe_session", code),
  operation,
});

export const info = (next: string | null) => ({ type: "info", required_action: next });

/** What the feedback stream has learnt since `act`. */
export async function feedbackOf(house: TestHouse, doing: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
  const before = (await house.entries("feedback")).at(-1)?.seq ?? 0;
  await doing();
  return (await house.entries("feedback", before)).map(({ kind, subject, data }) => ({ kind, subject, ...data }));
}
