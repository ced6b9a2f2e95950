import { z } from "zod";
import { boardColumns, columnNames, columnOf } from "../../../contract/board.ts";
import { AgentId, TaskId, WorkflowId, type WorktreeId } from "../../../contract/ids.ts";
import { lifecycle } from "../../../contract/lifecycle.ts";
import { findAgent } from "../../../domain/agent/queries.ts";
import { readAgentNames, readResults } from "../../../domain/evidence/queries.ts";
import { listIntents } from "../../../domain/intent/queries.ts";
import type { Lifecycle } from "../../../domain/lifecycle.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { isWaiting } from "../../../domain/task/model.ts";
import { listBoard } from "../../../domain/task/queries.ts";
import { findWorkflow } from "../../../domain/workflow/queries.ts";
import { getWorktree } from "../../../domain/worktree/queries.ts";
import { defineTool } from "../../define.ts";
import { ResultRecord, resultRecord } from "../../workflow/voice/result.ts";

export default defineTool({
  name: "task_list",
  family: "person",
  title: "List tasks",
  summary: "See the tasks of every workflow as the board shows them, last changed first.",
  effect: "read",
  callers: ["agent"],
  input: z.object({
    column: z.enum(columnNames).optional().describe("Only of this column."),
    status: z.array(z.enum(lifecycle)).min(1).max(8).optional().describe("Only with these statuses."),
    workflow_id: WorkflowId.optional().describe("Only of this workflow."),
    id: TaskId.optional().describe("Only this task."),
    limit: z.number().int().min(1).max(500).default(50).describe("At most this many."),
    offset: z.number().int().min(0).default(0).describe("Skip this many."),
  }),
  output: z.object({
    tasks: z.array(
      z.object({
        id: TaskId,
        number: z.number().int().describe("What people call it by at the command line."),
        name: z.string(),
        column: z.string(),
        status: z.enum(lifecycle),
        workflow_id: WorkflowId.nullable(),
        workflow: z.string().nullable().describe("The workflow's name."),
        claimed_by: AgentId.nullable().describe("The agent that has taken it or started it in its session."),
        holder: z.string().nullable().describe("The name of that agent."),
        holder_developer: z.string().nullable().describe("The owner of that agent."),
        runtime: z.string().nullable().describe("The program that agent runs in."),
        holder_status: z.string().nullable().describe("Whether that agent is alive."),
        developer: z.string().describe("Its owner."),
        repository: z.string().nullable().describe("The path of the repository it is in."),
        branch: z.string().nullable().describe("The branch of its worktree."),
        result: ResultRecord,
        created_at: z.string(),
        updated_at: z.string(),
      }),
    ),
  }),
  routes: [{ method: "GET", path: "/api/tasks" }],
  refusals: [],
  examples: [{ title: "what is under way", input: { column: "active" } }],
  async handle(input, work) {
    const { column, status } = input;
    const inColumn: readonly Lifecycle[] | undefined = column && boardColumns[column];
    const statuses = status ? status.filter((one) => inColumn?.includes(one) ?? true) : inColumn;
    if (statuses?.length === 0) return { tasks: [] };
    const tasks = await listBoard(work.db, {
      id: input.id,
      workflowId: input.workflow_id,
      statuses,
      isWaiting: column === "blocked" ? true : column === "planned" ? false : undefined,
      limit: input.limit,
      offset: input.offset,
    });
    const results = await readResults(work.db, tasks);
    const viewer = await readViewer(work);
    const workflowOf = remember((id: WorkflowId) => findWorkflow(work.db, id));
    const agentOf = remember((id: AgentId) => findAgent(work.db, id));
    const worktreeOf = remember((id: WorktreeId) => getWorktree(work.db, id));
    const ids = tasks.map(({ id }) => id);
    const intents = await listIntents(work.db, ids);
    const names = await readAgentNames(work.db, ids);
    const rows = [];
    for (const task of tasks) {
      const sight = viewer.of(task);
      const workflow = await workflowOf(task.workflowId);
      const intent = intents.get(task.id);
      // What a session starts is its own although nobody took it from a queue; what it only planned is not.
      const holderId = task.takenBy ?? (task.status === "planned" ? null : (intent?.sessionId ?? null));
      const holder = await agentOf(holderId);
      // Somebody private may have taken a task that is not theirs.
      const held = holder === undefined ? sight : viewer.of(task, holder);
      const worktree = await worktreeOf(task.worktreeId);
      rows.push({
        id: task.id,
        number: task.number ?? 0,
        name: sight.title(task.name),
        column: columnOf(task.status, isWaiting(task)),
        status: task.status,
        workflow_id: task.workflowId,
        workflow: sight.title(workflow?.name ?? null),
        claimed_by: holderId,
        holder: held.title(holder?.name ?? names.get(task.id) ?? null),
        holder_developer: holder === undefined ? null : held.isHidden ? held.owner : viewer.nameOf(holder.developerId),
        runtime: held.value(holder?.runtime ?? null),
        holder_status: held.value(holder?.status ?? null),
        developer: sight.owner,
        repository: sight.value(workflow?.repositoryPath ?? intent?.repo ?? null),
        branch: sight.value(worktree?.branch ?? intent?.branch ?? null),
        result: sight.value(resultRecord(results.get(task.id))),
        created_at: new Date(task.createdAt).toISOString(),
        updated_at: new Date(task.updatedAt).toISOString(),
      });
    }
    return { tasks: rows };
  },
});

/** Many tasks of a board share a few workflows and agents; each is read once. */
function remember<Id, T>(find: (id: Id) => Promise<T>): (id: Id | null) => Promise<T | undefined> {
  const known = new Map<Id, T>();
  return async (id) => {
    if (id === null) return undefined;
    if (!known.has(id)) known.set(id, await find(id));
    return known.get(id);
  };
}
