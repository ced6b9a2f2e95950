/** What one request to a model used, as it goes to the server. It names neither a session nor a file, so that the same
 * request is the same report wherever it was copied to. */
export interface UsageReport {
  /** Of the request, over all files of the client. */
  readonly key: string;
  readonly source: "claude-code" | "codex" | "provider";
  readonly payload: Readonly<Record<string, unknown>>;
  readonly total: number;
}

export interface Read {
  readonly reports: readonly UsageReport[];
  /** Small, and plain enough to be kept in a file. */
  readonly context: Context;
}

export interface Context {
  /** The model of the turn that is being read. */
  readonly model?: string;
  /** The last sum that the client has written, where it writes sums. */
  readonly sum?: Readonly<Record<string, number>>;
  /** The client writes each request by itself: its sums are a check, and not to be counted. */
  readonly isByRequest?: true;
  /** What the client says it has used in this file. */
  readonly ownTotal?: number;
  /** A line that a later one may replace. */
  readonly pending?: UsageReport;
}

export type ReadLine = (line: Readonly<Record<string, unknown>>, context: Context) => Read;

/** Counts that are missing are none. */
export const countAt = (fields: Readonly<Record<string, unknown>> | undefined, key: string): number => {
  const value = fields?.[key];
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0;
};

export const nothing = (context: Context): Read => ({ reports: [], context });
