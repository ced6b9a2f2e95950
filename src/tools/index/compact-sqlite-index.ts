import { z } from "zod";
import { recordCompaction } from "../../domain/artifact/operations.ts";
import { locateRepository } from "../../domain/project/locate-operations.ts";
import { defineTool } from "../define.ts";
import { RepoPath } from "./references.ts";

export default defineTool({
  name: "compact_sqlite_index",
  family: "index",
  title: "Compact the SQLite copy",
  summary: "Make the SQLite copy of a repository's index smaller; a backup is kept until the result is verified.",
  keywords: "sqlite vacuum shrink compact optimize database copy",
  effect: "change",
  isRepeatable: true,
  callers: ["agent"],
  limits: { timeoutMs: 10 * 60_000 },
  input: z.object({
    repoPath: RepoPath,
    mode: z
      .enum(["all", "code", "prose"])
      .default("all")
      .describe("One file holds all modes; accepted for compatibility."),
    dryRun: z.boolean().default(false).describe("Only say how large it is."),
    keepBackup: z.boolean().default(false).describe("Keep the file as it was, with .bak at its end."),
  }),
  output: z.object({
    repoPath: z.string(),
    path: z.string(),
    dryRun: z.boolean(),
    before: z.number().describe("Bytes."),
    after: z.number().nullable().describe("Bytes; null with dryRun."),
    output: z.string().describe("The same in words."),
  }),
  refusals: ["INVALID_REQUEST", "FORBIDDEN", "NO_INDEX", "GIT_ERROR"],
  examples: [{ title: "how large it is", input: { repoPath: "$copied", dryRun: true } }],
  async observe({ repoPath, dryRun: isDry, keepBackup: keepsBackup }, look) {
    const repository = await locateRepository(look, repoPath);
    const { artifact, codeindex } = look.ports;
    return codeindex.hold(repository, async () => {
      const { id, folder } = await codeindex.readStatus(repository, look.signal);
      const { signal } = look;
      return { root: repository.root, id, ...(await artifact.compactCopy({ folder, isDry, keepsBackup, signal })) };
    });
  },
  async handle({ dryRun }, work, { root, id, path, before, after }) {
    if (after !== null) await recordCompaction(work, id, { before, after });
    const output = after === null ? `The copy has ${before} bytes.` : `Compacted from ${before} to ${after} bytes.`;
    return { repoPath: root, path, dryRun, before, after, output };
  },
});
