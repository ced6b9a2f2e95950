import { z } from "zod";
import { findingStates, severities } from "../../../contract/words.ts";
import { countFindings, listFindings } from "../../../domain/finding/queries.ts";
import { listOpenFixes } from "../../../domain/finding/task-operations.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { defineTool } from "../../define.ts";
import { FindingEntry, findingEntry } from "../voice/finding.ts";

export default defineTool({
  name: "finding_list",
  family: "person",
  title: "List findings",
  summary: "List security findings, worst first, with how many there are of each severity and state.",
  effect: "read",
  callers: ["agent"],
  input: z.object({
    state: z.array(z.enum(findingStates)).max(findingStates.length).optional().describe("Only in these states."),
    severity: z.array(z.enum(severities)).max(severities.length).optional().describe("Only of these severities."),
    limit: z.number().int().min(1).max(500).default(100).describe("At most this many."),
    offset: z.number().int().min(0).max(1_000_000).default(0).describe("Skip this many."),
  }),
  output: z.object({
    findings: z.array(FindingEntry),
    counts: z.array(z.object({ state: z.enum(findingStates), severity: z.enum(severities), count: z.number() })),
  }),
  routes: [{ method: "GET", path: "/api/findings" }],
  refusals: [],
  examples: [{ title: "what is open", input: { state: ["open"] } }],
  async handle({ state, severity, limit, offset }, work) {
    const viewer = await readViewer(work);
    const hidden = viewer.listHidden();
    const { now } = work;
    const findings = await listFindings(work.db, { states: state, severities: severity, hidden, now, limit, offset });
    const openFixes = await listOpenFixes(work.db, findings);
    return {
      findings: findings.map((finding) => findingEntry(finding, { viewer, openFixes, now })),
      counts: await countFindings(work.db, { hidden, now }),
    };
  },
});
