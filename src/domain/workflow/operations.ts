import type { WorkflowId } from "../../contract/ids.ts";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Lifecycle } from "../lifecycle.ts";
import { normaliseRepositoryPath } from "../project/operations.ts";
import type { Work } from "../work.ts";
import { briefEvent } from "./brief-events.ts";
import { reopenBrief } from "./brief-store.ts";
import { workflowEvent } from "./events.ts";
import type { Plan, Workflow } from "./model.ts";
import { getWorkflow } from "./queries.ts";
import { checkWorkflowOwner, checkWorkflowStep, isUnderWay } from "./rules.ts";
import { insertWorkflow, saveWorkflow } from "./store.ts";

export { isUnderWay };

type NewWorkflow = Pick<
  Workflow,
  "kind" | "name" | "sourceType" | "sourceRef" | "sourceContent" | "repositoryPath" | "maxParallel" | "makesWorktrees"
>;

export async function createWorkflow(work: Work, ask: NewWorkflow): Promise<Workflow> {
  const workflow: Workflow = {
    ...ask,
    repositoryPath: ask.repositoryPath === null ? null : normaliseRepositoryPath(ask.repositoryPath),
    id: work.newId("workflow"),
    developerId: work.caller.developerId,
    status: "planned",
    statusReason: null,
    endsWithTasks: false,
    plan: null,
    createdAt: work.now,
    updatedAt: work.now,
    version: 1,
  };
  await insertWorkflow(work.db, workflow);
  const { kind, name, status } = workflow;
  work.record(workflowEvent.created(workflow.id, { kind, name, status }));
  return workflow;
}

/** A workflow of the caller's own, or a refusal. */
export async function getOwnWorkflow(work: Pick<Work, "db" | "caller">, id: WorkflowId): Promise<Workflow> {
  const workflow = await getWorkflow(work.db, id);
  checkWorkflowOwner(workflow, work.caller);
  return workflow;
}

export async function changeWorkflowStatus(
  work: Work,
  id: WorkflowId,
  ask: { to: Lifecycle; reason: string | null; say: (status: Lifecycle) => string },
): Promise<void> {
  const workflow = await getOwnWorkflow(work, id);
  checkWorkflowStep(workflow, ask.to, ask.say);
  await saveWorkflow(work.db, workflow, { status: ask.to, statusReason: ask.reason, updatedAt: work.now });
  if (ask.to === "active") await reopenBrief(work.db, id);
  announceStep(work, workflow, ask.to);
}

/** Tells everybody where a workflow stands now; a mission's watchers wait for a name of their own. */
export function announceStep(work: Work, { id, kind, status }: Workflow, to: Lifecycle): void {
  work.record(workflowEvent.statusChanged(id, { from: status, to }));
  if (kind === "mission") work.record(briefEvent.statusChanged(id, { status: to }, [`workflow:${id}`]));
}

/** Takes a plan, once; the caller adds its tasks in the same transaction. */
export async function acceptPlan(work: Work, id: WorkflowId, plan: Plan, taskCount: number): Promise<Workflow> {
  const workflow = await getOwnWorkflow(work, id);
  if (workflow.status !== "planned") {
    throw new Refusal(
      "INVALID_STATE",
      "A plan is set once, while the workflow is being planned.",
      nextStep("changeTasks"),
    );
  }
  await saveWorkflow(work.db, workflow, { plan, status: "preparing", updatedAt: work.now });
  work.record(workflowEvent.planSet(id, { status: "preparing", tasks: taskCount }));
  return workflow;
}

export async function setParallelism(
  work: Work,
  id: WorkflowId,
  ask: { maxParallel: number; makesWorktrees: boolean | undefined },
): Promise<void> {
  const workflow = await getOwnWorkflow(work, id);
  await saveWorkflow(work.db, workflow, {
    maxParallel: ask.maxParallel,
    updatedAt: work.now,
    ...(ask.makesWorktrees === undefined ? {} : { makesWorktrees: ask.makesWorktrees }),
  });
  work.record(workflowEvent.parallelismSet(id, { max_parallel_tasks: ask.maxParallel }));
}
