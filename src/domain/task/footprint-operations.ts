import type { SystemWork } from "../work.ts";
import type { Footprint } from "./footprint-model.ts";
import { saveFootprint } from "./footprint-store.ts";
import { findTask } from "./queries.ts";

/** Keeps an estimate of the server's own; nobody did anything, so nothing is told of it. */
export async function noteFootprint(work: SystemWork, footprint: Omit<Footprint, "madeAt">): Promise<void> {
  const task = await findTask(work.db, footprint.taskId);
  if (task?.status === "planned") await saveFootprint(work.db, { ...footprint, madeAt: work.now });
}
