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
    return tell({ message: `The ${kind} is planned.`, data, next: `When you begin it, ${begin}.` });
  }
  return warn(id, {
    message: `The ${kind} is planned, but ${count(candidates.length, "piece")} of work may be the same.`,
    data,
    next: `Look at candidates: if one is the same work, give this up with covibe_${kind} cancel. Else, when you begin it, ${begin}.`,
  });
}
