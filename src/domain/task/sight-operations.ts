import type { TaskId, WorkflowId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import { agentIdsOf } from "../agent/queries.ts";
import type { Viewer } from "../person/viewer-model.ts";
import { readViewer } from "../person/viewer-queries.ts";
import type { Work } from "../work.ts";
import type { Workflow } from "../workflow/model.ts";
import { getWorkflow } from "../workflow/queries.ts";
import type { Task } from "./model.ts";
import { getTask, holdsAnyIn } from "./queries.ts";

type Reader = Pick<Work, "db" | "caller">;

/**
 * A workflow as this caller may read it. Somebody private's is unknown to all who hold no task of it, although its id
 * stands in lists (ID24).
 */
export async function getSeenWorkflow(work: Reader, id: WorkflowId): Promise<Workflow> {
  const workflow = await getWorkflow(work.db, id);
  if (await seesWorkflow(work, workflow)) return workflow;
  throw new Refusal("WORKFLOW_NOT_FOUND", "No workflow has that id.");
}

export async function seesWorkflow(work: Reader, workflow: Workflow): Promise<boolean> {
  if ((await readViewer(work)).knows(workflow)) return true;
  return holdsAnyIn(work.db, workflow.id, agentIdsOf(work.db, work.caller.developerId));
}

/** The same for a task: it is known to whoever has it in hand. */
export async function getSeenTask(work: Reader, id: TaskId): Promise<Task> {
  const task = await getTask(work.db, id);
  if ((await readViewer(work)).knows(task)) return task;
  const own = agentIdsOf(work.db, work.caller.developerId);
  if (task.workflowId !== null && (await holdsAnyIn(work.db, task.workflowId, own, id))) return task;
  throw new Refusal("TASK_NOT_FOUND", "No task has that id.");
}

/** A task of somebody private's in work that is not: that it is there, and nothing that they wrote. */
export function concealTask(task: Task, viewer: Viewer, workflow: Workflow): Task {
  const sight = viewer.of(task);
  if (!sight.isHidden || viewer.isSelf(workflow.developerId)) return task;
  return {
    ...task,
    name: sight.title(task.name),
    description: "",
    plan: null,
    context: {},
    outcome: null,
    outcomeDetail: null,
    error: null,
    files: [],
    capabilities: [],
  };
}
