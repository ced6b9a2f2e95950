import type { ArtifactPorts, DownloadSettings } from "../../domain/artifact/port.ts";
import { readConfiguration } from "./configuration.ts";

interface ArtifactOptions {
  readonly homeDir: string;
  readonly downloads: DownloadSettings;
}

/** What the house may ask about the files beside its store. */
export const artifactPorts = ({ homeDir, downloads }: ArtifactOptions): ArtifactPorts => ({
  readConfiguration: () => readConfiguration(homeDir, downloads),
});
