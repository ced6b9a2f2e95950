import { z } from "zod";
import { NoteId } from "../../../contract/ids.ts";
import { resolveIssue } from "../../../domain/note/operations.ts";
import { defineTool } from "../../define.ts";

export default defineTool({
  name: "issue_resolve",
  family: "person",
  title: "Resolve an issue",
  summary: "Say that a person has looked at an issue that waited for one.",
  effect: "change",
  isRepeatable: true,
  callers: ["person"],
  input: z.object({ id: NoteId.describe("The issue's id.") }),
  output: z.object({ success: z.literal(true) }),
  refusals: ["NOT_FOUND", "FORBIDDEN"],
  examples: [{ title: "seen", input: { id: "$issue" } }],
  async handle({ id }, work) {
    await resolveIssue(work, id);
    return { success: true as const };
  },
});
