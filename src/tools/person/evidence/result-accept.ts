import { z } from "zod";
import { TaskId } from "../../../contract/ids.ts";
import { acceptResult } from "../../../domain/evidence/accept-operations.ts";
import { defineTool } from "../../define.ts";
import { Success, success } from "../../workflow/voice/answer.ts";

export default defineTool({
  name: "result_accept",
  family: "person",
  title: "Accept a result",
  summary: "Accept a task's result although files outside its scope changed or checks failed; it leaves the inbox.",
  effect: "change",
  isRepeatable: true,
  callers: ["person"],
  input: z.object({ task_id: TaskId.describe("The task whose result you reviewed.") }),
  output: Success,
  refusals: ["NOT_FOUND", "INVALID_STATE", "FORBIDDEN"],
  examples: [{ title: "reviewed and fine", input: { task_id: "$ended_task" } }],
  async handle({ task_id }, work) {
    await acceptResult(work, task_id);
    return success;
  },
});
