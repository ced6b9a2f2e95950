import { z } from "zod";
import { TaskId } from "../../contract/ids.ts";
import { setTaskPlan } from "../../domain/task/operations.ts";
import { defineTool } from "../define.ts";
import { Success, success } from "./voice/answer.ts";
import { TaskPlanInput } from "./voice/task-plan-input.ts";
import { Fence, Names } from "./voice/work.ts";

export default defineTool({
  name: "task_set_plan",
  family: "workflow",
  title: "Set a task's plan",
  summary: "Save how you plan to do a task, so that it survives a cleared context.",
  keywords: "how to do approach write down steps save",
  effect: "change",
  isRepeatable: true,
  callers: ["agent"],
  input: z.object({
    id: TaskId.describe("The task."),
    plan: TaskPlanInput.extend({ context_needed: Names.optional().describe("What to load before going on.") }).describe(
      "The plan.",
    ),
    context: z.record(z.string(), z.unknown()).optional().describe("Anything else to keep; merged key by key."),
    fence: Fence,
  }),
  output: Success,
  refusals: ["TASK_NOT_FOUND", "FORBIDDEN", "INVALID_STATE", "NOT_CLAIMED", "TOO_LARGE"],
  examples: [
    {
      title: "three steps",
      input: { id: "$task", plan: { approach: "Test first", steps: ["Test", "Code", "Check"] } },
    },
  ],
  async handle({ id, plan, context, fence }, work) {
    await setTaskPlan(work, id, { plan, context, fence });
    return success;
  },
});
