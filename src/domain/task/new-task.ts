import type { Task } from "./model.ts";

type Given = Pick<Task, "id" | "workflowId" | "developerId" | "name" | "description" | "sequence" | "status"> &
  Partial<Task>;

/** A task as it is at its beginning; what is not given is empty. */
export const newTask = (given: Given, now: number): Task => ({
  number: null,
  parallelGroup: null,
  waitingOn: 0,
  tail: 1,
  plan: null,
  context: {},
  outcome: null,
  outcomeDetail: null,
  error: null,
  complexity: null,
  files: [],
  capabilities: [],
  takenBy: null,
  fence: 0,
  worktreeId: null,
  startedAt: given.status === "active" ? now : null,
  endedAt: null,
  createdAt: now,
  updatedAt: now,
  version: 1,
  ...given,
});
