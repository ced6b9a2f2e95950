/** One entry of the ledger as it arrives here, live or by the page. */
export interface LiveEvent {
  /** The name on the wire, `task:claimed`. */
  readonly event: string;
  /** Our own, `task.claimed`. */
  readonly kind: string;
  readonly subject: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly cursor: string;
  readonly ts: string;
}

export interface EventPage {
  readonly events: readonly LiveEvent[];
  readonly next: string;
}

/** What another program wrote is checked before it is believed. */
export function asLiveEvent(value: unknown): LiveEvent | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { event, kind, subject, data, cursor, ts } = value as Record<string, unknown>;
  if (typeof event !== "string" || typeof cursor !== "string" || typeof ts !== "string") return undefined;
  return {
    event,
    kind: typeof kind === "string" ? kind : event,
    subject: typeof subject === "string" ? subject : "",
    data: typeof data === "object" && data !== null ? (data as Record<string, unknown>) : {},
    cursor,
    ts,
  };
}

export const textIn = (data: LiveEvent["data"], key: string): string | undefined => {
  const value = data[key];
  return typeof value === "string" ? value : undefined;
};
