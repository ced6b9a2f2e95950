export interface FindingPorts {
  /**
   * The reports in a file, one after the other: a JSON array, one under a usual name in an object, a single object, or
   * one object to a line. A line that cannot be read is told as such; a file that holds none at all is refused.
   */
  readReports(ask: ReportsAsk, signal: AbortSignal): AsyncIterable<Report>;
  /** Where the code has these words: a few hits for each, in code and in prose. Says what it could not look through. */
  findEvidence(ask: EvidenceAsk, signal: AbortSignal): Promise<FoundEvidence>;
  /** Writes a pack as JSON below the home, and answers where (TG12). */
  writePack(ask: PackAsk, signal: AbortSignal): Promise<string>;
}

interface EvidenceAsk {
  readonly root: string;
  readonly queries: readonly string[];
  /** Whether to look by meaning too. */
  readonly ann: boolean;
}

interface FoundEvidence {
  readonly hits: readonly EvidenceHit[];
  readonly warnings: readonly string[];
}

interface EvidenceHit {
  readonly query: string;
  readonly mode: string;
  readonly file: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly name: string | null;
  readonly snippet: string;
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
