import type { TaskId } from "../../contract/ids.ts";

/** A file that a task will touch, with how likely that is. */
export interface ProbableFile {
  readonly path: string;
  /** From 0 to 1. */
  readonly probability: number;
}

/** Where a planned task will most likely work. */
export interface Footprint {
  readonly taskId: TaskId;
  readonly repositoryPath: string;
  readonly files: readonly ProbableFile[];
  readonly madeAt: number;
}
