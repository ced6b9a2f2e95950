/** What is asked about the files beside the store: indexes, and what was fetched for them. */

export interface ArtifactPorts {
  /** What this installation can do for search, and what it was told to. */
  readConfiguration(signal: AbortSignal): Promise<Configuration>;
}

export interface Configuration {
  /** Where the files are, all below the home. */
  readonly places: Readonly<Record<PlaceName, Place>>;
  readonly capabilities: Capabilities;
  readonly downloads: DownloadSettings;
}

export type PlaceName = "index" | "models" | "dictionaries" | "extensions" | "triage";

interface Place {
  readonly path: string;
  readonly exists: boolean;
}

export interface Capabilities {
  /** SQLite with full-text search, for copies of the index. */
  readonly sqlite: boolean;
  readonly watcher: boolean;
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
