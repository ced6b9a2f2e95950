import type { ArtifactPorts, Configuration, DownloadSettings } from "../../domain/artifact/port.ts";
import { readConfiguration } from "./configuration.ts";
import { copyPorts, type IndexCopies } from "./copy-ports.ts";
import { downloadPorts } from "./download/ports.ts";
import { isFolderThere, measureArtifacts } from "./measure.ts";

interface ArtifactOptions {
  readonly homeDir: string;
  readonly downloads: DownloadSettings;
  readonly copies: IndexCopies;
  readonly timeouts?: Configuration["timeouts"];
  /** So long a server may say nothing while something is fetched from it. */
  readonly patienceMs?: number;
  readonly limits?: Parameters<typeof downloadPorts>[0]["limits"];
}

/** What the house may ask about the files beside its store. */
export const artifactPorts = (options: ArtifactOptions): ArtifactPorts => ({
  readConfiguration: () => {
    const { downloads, timeouts = { allMs: null, toolsMs: {} } } = options;
    return readConfiguration(options.homeDir, { downloads, timeouts });
  },
  ...downloadPorts(options),
  ...copyPorts(options.homeDir, options.copies),
  measure: () => measureArtifacts(options.homeDir),
  isFolderThere,
});
