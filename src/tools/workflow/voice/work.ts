import { z } from "zod";
import { AgentId, NoteId, TaskId, TemplateId, WorkflowId, WorktreeId } from "../../../contract/ids.ts";
import { shortened } from "../../../contract/shortened.ts";
import { complexities, noteKinds, sourceTypes, worktreeStatuses } from "../../../contract/words.ts";
import type { Note } from "../../../domain/note/model.ts";
import type { Sight } from "../../../domain/person/viewer-model.ts";
import { type Task, TaskPlan } from "../../../domain/task/model.ts";
import type { TaskCounts } from "../../../domain/task/queries.ts";
import type { Template } from "../../../domain/template/model.ts";
import { Plan, type Workflow } from "../../../domain/workflow/model.ts";
import { isReady, type WorkflowWorktree } from "../../../domain/worktree/model.ts";
import { Time, timeOf, timeOrNull } from "../../time.ts";
import { sayWorkflow, statusOf, taskStatuses, workflowStatuses } from "./words.ts";

/** How this family writes workflows and what belongs to them. */

export const WorkflowStatus = z.enum(workflowStatuses);
export const TaskStatus = z.enum(taskStatuses);
export const Complexity = z.enum(complexities).describe("How hard it looks.");
export const Fence = z
  .number()
  .int()
  .min(0)
  .optional()
  .describe("The fencing number task_claim gave you; the call is refused if the task has a new holder.");
export const Names = z.array(z.string().trim().min(1).max(500)).max(1_000);

const WorkflowSummary = z.object({
  id: WorkflowId,
  name: z.string(),
  status: WorkflowStatus,
  source_type: z.enum(sourceTypes),
  source_ref: z.string().nullable(),
  repository_path: z.string().nullable(),
  max_parallel_tasks: z.number().int(),
  auto_create_workspaces: z.boolean(),
  plan_summary: z.string().nullable(),
  created_at: Time,
  updated_at: Time,
});

export const WorkflowLine = WorkflowSummary.extend({
  developer: z.string().describe("Owner of the workflow."),
  tasks_total: z.number().int().describe("How many tasks it has."),
  tasks_done: z.number().int().describe("How many of them are done or cancelled."),
});

const workflowSummary = (workflow: Workflow): z.input<typeof WorkflowSummary> => ({
  id: workflow.id,
  name: workflow.name,
  status: sayWorkflow(workflow.status),
  source_type: workflow.sourceType,
  source_ref: workflow.sourceRef,
  repository_path: workflow.repositoryPath,
  max_parallel_tasks: workflow.maxParallel,
  auto_create_workspaces: workflow.makesWorktrees,
  plan_summary: workflow.plan?.summary ?? null,
  created_at: timeOf(workflow.createdAt),
  updated_at: timeOf(workflow.updatedAt),
});

/** One of a list: of a private developer's only that there is one, and how it stands (WF30). */
export const workflowLine = (
  workflow: Workflow,
  sight: Sight,
  tasks: TaskCounts = { all: 0, done: 0 },
): z.input<typeof WorkflowLine> => {
  const summary = workflowSummary(workflow);
  return {
    ...summary,
    developer: sight.owner,
    tasks_total: tasks.all,
    tasks_done: tasks.done,
    name: sight.title(summary.name),
    source_ref: sight.value(summary.source_ref),
    repository_path: sight.value(summary.repository_path),
    plan_summary: sight.value(summary.plan_summary),
  };
};

const TaskRecord = z.object({
  id: TaskId,
  workflow_id: WorkflowId.nullable(),
  name: z.string(),
  description: z.string(),
  sequence: z.number().int(),
  parallel_group: z.string().nullable(),
  status: TaskStatus,
  estimated_complexity: Complexity.nullable(),
  files_likely_affected: z.array(z.string()),
  required_capabilities: z.array(z.string()),
  plan: TaskPlan.nullable(),
  context: z.record(z.string(), z.unknown()),
  outcome: z.string().nullable(),
  outcome_detail: z.record(z.string(), z.unknown()).nullable(),
  error: z.string().nullable(),
  claimed_by: AgentId.nullable(),
  fence: z.number().int().describe("Grows with every claim."),
  workspace_id: WorktreeId.nullable(),
  started_at: Time.nullable(),
  completed_at: Time.nullable(),
  created_at: Time,
  updated_at: Time,
});

export const taskRecord = (task: Task): z.input<typeof TaskRecord> => ({
  id: task.id,
  workflow_id: task.workflowId,
  name: task.name,
  description: task.description,
  sequence: task.sequence,
  parallel_group: task.parallelGroup,
  status: statusOf(task),
  estimated_complexity: task.complexity,
  files_likely_affected: task.files,
  required_capabilities: task.capabilities,
  plan: task.plan,
  context: task.context,
  outcome: task.outcome,
  outcome_detail: task.outcomeDetail,
  error: task.error,
  claimed_by: task.takenBy,
  fence: task.fence,
  workspace_id: task.worktreeId,
  started_at: timeOrNull(task.startedAt),
  completed_at: timeOrNull(task.endedAt),
  created_at: timeOf(task.createdAt),
  updated_at: timeOf(task.updatedAt),
});

/** With what comes before it, which is read apart. */
export const FullTask = TaskRecord.extend({
  depends_on: z.array(z.string()).describe("Names of the tasks that come first."),
});

