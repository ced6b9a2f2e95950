import { z } from "zod";
import { TaskId } from "../../../contract/ids.ts";
import { listRecoveries } from "../../../domain/context/recovery-operations.ts";
import { getSeenTask } from "../../../domain/task/sight-operations.ts";
import { defineTool } from "../../define.ts";
import { Time, timeOf } from "../../time.ts";
import { MissingRecord, missingRecord, ScoreRecord, scoreRecord } from "../voice/recovery.ts";

export default defineTool({
  name: "recovery_list",
  family: "person",
  title: "List a task's recoveries",
  summary:
    "See how much of a task's decisions, files and next steps its agents got back each time they loaded its context, and what they did not.",
  effect: "read",
  callers: ["agent"],
  input: z.object({ task_id: TaskId.describe("The task.") }),
  output: z.object({
    recoveries: z
      .array(
        ScoreRecord.extend({
          at: Time,
          max_tokens: z.number().int(),
          missing: MissingRecord.optional().describe("What was left out or cut and is still in force: twenty of each."),
        }),
      )
      .describe("The last twenty, newest first."),
  }),
  refusals: ["TASK_NOT_FOUND"],
  examples: [{ title: "of one task", input: { task_id: "$task" } }],
  async handle({ task_id }, work) {
    await getSeenTask(work, task_id);
    const recoveries = await listRecoveries(work, task_id);
    return {
      recoveries: recoveries.map(({ at, budget, missing, ...score }) => ({
        at: timeOf(at),
        max_tokens: budget,
        ...scoreRecord(score),
        ...(missing ? { missing: missingRecord(missing) } : {}),
      })),
    };
  },
});
