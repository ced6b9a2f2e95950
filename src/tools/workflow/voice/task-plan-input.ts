import { z } from "zod";
import { Names } from "./work.ts";

/** How an agent means to do a task. */
export const TaskPlanInput = z.strictObject({
  approach: z.string().trim().min(1).max(20_000).describe("How it will be done."),
  steps: z.array(z.string().min(1).max(5_000)).max(500).describe("One after the other."),
  files_to_modify: Names.optional().describe("Files that will change."),
  files_to_create: Names.optional().describe("Files that will be new."),
});
