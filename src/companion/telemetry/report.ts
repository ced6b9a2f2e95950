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
  /** The file goes on from another one's sum, which is none of its own. */
  readonly isFork?: true;
  readonly parentTotal?: number;
  /** The client's version, as far as the file names it. */
  readonly version?: string;
  /** Lines that should tell usage, in a form that nobody here knows: they count nothing, and are not passed over in silence. */
  readonly unknown?: number;
  /** A line that a later one may replace. */
  readonly pending?: UsageReport;
}

export type ReadLine = (line: Readonly<Record<string, unknown>>, context: Context) => Read;

/** Counts that are missing are none. */
export const countAt = (fields: Readonly<Record<string, unknown>> | undefined, key: string): number => {
  const value = fields?.[key];
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0;
};

/** A line about usage that cannot be read as such. */
export const unknown = (context: Context): Read => nothing({ ...context, unknown: (context.unknown ?? 0) + 1 });

export const hasCounts = (fields: Readonly<Record<string, unknown>> | undefined, ...keys: readonly string[]): boolean =>
  keys.every((key) => Number.isSafeInteger(fields?.[key]));

export const nothing = (context: Context): Read => ({ reports: [], context });