const TaskBrief = z.object({
  id: TaskId,
  name: z.string(),
  description: z.string(),
  sequence: z.number().int(),
  parallel_group: z.string().nullable(),
  status: TaskStatus,
  claimed_by: AgentId.nullable(),
  depends_on: z.array(z.string()).describe("Names of the tasks that come first."),
  estimated_complexity: Complexity.nullable(),
  files_likely_affected: z.array(z.string()),
  required_capabilities: z.array(z.string()),
  started_at: Time.nullable(),
  completed_at: Time.nullable(),
  created_at: Time,
  updated_at: Time,
  summary: z.string().optional().describe("Outcome, or what it is about."),
});

export const taskBrief = (
  task: Task,
  ask: { dependsOn: readonly string[]; withSummary: boolean },
): z.input<typeof TaskBrief> => ({
  id: task.id,
  name: task.name,
  description: task.description,
  sequence: task.sequence,
  parallel_group: task.parallelGroup,
  status: statusOf(task),
  claimed_by: task.takenBy,
  depends_on: [...ask.dependsOn],
  estimated_complexity: task.complexity,
  files_likely_affected: task.files,
  required_capabilities: task.capabilities,
  started_at: timeOrNull(task.startedAt),
  completed_at: timeOrNull(task.endedAt),
  created_at: timeOf(task.createdAt),
  updated_at: timeOf(task.updatedAt),
  ...(ask.withSummary ? { summary: shortened(task.outcome ?? task.error ?? task.description, 200) } : {}),
});

export const WorkflowRecord = WorkflowSummary.extend({
  source_content: z.string(),
  status_reason: z.string().nullable(),
  plan: Plan.nullable(),
  tasks: z.array(TaskBrief).optional(),
});

export const workflowRecord = (workflow: Workflow): z.input<typeof WorkflowRecord> => ({
  ...workflowSummary(workflow),
  source_content: workflow.sourceContent,
  status_reason: workflow.statusReason,
  plan: workflow.plan,
});

export const CheckpointRecord = z.object({
  id: NoteId,
  task_id: TaskId.nullable(),
  type: z.enum(noteKinds),
  sequence: z.number().int(),
  summary: z.string(),
  detail: z.record(z.string(), z.unknown()).nullable(),
  files_changed: z.array(z.string()),
  superseded: z.boolean().describe("Belongs to a plan that was given up."),
  created_at: Time,
});

export const checkpointRecord = (note: Note): z.input<typeof CheckpointRecord> => ({
  id: note.id,
  task_id: note.taskId,
  type: note.kind,
  sequence: note.sequence,
  summary: note.summary,
  detail: note.detail,
  files_changed: note.files,
  superseded: note.isSuperseded,
  created_at: timeOf(note.createdAt),
});

export const WorkspaceRecord = z.object({
  id: WorktreeId,
  workflow_id: WorkflowId,
  path: z.string(),
  branch: z.string(),
  base_branch: z.string().nullable(),
  status: z.enum(worktreeStatuses),
  merge_commit: z.string().nullable(),
  repository_path: z.string().nullable(),
  ready: z.boolean().describe("Its folder is there to work in, as far as we know."),
  base_behind: z.number().int().nullable().describe("Commits the base lacks of its upstream; null if not known."),
  skipped_filters: z.array(z.string()).describe("Filters of the repository, such as lfs, that were not run."),
  problem: z.string().nullable().describe("Why the folder could not be made or removed."),
  task_ids: z.array(TaskId),
  created_at: Time,
  updated_at: Time,
});

export const workspaceRecord = (
  worktree: WorkflowWorktree,
  taskIds: readonly string[],
): z.input<typeof WorkspaceRecord> => ({
  id: worktree.id,
  workflow_id: worktree.workflowId,
  path: worktree.path,
  branch: worktree.branch,
  base_branch: worktree.baseBranch,
  status: worktree.status,
  merge_commit: worktree.mergeCommit,
  repository_path: worktree.repositoryPath,
  ready: isReady(worktree),
  base_behind: worktree.facts?.behind ?? null,
  skipped_filters: worktree.facts?.skippedFilters ?? [],
  problem: worktree.problem,
  task_ids: [...taskIds],
  created_at: timeOf(worktree.createdAt),
  updated_at: timeOf(worktree.updatedAt),
});

export const TemplateRecord = z.object({
  id: TemplateId,
  name: z.string(),
  description: z.string().nullable(),
  task_count: z.number().int(),
  template: z.object({
    tasks: z
      .array(
        z.object({
          name: z.string(),
          description: z.string(),
          sequence: z.number().int(),
          parallel_group: z.string().nullable(),
          depends_on: z.array(z.string()),
        }),
      )
      .describe("The first hundred, in short."),
    variables: z
      .array(
        z.object({ name: z.string(), description: z.string(), required: z.boolean(), default: z.string().optional() }),
      )
      .describe("Everything it asks for, declared or only used."),
  }),
  created_at: Time.nullable(),
  updated_at: Time.nullable(),
});

const mostTasksListed = 100;

export const templateRecord = (
  { id, name, description, definition, createdAt, updatedAt }: Template,
  variables: Template["definition"]["variables"],
): z.input<typeof TemplateRecord> => ({
  id,
  name,
  description,
  task_count: definition.tasks.length,
  template: {
    tasks: definition.tasks.slice(0, mostTasksListed).map((task) => ({
      name: task.name,
      description: shortened(task.description, 200),
      sequence: task.sequence,
      parallel_group: task.parallelGroup,
      depends_on: task.dependsOn,
    })),
    variables,
  },
  // What comes with the program or lies in a file has no time of its own.
  created_at: timeOrNull(createdAt || null),
  updated_at: timeOrNull(updatedAt || null),
});
