import { z } from "zod";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { CodeMode } from "../../domain/codeindex/model.ts";
import { locateRepository } from "../../domain/project/locate-operations.ts";
import { defineTool } from "../define.ts";
import { RepoPath } from "./references.ts";
import { codeFiltersOf, filterInputs, hasFilter } from "./voice/filters.ts";
import { Bundle, bundleHits, Hit, hitRecords, IndexFacts } from "./voice/hits.ts";
import { Warning } from "./voice/warnings.ts";

const modes = {
  code: ["code"],
  prose: ["prose", "extracted-prose"],
  "extracted-prose": ["extracted-prose"],
  records: [],
  both: ["code", "prose", "extracted-prose"],
  all: ["code", "prose", "extracted-prose"],
} as const satisfies Record<string, readonly CodeMode[]>;

const mostHits = 1_000;

export default defineTool({
  name: "search",
  family: "index",
  title: "Search code and documents",
  summary: "Search a repository's code, documents and comments as they are on disk now, best matches first.",
  guidance:
    'All words are required; use OR, NOT or -word, "phrases", /patterns/ and filters. A question with a line break is ranked by meaning of its words.',
  keywords: "find grep code symbol definition function class usage text regex ripgrep",
  effect: "read",
  callers: ["agent"],
  input: z.object({
    query: z.string().max(50_000).describe("Words, phrases and operators. May be empty if a filter is given."),
    repoPath: RepoPath,
    mode: z
      .enum(["code", "prose", "extracted-prose", "records", "all", "both"])
      .default("both")
      .describe("both is code, prose and comments; all adds records."),
    backend: z
      .enum(["auto", "memory", "sqlite", "sqlite-fts"])
      .default("auto")
      .describe("auto is memory; the others need build_sqlite_index."),
    output: z
      .enum(["compact", "full", "json"])
      .default("compact")
      .describe("full and json add text, signature, doc and meta."),
    ann: z.boolean().nullable().optional().describe("true needs an embedding model."),
    top: z.number().max(mostHits).default(5).describe("Hits in each list."),
    context: z.number().int().min(0).max(100).default(0).describe("Lines before and after each hit."),
    worktrees: z.enum(["current", "all"]).default("current").describe("all searches every worktree of the repository."),
    ...filterInputs,
  }),
  output: z.object({
    query: z.string(),
    repo: z.string().describe("The repository's top folder."),
    backend: z.string(),
    mode: z.string(),
    code: z.array(Hit).optional(),
    prose: z.array(Hit).optional(),
    extractedProse: z.array(Hit).optional(),
    bundles: z.array(Bundle).describe("The hits by file, best first."),
    total: z.number().int().describe("All matches, before the best were taken."),
    tookMs: z.number(),
    index: IndexFacts,
    warnings: z.array(Warning),
  }),
  refusals: ["INVALID_REQUEST", "FORBIDDEN", "NO_INDEX", "CAPABILITY_MISSING", "GIT_ERROR"],
  examples: [
    { title: "words that are all required", input: { repoPath: "$indexed", query: "read file" } },
    { title: "functions only", input: { repoPath: "$indexed", query: "", type: "function", top: 10 } },
  ],
  async observe(input, look) {
    const { query, mode, context, worktrees, output } = input;
    if (query.trim() === "" && !hasFilter(input)) throw emptyQuery();
    if (input.ann === true) throw noModel();
    if (input.lint === true) throw noLinter();
    const repository = await locateRepository(look, input.repoPath);
    if (input.backend.startsWith("sqlite")) throw noCopy();
    const found = await look.ports.codeindex.search(
      {
        repository,
        query,
        modes: modes[mode],
        filters: codeFiltersOf(input),
        top: Math.max(1, Math.floor(input.top)),
        contextLines: context,
        isFull: output !== "compact",
        isEverywhere: worktrees === "all",
        now: look.now,
      },
      { signal: look.signal },
    );
    return { root: repository.root, found };
  },
  async handle({ query, mode }, _work, { root, found }) {
    const { code, prose, "extracted-prose": comments } = found.hits;
    return {
      query,
      repo: root,
      backend: "memory",
      mode,
      ...(code && { code: hitRecords(code) }),
      ...(prose && { prose: hitRecords(prose) }),
      ...(comments && { extractedProse: hitRecords(comments) }),
      bundles: bundleHits([...(code ?? []), ...(prose ?? []), ...(comments ?? [])]),
      total: found.total,
      tookMs: found.tookMs,
      index: found.state,
      warnings: [...found.warnings],
    };
  },
});

const emptyQuery = (): Refusal =>
  new Refusal("INVALID_REQUEST", "The query is empty and no filter is given.", "Pass words to look for, or a filter.");

const noModel = (): Refusal =>
  new Refusal("CAPABILITY_MISSING", "`ann` needs an embedding model, and none is installed.", "Leave `ann` out.");

const noLinter = (): Refusal =>
  new Refusal("CAPABILITY_MISSING", "`lint` needs a linter's report, and none can be read.", "Leave `lint` out.");

const noCopy = (): Refusal =>
  new Refusal("NO_INDEX", "This backend needs a SQLite copy of the index.", nextStep("buildIndex"));
