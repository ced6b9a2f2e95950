import type { EventView } from "../../contract/plain-routes.ts";

/** One entry of the ledger as it arrives here, live or by the page. */
export type LiveEvent = EventView;

/** What another program wrote is checked before it is believed. */
export function asLiveEvent(value: unknown): LiveEvent | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { event, kind, subject, actor, data, cursor, ts } = value as Record<string, unknown>;
  if (typeof event !== "string" || typeof cursor !== "string" || typeof ts !== "string") return undefined;
  return {
    event,
    kind: typeof kind === "string" ? kind : event,
    subject: typeof subject === "string" ? subject : "",
    actor: typeof actor === "string" ? actor : null,
    data: typeof data === "object" && data !== null ? (data as Record<string, unknown>) : {},
    cursor,
    ts,
  };
}

/** One of these words, if that is what it says; a later server may say others. */
export const wordIn = <Word extends string>(
  data: LiveEvent["data"],
  key: string,
  words: readonly Word[],
): Word | undefined => words.find((word) => word === data[key]);

export const textIn = (data: LiveEvent["data"], key: string): string | undefined => {
  const value = data[key];
  return typeof value === "string" ? value : undefined;
};
