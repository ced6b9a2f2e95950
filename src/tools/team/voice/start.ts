import type { TeamTask } from "../../../domain/intent/operations.ts";
import type { TeamWorkstream } from "../../../domain/intent/workstream-operations.ts";
import type { Started } from "../../../domain/overlap/start-operations.ts";
import type { Work } from "../../../domain/work.ts";
import { tell } from "./answer.ts";
import { overlapRecord, taskRecord, workstreamRecord } from "./work.ts";

export async function sayTaskStarted(work: Work, result: Started<TeamTask>) {
  const { task } = result.started;
  return tell({
    message: "Task started.",
    data: {
      task_id: task.id,
      workstream_id: task.workflowId,
      task: taskRecord(result.started),
      ...(await startRecord(work, result)),
    },
    next: `When it is done, call covibe_task with operation complete, task_id ${task.id} and result_summary.`,
  });
}

export async function sayWorkstreamStarted(work: Work, result: Started<TeamWorkstream>) {
  const { workstream } = result.started;
  return tell({
    message: "Workstream started.",
    data: {
      workstream_id: workstream.id,
      workstream: workstreamRecord(result.started),
      ...(await startRecord(work, result)),
    },
    next: `Call covibe_task with operation check for its first task, then start it with workstream_id ${workstream.id}.`,
  });
}

async function startRecord(work: Work, { check, settlement, matches, conflicts }: Started<unknown>) {
  const { matches: shown, file_conflicts } = await overlapRecord(work, {
    candidates: [],
    matches,
    nearest: [],
    conflicts,
  });
  return {
    check_id: check.id,
    warning_id: check.warningId,
    warning_status: check.requiresVerdict ? (settlement.status === "void" ? "dismissed" : settlement.status) : null,
    matches: shown,
    file_conflicts,
  };
}
