import fc from "fast-check";
import { DeveloperId, TaskId, WorkflowId } from "../../src/contract/ids.ts";
import type { TaskContext } from "../../src/domain/context/task-context.ts";
import type { Note } from "../../src/domain/note/model.ts";
import type { Task } from "../../src/domain/task/model.ts";
import type { Workflow } from "../../src/domain/workflow/model.ts";
import { taskMission } from "./mission-samples.ts";
import { text } from "./text-samples.ts";

export { text };

const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { freq: 2 });
/** As real ids are: 26 random characters, which no tokenizer has words for. */
const id = (prefix: string) =>
  fc
    .string({ unit: fc.constantFrom(..."0123456789abcdefghjkmnpqrstvwxyz"), minLength: 26, maxLength: 26 })
    .map((random) => `${prefix}_${random}`);
const record = fc.dictionary(text(30), fc.oneof(text(2_000), fc.integer(), fc.array(text(40), { maxLength: 5 })), {
  maxKeys: 4,
});
const status = fc.constantFrom("planned", "preparing", "active", "paused", "done", "failed");

export const task: fc.Arbitrary<Task> = fc.record({
  id: id("tk").map((text) => TaskId.parse(text)),
  number: fc.constant(1),
  workflowId: fc.constant(WorkflowId.parse("wf_1")),
  developerId: fc.constant(DeveloperId.parse("dev_1")),
  name: text(200),
  description: fc.oneof(text(300), text(20_000)),
  sequence: fc.nat(50),
  parallelGroup: maybe(text(20)),
  status,
  waitingOn: fc.nat(2),
  tail: fc.constant(1),
  plan: maybe(
    fc.record({
      approach: text(3_000),
      steps: fc.array(text(400), { maxLength: 8 }),
      files_to_modify: fc.array(text(60)),
    }),
  ),
  context: record,
  outcome: maybe(fc.oneof(text(200), text(10_000))),
  outcomeDetail: maybe(record),
  error: maybe(text(3_000)),
  complexity: fc.constant(null),
  files: fc.constant([]),
  capabilities: fc.constant([]),
  takenBy: fc.constant(null),
  fence: fc.constant(0),
  worktreeId: fc.constant(null),
  startedAt: fc.constant(null),
  endedAt: fc.constant(null),
  createdAt: fc.constant(0),
  updatedAt: fc.constant(0),
  version: fc.constant(1),
});

const note = fc.record({
  id: id("cp"),
  workflowId: fc.constant("wf_1"),
  taskId: fc.constant("tk_1"),
  developerId: fc.constant("dev_1"),
  kind: fc.constantFrom("plan", "progress", "decision", "error", "recovery", "complete", "replan"),
  summary: fc.oneof(text(100), text(5_000)),
  detail: maybe(record),
  files: fc.array(text(80), { maxLength: 15 }),
  isSuperseded: fc.constant(false),
  needsHuman: fc.constant(false),
  resolvedAt: fc.constant(null),
  createdAt: fc.nat(),
});

const workflow = fc.record({
  id: id("wf"),
  kind: fc.constant("workflow"),
  developerId: fc.constant("dev_1"),
  name: text(200),
  status,
  statusReason: fc.constant(null),
  sourceType: fc.constant("github_issue"),
  sourceRef: fc.constant(null),
  sourceContent: fc.oneof(text(500), text(50_000)),
  repositoryPath: fc.constant(null),
  maxParallel: fc.integer({ min: 1, max: 1_000 }),
  makesWorktrees: fc.constant(false),
  endsWithTasks: fc.constant(false),
  plan: maybe(
    fc.record({ summary: text(5_000), approach: text(100), risks: fc.constant([]), assumptions: fc.constant([]) }),
  ),
  createdAt: fc.constant(0),
  updatedAt: fc.constant(0),
  version: fc.constant(1),
}) as fc.Arbitrary<Workflow>;

const share = fc
  .tuple(fc.array(task, { maxLength: 12 }), fc.nat(10_000))
  .map(([tasks, more]) => ({ tasks, total: tasks.length + more }));

/** Anything that can be found out about a task. */
export const taskContext: fc.Arbitrary<TaskContext> = fc
  .record({
    workflow: maybe(workflow),
    task,
    notes: fc.array(note, { maxLength: 25 }),
    files: fc.array(text(100), { maxLength: 80 }),
    prior: share,
    siblings: share,
    dependencies: share,
    unreadNotes: fc.nat(5_000),
    mission: fc.option(taskMission, { nil: undefined }),
  })
  .map(({ notes: plain, unreadNotes, files, ...rest }) => {
    const notes = plain.map((one, at) => ({ ...one, id: `${one.id}${at}`, sequence: unreadNotes + at + 1 })) as Note[];
    return {
      ...rest,
      notes,
      noteCount: notes.length + unreadNotes,
      highlights: notes.filter((one) => one.kind === "error" || one.kind === "decision").slice(-5),
      decisionCount: notes.filter(({ kind }) => kind === "decision").length,
      files: [...new Set(files)],
      fileCount: new Set(files).size,
    };
  });

export const include = fc.record({
  workflow_plan: fc.boolean(),
  workflow_summary: fc.boolean(),
  prior_task_outcomes: fc.boolean(),
  prior_task_full: fc.boolean(),
  sibling_status: fc.boolean(),
  dependency_outcomes: fc.boolean(),
  all_checkpoints: fc.boolean(),
  recent_checkpoints: fc.nat(10),
});
