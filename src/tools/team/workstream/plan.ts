import { z } from "zod";
import { planWork } from "../../../domain/overlap/work-operations.ts";
import { defineTool } from "../../define.ts";
import { TeamAnswer } from "../voice/answer.ts";
import { sayPlanned } from "../voice/plan.ts";
import { aboutWork, Priority } from "../voice/work-words.ts";
import { aimFrom, lookForLike } from "../work-aim.ts";

export default defineTool({
  name: "plan",
  family: "team",
  title: "Plan a workstream",
  summary: "Log a workstream for later; overlap is told, and kept as a warning.",
  keywords: "create add new epic group of tasks large body",
  effect: "create",
  callers: ["agent"],
  input: z.object({ ...aboutWork, priority: Priority.optional() }),
  output: TeamAnswer,
  refusals: ["SESSION_NOT_FOUND", "FORBIDDEN", "INVALID_STATE"],
  examples: [{ title: "for later", input: { title: "Timetables for the winter season", session_id: "$session" } }],
  observe: (input, look) => lookForLike(look, aimFrom("workstream", input)),
  async handle(input, work, like) {
    return sayPlanned(work, await planWork(work, { aim: aimFrom("workstream", input) }, like));
  },
});
