import { z } from "zod";
import { downloadArtifact } from "../../domain/artifact/operations.ts";
import { locateRepository } from "../../domain/project/locate-operations.ts";
import { defineTool } from "../define.ts";
import { RepoPath } from "./references.ts";
import { Dir, DownloadAnswer, downloadAnswer, downloadRefusals, Force, Update } from "./voice/downloads.ts";
import { Arch, Platform, Provider } from "./voice/extension.ts";

export default defineTool({
  name: "download_extensions",
  family: "index",
  title: "Download an extension",
  summary: "Download a SQLite vector extension as a zip, tar or tgz; only from allowed hosts, with a known hash.",
  guidance: "Downloads must be allowed in config.json. Try it afterwards with verify_extensions.",
  keywords: "install fetch sqlite vec vector extension native library",
  effect: "create",
  isRepeatable: true,
  callers: ["agent"],
  limits: { timeoutMs: 600_000 },
  input: z.object({
    repoPath: RepoPath,
    provider: Provider,
    dir: Dir,
    url: z.string().min(3).max(2_300).optional().describe("The address of the archive, ending in #sha256=…"),
    out: z
      .string()
      .min(1)
      .max(4_096)
      .optional()
      .describe("Copy the library itself to this file, below Crewdeck's home."),
    platform: Platform,
    arch: Arch,
    update: Update,
    force: Force,
  }),
  output: DownloadAnswer.extend({
    provider: z.string(),
    extensionPath: z.string().nullable().describe("The library that's loaded; null if the archive has none."),
    entries: z.number().describe("Files in the archive."),
  }),
  refusals: downloadRefusals,
  examples: [{ title: "by its address", input: { url: "$extension" } }],
  async observe({ repoPath, provider, dir, url, out, force, ...asked }, look) {
    const { host } = look.ports.artifact;
    const [platform, arch] = [asked.platform ?? host.platform, asked.arch ?? host.arch];
    if (repoPath !== undefined) await locateRepository(look, repoPath);
    const from = url === undefined ? [`${provider}-${platform}-${arch}`, provider] : [url];
    const installed = await downloadArtifact(look, { kind: "extensions", name: provider, from, dir, out, force });
    const found = await look.ports.artifact.findExtension({ provider, dir, path: out, platform });
    return { installed, extensionPath: found.path };
  },
  async handle({ provider }, _work, { installed, extensionPath }) {
    return {
      provider,
      extensionPath,
      entries: installed.files.length,
      ...downloadAnswer([{ ...installed, isInPlace: true }]),
    };
  },
});
