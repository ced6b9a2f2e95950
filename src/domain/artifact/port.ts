import type { CopiedIndex, IndexedChunk } from "../codeindex/copied-model.ts";

/** What is asked about the files beside the store: indexes, and what was fetched for them. */
export interface ArtifactPorts {
  /** What this installation can do for search, and what it was told to. */
  readConfiguration(signal: AbortSignal): Promise<Configuration>;
  /** The system and the processor it runs on. */
  readonly host: { readonly platform: string; readonly arch: string };
  /** Fetches something that may be fetched, with the hash it must have, and puts it in its place. */
  download(ask: DownloadAsk, watch: DownloadWatch): Promise<InstalledArtifact>;
  /** Where an extension lies, and whether it is what was installed. */
  findExtension(ask: ExtensionAsk): Promise<FoundExtension>;
  /** Loads an extension apart from everything else, and has it do its work once. */
  tryExtension(ask: TrialAsk, signal: AbortSignal): Promise<ExtensionTrial>;
  /** Writes the chunks of an index as a SQLite file. */
  writeCopy(ask: CopyAsk & { readonly folder: string }, chunks: AsyncIterable<IndexedChunk>): Promise<WrittenCopy>;
  /** Refuses with NO_INDEX where there is no copy. */
  compactCopy(
    ask: CompactAsk,
  ): Promise<{ readonly path: string; readonly before: number; readonly after: number | null }>;
  findCopy(
    folder: string,
  ): Promise<{ readonly path: string; readonly bytes: number; readonly builtAt: string } | undefined>;
  /** The copies of an index: the one beside it, and those that were written elsewhere and still are its own. */
  listCopies(folder: string): Promise<readonly KnownCopy[]>;
  /** Removes a copy that was written elsewhere, with its backup. */
  removeCopy(path: string): Promise<void>;
  /** Has a copy searched; undefined where there is none. */
  withCopy<T>(folder: string, use: (copy: CopiedIndex) => Promise<T>): Promise<T | undefined>;
  /** What takes room beside indexes. */
  measure(): Promise<readonly Measured[]>;
  isFolderThere(path: string): Promise<boolean>;
}

export interface CopyAsk extends DownloadWatch {
  readonly out: string | undefined;
  readonly mode: "all" | "code" | "prose";
  /** Leaves what has not changed as it is. */
  readonly isIncremental: boolean;
  /** What the copy says of itself. */
  readonly meta: Readonly<Record<string, string>>;
}

export interface WrittenCopy {
  readonly path: string;
  readonly bytes: number;
  readonly files: number;
  readonly chunks: number;
  /** Files that had changed since the copy before. */
  readonly written: number;
  readonly removed: number;
}

interface KnownCopy {
  readonly path: string;
  readonly bytes: number;
  readonly isElsewhere: boolean;
  /** Null where it can't be read. */
  readonly builtAt: string | null;
  /** The fingerprint of the files it was made of. */
  readonly content: string | null;
}

interface CompactAsk {
  readonly folder: string;
  /** Another file than the copy of the index, as it was named when it was written. */
  readonly out?: string | undefined;
  readonly isDry: boolean;
  readonly keepsBackup: boolean;
  /** Cancelled, it leaves the copy as it was. */
  readonly signal: AbortSignal;
}

export interface Measured {
  readonly kind: "models" | "dictionaries" | "extensions" | "triage";
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
}

export type ArtifactKind = "models" | "dictionaries" | "extensions";

export interface DownloadAsk {
  readonly kind: ArtifactKind;
  /** What it is kept as. */
  readonly name: string;
  /** An address with its hash, or names in the configured table of which the first known one counts. */
  readonly from: readonly string[];
  /** Below the home; the usual place unless given. */
  readonly dir: string | undefined;
  /** Where to put the one file that is loaded, below the home. */
  readonly out?: string | undefined;
  /** Even if it is there already. */
  readonly force: boolean;
}

export interface DownloadWatch {
  readonly signal: AbortSignal;
  readonly progress?: ((done: number, total: number, message: string) => void) | undefined;
}

export interface InstalledArtifact {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly files: readonly string[];
  readonly sha256: string;
  /** Whether it lies where it is looked for. */
  readonly isInPlace: boolean;
  /** False where it was there already. */
  readonly isNew: boolean;
}

export interface ExtensionAsk {
  readonly provider: string;
  readonly dir: string | undefined;
  readonly path: string | undefined;
  readonly platform: string;
}

interface FoundExtension {
  readonly path: string | null;
  readonly exists: boolean;
  /** Its content has the hash that it was installed with. */
  readonly isTrusted: boolean;
}

/** Words of SQL, checked to be plain names. */
export interface TrialAsk {
  readonly path: string;
  readonly module: string;
  readonly table: string;
  readonly column: string;
  readonly encoding: "float32" | "json";
  readonly options: string;
}

export interface ExtensionTrial {
  readonly load: { readonly attempted: boolean; readonly ok: boolean; readonly reason: string | null };
  readonly smoke: { readonly ok: boolean; readonly reason: string | null } | null;
}

export interface Configuration {
  /** Where the files are, all below the home. */
  readonly places: Readonly<Record<PlaceName, Place>>;
  readonly capabilities: Capabilities;
  readonly downloads: DownloadSettings;
  readonly timeouts: Timeouts;
}

/** How long calls may take, as far as the installation says so; 0 is without a limit. */
interface Timeouts {
  /** For all tools; null where each has its own. */
  readonly allMs: number | null;
  readonly toolsMs: Readonly<Record<string, number>>;
}

export type PlaceName = "index" | "models" | "dictionaries" | "extensions" | "triage";

interface Place {
  readonly path: string;
  readonly exists: boolean;
}

export interface Capabilities {
  /** SQLite with full-text search, for copies of the index. */
  readonly sqlite: boolean;
  /** What lies in the folder of models; whether one of them can be used, the index knows. */
  readonly models: readonly string[];
  readonly dictionaries: readonly string[];
  readonly extensions: readonly string[];
}

export interface DownloadSettings {
  readonly allow: boolean;
  readonly hosts: readonly string[];
  /** What may be fetched by name, each with the hash it must have. */
  readonly files: Readonly<Record<string, { readonly url: string; readonly sha256: string }>>;
}
