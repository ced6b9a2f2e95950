import type { Caller } from "../../src/contract/caller.ts";
import type { TestHouse } from "../../src/testing/house.ts";

/** One record of each kind that a developer can have. Examples name them as `$agent`, `$message` … */
export interface Belongings {
  readonly handle: string;
  readonly agent: string;
  readonly peer: string;
  readonly message: string;
  readonly repository: string;
  readonly token: string;
}

/** Gives a developer one of everything. A new kind of record gets its line here. */
export async function settle(house: TestHouse, caller: Caller): Promise<Belongings> {
  const agent = await house.agent("Mine", caller);
  const peer = await house.agent("Peer", caller);
  const letter = { sender_id: peer, recipient_id: agent, message_type: "query", body: "Hello" };
  const repository = `/srv/code/${caller.handle}`;
  await house.call("repository_register", { path: repository }, caller);
  return {
    handle: caller.handle,
    agent,
    peer,
    message: (await house.call<{ id: string }>("message_send", letter, caller)).id,
    repository,
    token: (await house.call<{ id: string }>("token_create", {}, caller)).id,
  };
}

/** An example's arguments with somebody's records in the places of `$agent` and its like. */
export function fill(value: unknown, of: Belongings, tool: string): unknown {
  if (typeof value === "string" && value.startsWith("$")) {
    const kind = value.slice(1);
    const record = Object.entries(of).find(([name]) => name === kind)?.[1];
    if (record === undefined) {
      throw new Error(`${tool} has an example with ${value}: give developers one in tests/attack/belongings.ts`);
    }
    return record;
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, of, tool));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, of, tool)]));
}
