import { z } from "zod";
import { FindingId } from "../../../contract/ids.ts";
import { Refusal } from "../../../contract/refusal.ts";
import { getFinding } from "../../../domain/finding/operations.ts";
import { gatherEvidence } from "../../../domain/finding/pack-operations.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { locateRepository } from "../../../domain/project/locate-operations.ts";
import { defineTool } from "../../define.ts";
import { DecisionEntry, decisionEntry } from "../voice/finding.ts";

export default defineTool({
  name: "finding_evidence",
  family: "person",
  title: "Show the evidence about a finding",
  summary: "Read what triage_context_pack would write: earlier decisions like it, and where the code has its names.",
  effect: "read",
  callers: ["person"],
  input: z.object({ id: FindingId.describe("The finding's record id.") }),
  output: z.object({
    id: FindingId,
    history: z.array(DecisionEntry).describe("Decisions about it and about findings like it."),
    queries: z.array(z.string()).describe("What the code was searched for."),
    hits: z.array(
      z.object({
        query: z.string(),
        file: z.string(),
        line: z.number().int(),
        name: z.string(),
        snippet: z.string(),
      }),
    ),
    warnings: z.array(z.string()),
  }),
  routes: [{ method: "GET", path: "/api/findings/:id/evidence", key: "id" }],
  refusals: ["NOT_FOUND"],
  examples: [{ title: "before deciding", input: { id: "$finding" } }],
  async observe({ id }, look) {
    const { repositoryPath } = await look.read((db) => getFinding({ db, caller: look.caller }, id));
    const repository = await locateRepository(look, repositoryPath).catch(orRefusal);
    return gatherEvidence(look, { recordId: id, repository });
  },
  async handle({ id }, work, { history, queries, hits, warnings }) {
    const viewer = await readViewer(work);
    return {
      id,
      history: history.map((note) => decisionEntry(note, viewer)),
      queries: [...queries],
      hits: hits.map(({ query, file, startLine, name, snippet }) => ({ query, file, line: startLine, name, snippet })),
      warnings: [...warnings],
    };
  },
});

function orRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}
