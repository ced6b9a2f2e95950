import { z } from "zod";
import { defineTool } from "../define.ts";
import { aimFrom, lookForLike } from "../team/work-aim.ts";
import { aboutWork, Priority } from "../team/work-words.ts";
import { confirmation, PlanRecord, planAsked, tellPlan } from "./plan-voice.ts";

const { session_id: _none, ...about } = aboutWork;

export default defineTool({
  name: "workstream_plan",
  family: "house",
  title: "Plan a workstream",
  summary: "Log a workstream for later as a person; where work like it is known, nothing happens until you confirm.",
  effect: "create",
  callers: ["agent"],
  input: z.object({ ...about, priority: Priority.optional(), ...confirmation }),
  output: PlanRecord,
  refusals: ["INVALID_INPUT"],
  examples: [{ title: "for later", input: { title: "Boarding passes for people who see badly" } }],
  observe: (input, look) => lookForLike(look, aimFrom("workstream", input)),
  async handle(input, work, like) {
    const planned = await planAsked(work, { aim: aimFrom("workstream", input) }, like, input);
    return tellPlan(work, planned, input.confirmation_reason);
  },
});
