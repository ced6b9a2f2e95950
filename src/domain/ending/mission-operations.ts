import type { WorkflowId } from "../../contract/ids.ts";
import { countChangedFiles } from "../evidence/operations.ts";
import type { Task } from "../task/model.ts";
import { listTasks } from "../task/queries.ts";
import type { Work } from "../work.ts";
import type { Closing } from "../workflow/brief-model.ts";
import { endMission } from "../workflow/brief-operations.ts";
import { listPhases } from "../workflow/brief-queries.ts";

interface MissionEnd {
  readonly missionId: WorkflowId;
  readonly phases: number;
  readonly tasks: readonly Task[];
  /** How many different files its tasks changed. */
  readonly filesChanged: number;
}

/** Ends a mission of the caller's with a word on how, and counts what it came to. Its open tasks stay as they are. */
export async function closeMission(work: Work, id: WorkflowId, closing: Omit<Closing, "at">): Promise<MissionEnd> {
  const { workflow } = await endMission(work, id, closing);
  return {
    missionId: workflow.id,
    phases: (await listPhases(work.db, id)).length,
    tasks: await listTasks(work.db, id, 10_000),
    filesChanged: await countChangedFiles(work, id),
  };
}
