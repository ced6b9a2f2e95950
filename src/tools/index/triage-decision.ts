import { z } from "zod";
import { FindingId, NoteId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import { findingDecisions } from "../../contract/words.ts";
import { decideFinding } from "../../domain/finding/operations.ts";
import { locateRepository } from "../../domain/project/locate-operations.ts";
import { defineTool } from "../define.ts";
import { Time, timeOf } from "../time.ts";
import { RepoPath } from "./references.ts";
import { Meta, metaFrom } from "./voice/meta.ts";

export default defineTool({
  name: "triage_decision",
  family: "index",
  title: "Decide about a finding",
  summary: "Record what to do about a security finding: fix it, accept it, defer it, or mark it as not a problem.",
  guidance: "Each call adds a decision; earlier ones stay. Read the evidence first with triage_context_pack.",
  keywords: "security vulnerability accept risk false positive not affected defer fix finding judge dismiss",
  effect: "change",
  callers: ["agent"],
  input: z.object({
    repoPath: RepoPath,
    finding: FindingId.describe("The finding's record id."),
    status: z.enum(findingDecisions).describe("What to do about it."),
    justification: z.string().trim().min(1).max(5_000).optional().describe("Why."),
    reviewer: z.string().trim().min(1).max(200).optional().describe("Who reviewed it; you unless given."),
    expires: z.string().min(1).max(40).optional().describe("ISO 8601 date from which it needs another look."),
    meta: Meta.optional().describe("Anything else to keep with the decision, as keys and values."),
    codes: z.array(z.string().min(1).max(200)).max(50).optional().describe("Reason codes of your process."),
    evidence: z.array(z.string().min(1).max(2_000)).max(50).optional().describe("Files, lines or links that show it."),
  }),
  output: z.object({
    recordId: NoteId.describe("The decision's own id."),
    findingId: FindingId,
    status: z.enum(findingDecisions),
    reviewer: z.string(),
    expires: Time.nullable(),
    createdAt: Time,
    paths: z.object({ finding: z.string() }).describe("Where it can be read over HTTP."),
  }),
  refusals: ["NOT_FOUND", "INVALID_REQUEST", "FORBIDDEN"],
  examples: [
    { title: "accept for now", input: { finding: "$finding", status: "accept", justification: "Only used in tests." } },
    { title: "fix it", input: { finding: "$finding", status: "fix", codes: ["reachable"], evidence: ["src/a.ts:10"] } },
  ],
  async observe({ repoPath }, look) {
    if (repoPath !== undefined) await locateRepository(look, repoPath);
  },
  async handle(input, work) {
    const reviewer = input.reviewer ?? work.caller.handle;
    const expiresAt = input.expires === undefined ? null : momentOf(input.expires);
    const { finding, note } = await decideFinding(work, input.finding, {
      status: input.status,
      justification: input.justification ?? null,
      reviewer,
      expiresAt,
      meta: metaFrom(input.meta),
      codes: input.codes ?? [],
      evidence: input.evidence ?? [],
    });
    return {
      recordId: note.id,
      findingId: finding.id,
      status: input.status,
      reviewer,
      expires: expiresAt === null ? null : timeOf(expiresAt),
      createdAt: timeOf(note.createdAt),
      paths: { finding: `/api/findings/${finding.id}` },
    };
  },
});

function momentOf(text: string): number {
  const at = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2})?)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new Refusal("INVALID_REQUEST", "expires is not an ISO 8601 date.", "Write it like 2027-03-31.");
}
