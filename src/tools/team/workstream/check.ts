import { z } from "zod";
import { WorkflowId } from "../../../contract/ids.ts";
import { checkWork } from "../../../domain/overlap/work-operations.ts";
import { defineTool } from "../../define.ts";
import { TeamAnswer } from "../voice/answer.ts";
import { sayChecked } from "../voice/gate.ts";
import { aboutWork } from "../voice/work-words.ts";
import { aimFrom, lookForLike } from "../work-aim.ts";

export default defineTool({
  name: "check",
  family: "team",
  title: "Check a workstream",
  summary: "See whether somebody does or did what you are about to begin.",
  effect: "create",
  callers: ["agent"],
  input: z.object({
    ...aboutWork,
    planned_workstream_id: WorkflowId.optional().describe("The planned workstream that is to be started."),
  }),
  output: TeamAnswer,
  refusals: ["SESSION_NOT_FOUND", "WORKFLOW_NOT_FOUND", "FORBIDDEN", "INVALID_STATE"],
  examples: [
    {
      title: "before new work",
      input: { title: "Offline boarding for ferries", scope: "The gate application", session_id: "$session" },
    },
  ],
  observe: (input, look) => lookForLike(look, aimFrom("workstream", input)),
  async handle(input, work, like) {
    const plannedId = input.planned_workstream_id ?? null;
    const checked = await checkWork(work, { aim: aimFrom("workstream", input), plannedId }, like);
    return sayChecked(work, { kind: "workstream", plannedId }, checked);
  },
});
