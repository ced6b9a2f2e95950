import type { OverlapDoc, OverlapMatch, OverlapQuery } from "./engine/doc.ts";
import type { OverlapSettings } from "./engine/settings.ts";

export interface OverlapPorts {
  /** What of all work may be like this, from memory; asked before the transaction that then looks at the rows. */
  findLikeWork(query: OverlapQuery, signal: AbortSignal): Promise<LikeWork>;
}

/** Where to look for duplicates, and how to compare. What it names may have changed since: the rows decide. */
export interface LikeWork {
  /** Work that shares the most with what was asked about, most alike first. */
  readonly ids: readonly string[];
  /**
   * All open work of the same repository while there is little of it, like or not; null where there is more. An agent
   * reads a dozen titles faster than it repairs what it did twice.
   */
  readonly around: readonly string[] | null;
  /** The ledger's place up to which that is complete; what changed later is looked at one by one. */
  readonly asOf: number;
  readonly settings: OverlapSettings;
  /** The threshold in force: the one that was set, or a higher one where too many checks would ask. */
  readonly escalatesFrom: number;
  readonly modelVersion: string;
  /** In the order given. To read the query takes longer than to compare it, so who has several asks once. */
  compare<Doc extends ComparedDoc>(query: OverlapQuery, docs: readonly Doc[]): Compared<Doc>[];
}

/** With the version of its row, what memory has read of it before need not be read again. */
type ComparedDoc = OverlapDoc & { readonly version?: number };

interface Compared<Doc> {
  readonly doc: Doc;
  readonly match: OverlapMatch;
}
