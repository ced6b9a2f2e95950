import { z } from "zod";
import { WorkflowId } from "../../../contract/ids.ts";
import { planAsPerson } from "../../../domain/overlap/work-operations.ts";
import { defineTool } from "../../define.ts";
import { workstreamRecord } from "../../team/voice/work.ts";
import { aboutWork, Priority } from "../../team/voice/work-words.ts";
import { aimFrom, lookForLike } from "../../team/work-aim.ts";
import { confirmation, PlanRecord, plannedWork, planRecord } from "../voice/plan.ts";

const { session_id: _none, ...about } = aboutWork;

export default defineTool({
  name: "workstream_plan",
  family: "person",
  title: "Plan a workstream",
  summary: "Log a workstream for later as a person; where work like it is known, nothing happens until you confirm.",
  effect: "create",
  callers: ["agent"],
  input: z.object({ ...about, priority: Priority.optional(), ...confirmation }),
  output: PlanRecord.extend({
    workstream_id: WorkflowId.nullable(),
    workstream: plannedWork<ReturnType<typeof workstreamRecord>>(),
  }),
  routes: [{ method: "POST", path: "/api/workstreams" }],
  refusals: ["INVALID_INPUT"],
  examples: [{ title: "for later", input: { title: "Boarding passes for people who see badly" } }],
  observe: (input, look) => lookForLike(look, aimFrom("workstream", input)),
  async handle(input, work, like) {
    const { confirm: isConfirmed, confirmation_reason: reason } = input;
    const planned = await planAsPerson(work, { aim: aimFrom("workstream", input), isConfirmed, reason }, like);
    const record = await planRecord(work, planned);
    if (planned.kind !== "workstream") return { ...record, workstream_id: null, workstream: null };
    return { ...record, workstream_id: planned.planned.workstream.id, workstream: workstreamRecord(planned.planned) };
  },
});
