import { z } from "zod";
import { copyIndex } from "../../domain/artifact/copy-operations.ts";
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
    incremental: z.boolean().default(true).describe("False reads every file again."),
    stubEmbeddings: z.boolean().optional().describe("Accepted for compatibility; no embeddings are computed."),
    useArtifacts: z.boolean().optional().describe("Accepted for compatibility; the index is always built from files."),
    artifactsDir: z.string().max(4_096).optional().describe("Accepted for compatibility; not read."),
  }),
  output: z.object({
    repo: z.string().describe("The repository's top folder."),
    mode: z.string(),
    sqlite: z.boolean(),
    incremental: z.boolean(),
    restoredArtifacts: z.boolean(),
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
  async observe({ repoPath, incremental, sqlite }, look) {
    const repository = await locateRepository(look, repoPath);
    const built = await look.ports.codeindex.build(
      { repository, isFromScratch: !incremental },
      { signal: look.signal, ...(look.progress && { progress: look.progress }) },
    );
    if (sqlite) await copyIndex(look, repository, { out: undefined, mode: "all", isIncremental: incremental });
    return { root: repository.root, built };
  },
  async handle({ mode, incremental, sqlite }, _work, { root, built }) {
    return {
      repo: root,
      mode,
      sqlite,
      incremental,
      restoredArtifacts: false,
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
