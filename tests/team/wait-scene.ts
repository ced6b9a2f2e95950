import type { Caller } from "../../src/contract/caller.ts";
import type { StoreKind, TestHouse } from "../../src/testing/house.ts";
import { openTestHouse } from "../../src/testing/house.ts";
import { until } from "../../src/testing/waiting.ts";
import { everyTool } from "../contract/parts.ts";

export interface Item {
  readonly kind: string;
  readonly what: string;
  readonly words: string | null;
  readonly about: string;
  readonly next: string;
}

export interface Waited {
  readonly news: readonly Item[];
  readonly cursor: string;
  readonly ended: "news" | "timeout" | "stopping";
  readonly waited_seconds: number;
  readonly limit_seconds: number;
  readonly next: string;
  readonly notices?: readonly { readonly about: string }[];
}

type Options = NonNullable<Parameters<typeof openTestHouse>[1]>;

export const openWaitHouse = (kind: StoreKind, options: Options = {}): Promise<TestHouse> =>
  openTestHouse(kind, { ...options, tools: everyTool });

/** What there is for an agent, without waiting for more. */
export const look = (house: TestHouse, args: Record<string, unknown>, caller: Caller = house.owner): Promise<Waited> =>
  house.call<Waited>("wait", { timeout_seconds: 0, ...args }, caller);

/** A wait that has begun and is not over. */
export async function beginWait(
  house: TestHouse,
  args: Record<string, unknown>,
  caller: Caller = house.owner,
): Promise<Promise<Waited>[]> {
  const before = house.house.waiting.count;
  const waiting = house.call<Waited>("wait", args, caller);
  await until(() => house.house.waiting.count > before);
  // In a list, so that to await the beginning is not to await the end.
  return [waiting];
}

/** What ends a wait that has begun before `act`. */
export async function endedBy(
  house: TestHouse,
  args: Record<string, unknown>,
  act: () => Promise<unknown>,
  caller: Caller = house.owner,
): Promise<Waited> {
  const [waiting] = await beginWait(house, args, caller);
  await act();
  if (!waiting) throw new Error("nothing waits");
  return waiting;
}
