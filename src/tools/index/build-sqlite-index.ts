import { z } from "zod";
import { copyIndex } from "../../domain/artifact/copy-operations.ts";
import { recordCopy } from "../../domain/artifact/operations.ts";
import { locateRepository } from "../../domain/project/locate-operations.ts";
import { defineTool } from "../define.ts";
import { RepoPath } from "./references.ts";

const Unused = z.string().max(4_096).optional().describe("Accepted for compatibility; the built index is copied.");

export default defineTool({
  name: "build_sqlite_index",
  family: "index",
  title: "Copy the index to SQLite",
  summary: "Write a repository's index as a SQLite file with full-text search, for other programs to query.",
  guidance: "Call build_index first. docs/index-database.md describes the tables.",
  keywords: "sqlite database fts5 export copy sql query tables index",
  effect: "create",
  isRepeatable: true,
  callers: ["agent"],
  limits: { timeoutMs: 10 * 60_000 },
  input: z.object({
    repoPath: RepoPath,
    mode: z.enum(["all", "code", "prose"]).default("all").describe("What to copy; prose includes comments."),
    incremental: z.boolean().default(true).describe("Only write files that have changed since the last copy."),
    compact: z.boolean().default(false).describe("Compact the copy afterwards."),
    codeDir: Unused,
    proseDir: Unused,
    out: z.string().min(1).max(4_096).optional().describe("Another file for it, below Crewdeck's home."),
  }),
  output: z.object({
    repoPath: z.string(),
    mode: z.string(),
    incremental: z.boolean(),
    compacted: z.boolean(),
    path: z.string().describe("The SQLite file."),
    bytes: z.number(),
    files: z.number(),
    chunks: z.number(),
    written: z.number().describe("Files that were new or had changed."),
    removed: z.number().describe("Files that are gone."),
    builtAt: z.string().describe("When the index it copies was built."),
  }),
  refusals: ["INVALID_REQUEST", "FORBIDDEN", "NO_INDEX", "GIT_ERROR"],
  examples: [{ title: "a copy of everything", input: { repoPath: "$indexed" } }],
  async observe({ repoPath, mode, incremental: isIncremental, compact, out }, look) {
    const repository = await locateRepository(look, repoPath);
    const copy = await copyIndex(look, repository, { out, mode, isIncremental, compacts: compact });
    return { root: repository.root, copy };
  },
  async handle({ mode, incremental, compact }, work, { root, copy }) {
    const { id, path, bytes, files, chunks, written, removed, builtAt } = copy;
    await recordCopy(work, id, { files, chunks, bytes });
    const counts = { bytes, files, chunks, written, removed };
    return { repoPath: root, mode, incremental, compacted: compact, path, ...counts, builtAt };
  },
});
