export interface FindingPorts {
  /**
   * The reports in a file, one after the other: a JSON array, one under a usual name in an object, a single object, or
   * one object to a line. A line that cannot be read is told as such; a file that holds none at all is refused.
   */
  readReports(ask: ReportsAsk, signal: AbortSignal): AsyncIterable<Report>;
  /** Writes a pack as JSON below the home, and answers where (TG12). */
  writePack(ask: PackAsk, signal: AbortSignal): Promise<string>;
}

export interface ReportsAsk {
  /** As the caller gave it; a relative one begins at the repository. */
  readonly path: string;
  readonly root: string;
  /** Whether nothing outside the repository may be read. */
  readonly isConfined: boolean;
}

export type Report = { readonly value: unknown } | { readonly problem: string };

interface PackAsk {
  readonly recordId: string;
  readonly outPath: string | undefined;
  readonly content: object;
}
