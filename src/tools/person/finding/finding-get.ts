import { z } from "zod";
import { FindingId } from "../../../contract/ids.ts";
import { openRecord } from "../../../contract/open-record.ts";
import type { FindingRecord } from "../../../domain/finding/model.ts";
import { getFinding } from "../../../domain/finding/operations.ts";
import { listOpenFixes } from "../../../domain/finding/task-operations.ts";
import { listFindingNotes } from "../../../domain/note/queries.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { defineTool } from "../../define.ts";
import { DecisionEntry, decisionEntry, FindingEntry, findingEntry } from "../voice/finding.ts";

export default defineTool({
  name: "finding_get",
  family: "person",
  title: "Get a finding",
  summary: "Read one security finding in full, with every decision about it, newest first.",
  effect: "read",
  callers: ["agent"],
  input: z.object({ id: FindingId.describe("The finding's record id.") }),
  output: FindingEntry.extend({ record: openRecord<FindingRecord>(), decisions: z.array(DecisionEntry) }),
  routes: [{ method: "GET", path: "/api/findings/:id", key: "id" }],
  refusals: ["NOT_FOUND"],
  examples: [{ title: "one", input: { id: "$finding" } }],
  async handle({ id }, work) {
    const finding = await getFinding(work, id);
    const viewer = await readViewer(work);
    const openFixes = await listOpenFixes(work.db, [finding]);
    const notes = await listFindingNotes(work.db, [id], 200);
    return {
      ...findingEntry(finding, { viewer, openFixes, now: work.now }),
      record: finding.record,
      decisions: notes.map((note) => decisionEntry(note, viewer)),
    };
  },
});
