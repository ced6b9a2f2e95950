import { z } from "zod";
import { WorkflowId } from "../../contract/ids.ts";
import { changeWorkflowStatus } from "../../domain/workflow/operations.ts";
import { defineTool } from "../define.ts";
import { Success, success } from "./voice/answer.ts";
import { readWorkflow, sayWorkflow } from "./voice/words.ts";
import { WorkflowStatus } from "./voice/work.ts";

export default defineTool({
  name: "workflow_update_status",
  family: "workflow",
  title: "Change a workflow's status",
  summary: "Start, pause, complete or cancel your workflow.",
  guidance: "A refusal lists the valid next statuses.",
  keywords: "pause resume finish cancel start",
  effect: "change",
  callers: ["agent"],
  input: z.object({
    id: WorkflowId.describe("The workflow."),
    status: WorkflowStatus.describe("The new status."),
    reason: z.string().max(5_000).optional().describe("Why."),
  }),
  output: Success,
  refusals: ["WORKFLOW_NOT_FOUND", "FORBIDDEN", "INVALID_TRANSITION"],
  examples: [{ title: "begin", input: { id: "$workflow", status: "in_progress" } }],
  async handle(input, work) {
    await changeWorkflowStatus(work, input.id, {
      to: readWorkflow(input.status),
      reason: input.reason ?? null,
      say: sayWorkflow,
    });
    return success;
  },
});
