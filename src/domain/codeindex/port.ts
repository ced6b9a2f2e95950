import type { TextNeed } from "../../contract/text-need.ts";
import type { CopiedIndex, IndexedChunk } from "./copied-model.ts";
import type {
  CodeFilters,
  CodeHit,
  CodeMode,
  IndexedTree,
  IndexParts,
  IndexState,
  SearchWarning,
  SkippedPath,
} from "./model.ts";

/** The index of code: built from what lies in work trees, kept below the home, never in a repository. */
export interface CodeindexPorts {
  /** Indexes what is not indexed yet, or everything anew. */
  build(ask: BuildAsk, watch: Watch): Promise<BuiltIndex>;
  /** Takes over the index folder of another machine; false where there is none that can be read. */
  restore(repository: IndexedTree, folder: string): Promise<boolean>;
  /** Keeps an index from being removed until this has ended. Refuses with NO_INDEX where it is on its way out. */
  hold<T>(repository: Pick<IndexedTree, "main">, use: () => Promise<T>): Promise<T>;
  /** Refuses with NO_INDEX where none was built. */
  search(ask: SearchAsk, watch: Watch): Promise<Found>;
  /** The model that searches by meaning use; undefined where none is installed. */
  findModel(): Promise<FoundModel | undefined>;
  /**
   * What every record that a query asks for has in it, so that a database can leave out the others before they are
   * read; undefined where any may be meant.
   */
  needOfRecords(ask: Omit<RecordAsk, "records">): Promise<TextNeed | undefined>;
  /** Reads a query and says which of these records it asks for, best first. */
  matchRecords(ask: RecordAsk): Promise<RecordMatch[]>;
  /** The same search in a copy of an index that is held: it finds what the copy holds, whatever has changed since. */
  searchCopy(ask: SearchAsk, copy: CopiedIndex, watch: Watch): Promise<Found>;
  /** Every chunk of a work tree as it is now, for copies in another form. Refuses with NO_INDEX where none was built. */
  readChunks(tree: IndexedTree, signal: AbortSignal): AsyncIterable<IndexedChunk>;
  /** The indexes that are kept, of whatever repository. */
  listIndexes(): Promise<readonly StoredIndex[]>;
  /**
   * Forgets an index and removes its files once those who use it have ended; whoever searches then is told that there is
   * none. Cancelled before that, it removes nothing.
   */
  removeIndex(id: string, signal: AbortSignal): Promise<void>;
  readStatus(repository: IndexedTree, signal: AbortSignal): Promise<IndexStatus>;
}

export interface FoundModel {
  readonly name: string;
  /** False where the package is missing that runs it. */
  readonly canRun: boolean;
}

export interface Watch {
  readonly signal: AbortSignal;
  progress?(done: number, total: number, message: string): void;
}

interface BuildAsk {
  readonly repository: IndexedTree;
  /** Forgets what was indexed before. */
  readonly isFromScratch: boolean;
}

export interface BuiltIndex {
  readonly state: IndexState;
  readonly files: number;
  readonly chunks: number;
  /** Contents that had to be read and parsed; the others were known. */
  readonly parsed: number;
  readonly bytes: number;
  readonly skipped: readonly SkippedPath[];
}

export interface RecordAsk {
  readonly query: string;
  readonly isCased: boolean;
  readonly records: readonly { readonly name: string; readonly text: string }[];
}

export interface RecordMatch {
  /** Its place in the list that was given. */
  readonly place: number;
  readonly score: number;
  readonly headline: string;
}

export interface StoredIndex {
  readonly id: string;
  readonly folder: string;
  /** The top folder of its repository, as it was when it was built. */
  readonly main: string;
  readonly bytes: number;
  readonly parts: IndexParts;
  readonly builtAt: number;
}

export interface SearchAsk {
  readonly repository: IndexedTree;
  readonly query: string;
  readonly modes: readonly CodeMode[];
  /** Filters were given that no code can pass; the lists are there all the same. */
  readonly isNothing: boolean;
  readonly filters: CodeFilters;
  readonly top: number;
  readonly contextLines: number;
  readonly isFull: boolean;
  /** Every live worktree of the repository, not only this one. */
  readonly isEverywhere: boolean;
  readonly now: number;
  /** Also finds what means the same in other words; refuses with CAPABILITY_MISSING where no model can be used. */
  readonly isByMeaning?: boolean | undefined;
  /** Which form of the index is asked; the index itself unless given. */
  readonly backend?: "sqlite" | "sqlite-fts" | undefined;
}

export interface Found {
  readonly hits: Readonly<Partial<Record<CodeMode, readonly CodeHit[]>>>;
  /** All matches, before the best were taken. */
  readonly total: number;
  readonly tookMs: number;
  readonly state: IndexState;
  readonly warnings: readonly SearchWarning[];
}

export interface IndexStatus {
  readonly id: string;
  /** Below the home. */
  readonly folder: string;
  readonly git: { readonly head: string | null; readonly branch: string | null; readonly isDirty: boolean };
  /** Undefined where none was built. */
  readonly built: BuiltStatus | undefined;
  /** What each language's parser can answer. */
  readonly languages: readonly LanguageStatus[];
  /** The same for as long as every file is: whoever copied an index knows whether the copy is up to date. */
  readonly fingerprint: string;
}

export interface BuiltStatus {
  readonly state: IndexState;
  readonly bytes: number;
  readonly segments: number;
  readonly worktrees: readonly string[];
  readonly modes: Readonly<
    Record<CodeMode, { readonly files: number; readonly chunks: number; readonly bytes: number }>
  >;
  readonly skipped: readonly SkippedPath[];
}

interface LanguageStatus {
  readonly language: string;
  readonly files: number;
  readonly filters: readonly string[];
}
