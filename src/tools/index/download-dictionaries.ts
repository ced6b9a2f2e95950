import { z } from "zod";
import { Refusal } from "../../contract/refusal.ts";
import { downloadArtifact } from "../../domain/artifact/operations.ts";
import type { InstalledArtifact } from "../../domain/artifact/port.ts";
import { locateRepository } from "../../domain/project/locate-operations.ts";
import { defineTool } from "../define.ts";
import { RepoPath } from "./references.ts";
import { Dir, DownloadAnswer, downloadAnswer, downloadRefusals, Force, Update } from "./voice/downloads.ts";

const Source = z.string().min(3).max(2_300);

export default defineTool({
  name: "download_dictionaries",
  family: "index",
  title: "Download dictionaries",
  summary: "Download words and synonyms that widen searches; only from allowed hosts, with a known hash.",
  guidance: "Downloads must be allowed in config.json. Check the result with config_status.",
  keywords: "install fetch dictionary word list language english spelling",
  effect: "create",
  isRepeatable: true,
  callers: ["agent"],
  limits: { timeoutMs: 600_000 },
  input: z.object({
    repoPath: RepoPath,
    lang: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe("Names under downloads.files, separated by commas; en unless a url is given."),
    dir: Dir,
    url: z
      .union([Source, z.array(Source).min(1).max(20)])
      .optional()
      .describe("name=address, the address ending in #sha256=…, or a list of them."),
    update: Update,
    force: Force,
  }),
  output: DownloadAnswer,
  refusals: downloadRefusals,
  examples: [{ title: "by its address", input: { url: "$dictionary" } }],
  async observe({ repoPath, lang, dir, url, force }, look) {
    if (repoPath !== undefined) await locateRepository(look, repoPath);
    const listed = lang ?? (url === undefined ? "en" : "");
    const named = listed
      .split(",")
      .flatMap((name) => (name.trim() === "" ? [] : [{ name: name.trim(), from: name.trim() }]));
    const wanted = [...named, ...(url === undefined ? [] : [url].flat().map(pairOf))];
    const installed: InstalledArtifact[] = [];
    for (const { name, from } of wanted) {
      installed.push(await downloadArtifact(look, { kind: "dictionaries", name, from: [from], dir, force }));
    }
    return installed;
  },
  async handle(_input, _work, installed) {
    return downloadAnswer(installed);
  },
});

function pairOf(text: string): { name: string; from: string } {
  const [, name, from] = /^([\w.-]{1,100})=(\S+)$/.exec(text) ?? [];
  if (name !== undefined && from !== undefined) return { name, from };
  throw new Refusal("INVALID_REQUEST", "url is name=address.", "Write it like en=https://example.com/en.txt#sha256=…");
}
