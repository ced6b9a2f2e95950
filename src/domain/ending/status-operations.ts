import type { TaskId } from "../../contract/ids.ts";
import { decideStep, getTaskToWrite, type StatusAsk, stepRefusal, takeStep } from "../task/operations.ts";
import { getTask } from "../task/queries.ts";
import type { Work } from "../work.ts";
import { endUnproven } from "./operations.ts";

/** Moves a task on, and ends it where that is where it goes. */
export async function changeTaskStatus(
  work: Work,
  id: TaskId,
  ask: StatusAsk & { fence?: number | undefined },
): Promise<void> {
  // Follows from dependencies, for everybody alike.
  if (ask.to === "blocked") throw stepRefusal(await getTask(work.db, id), "blocked", ask.say);
  const task = await getTaskToWrite(work, id, ask.fence);
  const step = await decideStep(work, task, ask);
  if (step.endedAt == null) await takeStep(work, task, step);
  else await endUnproven(work, task, step);
}
