import { z } from "zod";
import { FindingId } from "../../contract/ids.ts";
import { findingSources, severities } from "../../contract/words.ts";
import { ingestFindings, readReports } from "../../domain/finding/operations.ts";
import { locateRepository } from "../../domain/project/locate-operations.ts";
import { defineTool } from "../define.ts";
import { RepoPath } from "./references.ts";
import { Meta, metaFrom } from "./voice/meta.ts";

/** As many records are told in full; all are told by id. */
const mostTold = 100;

export default defineTool({
  name: "triage_ingest",
  family: "index",
  title: "Import security findings",
  summary: "Import vulnerability findings from a scanner's JSON or JSONL file into the team's triage list.",
  guidance: "Importing the same file again changes nothing. Decide about a finding with triage_decision.",
  keywords: "security vulnerability scan import dependabot inspector alerts cve advisory load findings",
  effect: "create",
  isRepeatable: true,
  callers: ["agent"],
  limits: { timeoutMs: 300_000 },
  input: z.object({
    repoPath: RepoPath,
    source: z.enum(findingSources).describe("Which scanner wrote the file; manual for findings written by hand."),
    inputPath: z.string().min(1).max(4_096).describe("The file, absolute or relative to the repository."),
    meta: Meta.optional().describe("Routing for all of them: service, env, team, owner, repo, or keys of your own."),
    buildIndex: z.boolean().optional().describe("Not needed: findings can be searched as soon as they're imported."),
    incremental: z.boolean().optional().describe("Goes with buildIndex; not needed either."),
    stubEmbeddings: z.boolean().optional().describe("Goes with buildIndex; not needed either."),
  }),
  output: z.object({
    repoPath: z.string(),
    source: z.enum(findingSources),
    total: z.number().describe("Entries in the file."),
    written: z.number().describe("Different findings that are stored now."),
    created: z.number(),
    updated: z.number(),
    unchanged: z.number(),
    closed: z.number().describe("Of these, what the scanner says is fixed or dismissed."),
    reopened: z.number().describe("Of these, what was closed and the scanner has seen again."),
    errors: z.number(),
    recordIds: z.array(FindingId),
    records: z
      .array(
        z.object({
          recordId: FindingId,
          title: z.string(),
          severity: z.enum(severities),
          package: z.string().nullable(),
          parseWarnings: z.array(z.string()),
        }),
      )
      .describe(`The first ${mostTold}.`),
    errorDetails: z
      .array(z.object({ index: z.number(), message: z.string() }))
      .describe(`Why entries were skipped, the first ${mostTold}; index counts from 0.`),
  }),
  refusals: ["INVALID_REQUEST", "FORBIDDEN", "TOO_LARGE"],
  examples: [
    { title: "alerts of a repository", input: { source: "dependabot", inputPath: "$findings", repoPath: "$checkout" } },
    {
      title: "for one service",
      input: {
        source: "dependabot",
        inputPath: "$findings",
        repoPath: "$checkout",
        meta: { service: "checkout", env: "production" },
      },
    },
  ],
  async observe({ repoPath, source, inputPath, meta }, look) {
    const { root, main } = await locateRepository(look, repoPath);
    const { service, env, team, owner, repo, ...more } = metaFrom(meta);
    const ask = { path: inputPath, root, isConfined: !look.ports.project.isLocal };
    const read = await readReports(look, ask, { source, routing: { service, env, team, owner, repo, more } });
    return { root, main, read };
  },
  async handle({ source }, work, { root, main, read }) {
    const stored = await ingestFindings(work, read, { source, repositoryPath: main });
    return {
      repoPath: root,
      source,
      total: read.total,
      written: read.records.length,
      ...stored,
      errors: read.problems.length,
      recordIds: read.records.map(({ recordId }) => recordId),
      records: read.records.slice(0, mostTold).map((record) => ({
        recordId: record.recordId,
        title: record.vuln.title,
        severity: record.vuln.severity,
        package: record.package.name,
        parseWarnings: [...record.parseWarnings],
      })),
      errorDetails: read.problems.slice(0, mostTold).map((problem) => ({ ...problem })),
    };
  },
});
