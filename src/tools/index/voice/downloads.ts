import { z } from "zod";
import type { InstalledArtifact } from "../../../domain/artifact/port.ts";

const Item = z.object({ name: z.string(), path: z.string(), bytes: z.number(), sha256: z.string() });

/** What the download tools have in common in their answers. */
export const DownloadAnswer = z.object({
  downloaded: z.number(),
  skipped: z.number().describe("Already installed with the same hash."),
  files: z.array(Item),
  output: z.string().describe("The same in words."),
});

export function downloadAnswer(installed: readonly InstalledArtifact[]): z.input<typeof DownloadAnswer> {
  const downloaded = installed.filter(({ isNew }) => isNew).length;
  return {
    downloaded,
    skipped: installed.length - downloaded,
    files: installed.map(({ name, path, bytes, sha256 }) => ({ name, path, bytes, sha256 })),
    output: installed
      .map(({ name, isNew, isInPlace }) =>
        [
          isNew ? `${name} downloaded and verified.` : `${name} is already installed.`,
          ...(isInPlace ? [] : ["It isn't in the usual folder, so search doesn't use it."]),
        ].join(" "),
      )
      .join("\n"),
  };
}

export const downloadRefusals = [
  "FORBIDDEN",
  "INVALID_REQUEST",
  "DOWNLOAD_VERIFY_FAILED",
  "ARCHIVE_UNSAFE",
  "ARCHIVE_TOO_LARGE",
] as const;

export const Dir = z.string().min(1).max(4_096).optional().describe("Where to keep it, below Crewdeck's home.");
export const Force = z.boolean().default(false).describe("Download it even if it's installed.");
/** Other servers ask whether a file has changed; here the hash that is expected says so. */
export const Update = z
  .boolean()
  .default(false)
  .describe("Not needed: what's installed is replaced whenever the expected hash has changed.");
