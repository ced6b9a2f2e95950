import { z } from "zod";
import { copyIndex } from "../../domain/artifact/copy-operations.ts";
import { restoreIndex } from "../../domain/artifact/restore-operations.ts";
import { locateRepository } from "../../domain/project/locate-operations.ts";
import { defineTool } from "../define.ts";
import { RepoPath } from "./references.ts";
import { IndexFacts, mostSkipped, Skipped } from "./voice/hits.ts";

export default defineTool({
  name: "build_index",
  family: "index",
  title: "Build the search index",
  summary: "Index a repository's files so that search can answer; files indexed before are not read again.",
  guidance: "Call it once for each repository. After that, search notices changes by itself.",
  keywords: "reindex index code repository create refresh symbols parse",
  effect: "create",
  isRepeatable: true,
  callers: ["agent"],
  input: z.object({
    repoPath: RepoPath,
    mode: z
      .enum(["all", "code", "prose", "extracted-prose", "records"])
      .default("all")
      .describe("What to index. One pass covers all of them; records need no index."),
    sqlite: z.boolean().default(false).describe("Also write a SQLite copy."),
    incremental: z.boolean().default(true).describe("False reads every file again, and restores nothing."),
    stubEmbeddings: z.boolean().optional().describe("Accepted for compatibility; no embeddings are computed."),
    useArtifacts: z.boolean().default(false).describe("First restore an index that CI kept, if there is one."),
    artifactsDir: z
      .string()
      .min(1)
      .max(4_096)
      .optional()
      .describe(
        "The folder with its manifest.json, absolute or relative to the repository; .crewdeck-index unless given.",
      ),
  }),
  output: z.object({
    repo: z.string().describe("The repository's top folder."),
    mode: z.string(),
    sqlite: z.boolean(),
    incremental: z.boolean(),
    restoredArtifacts: z.boolean().describe("Whether an index of CI was found and used."),
    files: z.number().int().describe("Files that can be searched."),
    chunks: z.number().int(),
    parsed: z.number().int().describe("Files that had to be read; the others were known."),
    bytes: z.number().int().describe("Size of the indexed text."),
    index: IndexFacts,
    skipped: z.array(Skipped).describe(`Files left out, with the reason; at most ${mostSkipped}.`),
    skippedTotal: z.number().int(),
  }),
  refusals: ["INVALID_REQUEST", "FORBIDDEN", "GIT_ERROR"],
  examples: [{ title: "a repository", input: { repoPath: "$checkout" } }],
  limits: { timeoutMs: 10 * 60_000 },
  async observe({ repoPath, incremental, sqlite, useArtifacts, artifactsDir }, look) {
    const repository = await locateRepository(look, repoPath);
    const isRestored = useArtifacts && incremental && (await restoreIndex(look, repository, artifactsDir));
    const built = await look.ports.codeindex.build(
      { repository, isFromScratch: !incremental },
      { signal: look.signal, ...(look.progress && { progress: look.progress }) },
    );
    if (sqlite) await copyIndex(look, repository, { out: undefined, mode: "all", isIncremental: incremental });
    return { root: repository.root, built, isRestored };
  },
  async handle({ mode, incremental, sqlite }, _work, { root, built, isRestored }) {
    return {
      repo: root,
      mode,
      sqlite,
      incremental,
      restoredArtifacts: isRestored,
      files: built.files,
      chunks: built.chunks,
      parsed: built.parsed,
      bytes: built.bytes,
      index: built.state,
      skipped: built.skipped.slice(0, mostSkipped),
      skippedTotal: built.skipped.length,
    };
  },
});
