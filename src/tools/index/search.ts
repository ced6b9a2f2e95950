import { z } from "zod";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { CodeMode } from "../../domain/codeindex/model.ts";
import type { Found, SearchAsk } from "../../domain/codeindex/port.ts";
import type { Look } from "../../domain/port.ts";
import { locateRepository } from "../../domain/project/locate-operations.ts";
import { defineTool } from "../define.ts";
import { findRecords } from "./find-records.ts";
import { RepoPath } from "./references.ts";
import { checkKinds, codeFiltersOf, filterInputs, hasFilter } from "./voice/filters.ts";
import { fitHits, usualTokens } from "./voice/fit-hits.ts";
import { Bundle, bundleHits, Hit, hitRecords, IndexFacts, RecordHit } from "./voice/hits.ts";
import { listMetaTests, metaInputs } from "./voice/record-filters.ts";
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
const usualTop = 5;

export default defineTool({
  name: "search",
  family: "index",
  title: "Search code, documents and records",
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
    ann: z.boolean().nullable().optional().describe("true also finds what means the same; needs a model."),
    top: z.number().max(mostHits).optional().meta({ default: usualTop }).describe("Hits in each list."),
    maxTokens: z
      .number()
      .int()
      .min(200)
      .max(200_000)
      .optional()
      .describe("Most tokens of the answer, best hits first. 8,000 unless top is given."),
    context: z.number().int().min(0).max(100).default(0).describe("Lines before and after each hit."),
    worktrees: z.enum(["current", "all"]).default("current").describe("all searches every worktree of the repository."),
    ...filterInputs,
    ...metaInputs,
  }),
  output: z.object({
    query: z.string(),
    repo: z.string().describe("The repository's top folder."),
    backend: z.string(),
    mode: z.string(),
    code: z.array(Hit).optional(),
    prose: z.array(Hit).optional(),
    extractedProse: z.array(Hit).optional(),
    records: z.array(RecordHit).optional(),
    bundles: z.array(Bundle).describe("The hits by file, best first."),
    total: z.number().int().describe("All matches, before the best were taken."),
    tookMs: z.number(),
    index: IndexFacts,
    warnings: z.array(Warning),
  }),
  refusals: ["INVALID_REQUEST", "FORBIDDEN", "NO_INDEX", "CAPABILITY_MISSING", "GIT_ERROR"],
  examples: [
    { title: "words that are all required", input: { repoPath: "$indexed", query: "read file" } },
    { title: "what the team wrote down", input: { mode: "records", query: "price OR rules" } },
    { title: "functions only", input: { repoPath: "$indexed", query: "", type: "function", top: 10 } },
  ],
  async observe(input, look) {
    const metaTests = listMetaTests(input);
    if (input.lint === true) throw noLinter();
    if (input.query.trim() === "" && !hasFilter(input) && metaTests.length === 0) throw emptyQuery();
    if (input.ann === true) await checkModel(look, input.backend);
    checkKinds(input);
    const isOfRecords = input.mode === "records" || input.mode === "all";
    const records = isOfRecords ? await findRecords(input, look, { metaTests, top: topOf(input) }) : undefined;
    if (input.mode === "records" && input.repoPath === undefined)
      return { root: look.folder, records, found: onlyRecords(look) };
    const repository = await locateRepository(look, input.repoPath);
    if (input.mode === "records") return { root: repository.root, records, found: onlyRecords(look) };
    const ask = {
      repository,
      query: input.query,
      // What is not a record has none of their fields.
      modes: modes[input.mode],
      isNothing: metaTests.length > 0,
      filters: codeFiltersOf(input),
      top: topOf(input),
      contextLines: input.context,
      isFull: input.output !== "compact",
      isEverywhere: input.worktrees === "all",
      isByMeaning: input.ann === true,
      now: look.now,
    };
    return { root: repository.root, records, found: await findCode(look, ask, input.backend) };
  },
  async handle({ query, mode, backend, top, maxTokens }, _work, { root, records, found }) {
    const { code, prose, "extracted-prose": comments } = found.hits;
    const lists = {
      ...(code && { code: hitRecords(code) }),
      ...(prose && { prose: hitRecords(prose) }),
      ...(comments && { extractedProse: hitRecords(comments) }),
      ...(records && { records: records.hits }),
    };
    const warnings = [...found.warnings, ...(records?.warnings ?? [])];
    const about = { repo: root, backend: backend === "auto" ? "memory" : backend, mode };
    const counts = { total: found.total + (records?.total ?? 0), tookMs: found.tookMs, index: found.state };
    const most = maxTokens ?? (top === undefined ? usualTokens : undefined);
    const fitted =
      most === undefined ? { lists, warnings: [] } : fitHits(lists, most, { ...about, ...counts, warnings });
    return {
      query,
      ...about,
      ...fitted.lists,
      bundles: bundleHits(fitted.lists),
      ...counts,
      warnings: [...warnings, ...fitted.warnings],
    };
  },
});

type SearchInput = Parameters<typeof codeFiltersOf>[0] & {
  readonly query: string;
  readonly mode: keyof typeof modes;
  readonly top?: number | undefined;
};

const topOf = ({ top = usualTop }: SearchInput): number => Math.max(1, Math.floor(top));

/** A search that asks no index. */
const onlyRecords = ({ now }: Look): Found => ({
  hits: {},
  total: 0,
  tookMs: 0,
  state: { builtAt: new Date(now).toISOString(), head: null, isFresh: true },
  warnings: [],
});

const emptyQuery = (): Refusal =>
  new Refusal("INVALID_REQUEST", "The query is empty and no filter is given.", "Pass words to look for, or a filter.");

/** Copies hold words only. */
async function checkModel(look: Look, backend: string): Promise<void> {
  if (backend === "sqlite" || backend === "sqlite-fts") {
    throw new Refusal("CAPABILITY_MISSING", "`ann` searches the index itself, not a copy.", "Leave `backend` out.");
  }
  if (!(await look.ports.codeindex.findModel())) throw noModel();
}

const noModel = (): Refusal =>
  new Refusal(
    "CAPABILITY_MISSING",
    "`ann` needs an embedding model, and none is installed.",
    "Leave `ann` out, or get a model with download_models.",
  );

const noLinter = (): Refusal =>
  new Refusal("CAPABILITY_MISSING", "`lint` needs a linter's report, and none can be read.", "Leave `lint` out.");

/** Asks the index, or the copy of it that was named. */
async function findCode(look: Look, ask: SearchAsk, backend: string): Promise<Found> {
  const { codeindex, artifact } = look.ports;
  const watch = { signal: look.signal };
  if (backend !== "sqlite" && backend !== "sqlite-fts") return codeindex.search(ask, watch);
  return codeindex.hold(ask.repository, async () => {
    const { folder, built } = await codeindex.readStatus(ask.repository, look.signal);
    if (!built) throw new Refusal("NO_INDEX", "This repository has no search index yet.");
    const found = await artifact.withCopy(folder, (copy) => codeindex.searchCopy({ ...ask, backend }, copy, watch));
    if (!found) throw noCopy();
    return found;
  });
}

const noCopy = (): Refusal =>
  new Refusal("NO_INDEX", "This backend needs a SQLite copy of the index.", nextStep("buildCopy"));
