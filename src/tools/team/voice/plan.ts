import type { Planned } from "../../../domain/overlap/work-operations.ts";
import type { Work } from "../../../domain/work.ts";
import { type TeamTold, tell, warn } from "./answer.ts";
import { count } from "./gate.ts";
import { overlapRecord, taskRecord, workstreamRecord } from "./work.ts";

export async function sayPlanned(work: Work, planned: Planned): Promise<TeamTold> {
  const { kind, warning, candidates } = planned;
  const record = kind === "task" ? taskRecord(planned.planned) : workstreamRecord(planned.planned);
  const id = kind === "task" ? planned.planned.task.id : planned.planned.workstream.id;
  const data = {
    [`${kind}_id`]: id,
    ...(kind === "task" ? { workstream_id: planned.workstreamId } : {}),
    [kind]: record,
    warning_id: warning?.id ?? null,
    ...(await overlapRecord(work, planned)),
  };
  const begin = `call covibe_${kind} with operation check, its title and planned_${kind}_id ${id}, then start_planned`;
  if (candidates.length === 0) {
    const { message, look } = sayPlanFound(planned);
    return tell({ message: `The ${kind} is planned.${message}`, data, next: `${look}When you start it, ${begin}.` });
  }
  return warn(id, {
    message: `The ${kind} is planned. ${count(candidates.length, "possible duplicate")} found.`,
    data,
    next: `Read candidates: if one is the same work, cancel this one with covibe_${kind} cancel. Otherwise, when you start it, ${begin}.`,
  });
}

/** Below the threshold a plan says only that there is something to read. */
const sayPlanFound = ({ matches, nearest }: Planned): { message: string; look: string } =>
  matches.length + nearest.length === 0
    ? { message: "", look: "" }
    : { message: " No close match.", look: "Read matches and nearest: one may be the same work in other words. " };
