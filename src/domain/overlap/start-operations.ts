import { isIdOf, type ScopeCheckId, type TaskId, type WarningId, type WorkflowId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { Aim, Intent } from "../intent/model.ts";
import {
  activateTask,
  aimOfTask,
  getNamedContainer,
  getPlannedTask,
  makeTask,
  type TeamTask,
} from "../intent/operations.ts";
import { findIntent } from "../intent/queries.ts";
import {
  activateWorkstream,
  aimOfWorkstream,
  getPlannedWorkstream,
  makeWorkstream,
  type TeamWorkstream,
} from "../intent/workstream-operations.ts";
import { findTask } from "../task/queries.ts";
import { channelsOf, stepEvent } from "../task/step-operations.ts";
import type { Work } from "../work.ts";
import { findWorkflow } from "../workflow/queries.ts";
import { channelsOf as workstreamChannelsOf, workstreamEvent } from "../workflow/workstream-operations.ts";
import { type FileConflict, listFileConflicts } from "./conflict-operations.ts";
import { chooseContainer } from "./container-operations.ts";
import type { Found } from "./detect-operations.ts";
import { type Blocked, type Passed, passGate, settleGate } from "./gate-operations.ts";
import type { ScopeCheckProblem, VerdictProblem } from "./gate-rules.ts";
import type { Judgement, ScopeCheck } from "./model.ts";
import type { LikeWork } from "./port.ts";
import type { Settlement } from "./warning-operations.ts";
import { completeAim } from "./work-operations.ts";

export type { Blocked, ScopeCheckProblem, VerdictProblem };

/** What a start brings along. */
export interface StartKeys {
  readonly checkId: ScopeCheckId | undefined;
  readonly verdicts: readonly Judgement[] | undefined;
  readonly warningId: WarningId | undefined;
  readonly confirmationReason: string | undefined;
}

export type Started<Record> = {
  readonly kind: "started";
  readonly started: Record;
  readonly check: ScopeCheck;
  readonly settlement: Settlement;
  readonly matches: readonly Found[];
  readonly conflicts: readonly FileConflict[];
};

/** Begins a task at once, through the gate. */
export async function startTask(
  work: Work,
  ask: { aim: Aim; keys: StartKeys; workstreamId: WorkflowId | undefined },
  like: LikeWork,
): Promise<Started<TeamTask> | Blocked> {
  const aim = await completeAim(work, ask.aim);
  const named = ask.workstreamId && (await getNamedContainer(work, ask.workstreamId));
  const passed = await passGate(work, gateAsk(aim, null, ask.keys), like);
  if (passed.kind !== "passed") return passed;
  const conflicts = await listFileConflicts(work, aim, null);
  const container = named ?? (await chooseContainer(work, aim, like, passed.detection.matches));
  const made = await makeTask(work, aim, { status: "active", container });
  recordStart(work, made, { checkId: passed.check.id, wasPlanned: false });
  return finish(work, passed, { subjectId: made.task.id, started: made, conflicts });
}

/** Begins a planned task, through the same gate. */
export async function startPlannedTask(
  work: Work,
  ask: { id: TaskId; sessionId: Intent["sessionId"]; keys: StartKeys },
  like: LikeWork,
): Promise<Started<TeamTask> | Blocked> {
  const planned = await getPlannedTask(work, ask.id);
  const aim = await completeAim(work, { ...aimOfTask(planned), sessionId: ask.sessionId });
  const passed = await passGate(work, gateAsk(aim, ask.id, ask.keys), like);
  if (passed.kind !== "passed") return passed;
  const conflicts = await listFileConflicts(work, aim, ask.id);
  const started = await activateTask(work, planned, aim.sessionId);
  recordStart(work, started, { checkId: passed.check.id, wasPlanned: true });
  return finish(work, passed, { subjectId: ask.id, started, conflicts });
}

function recordStart(
  work: Work,
  { task, intent }: TeamTask,
  ask: { checkId: ScopeCheckId; wasPlanned: boolean },
): void {
  const data = { workflow_id: task.workflowId, title: task.name, task_type: intent?.taskType ?? null };
  const event = stepEvent.started(
    task.id,
    { ...data, check_id: ask.checkId, was_planned: ask.wasPlanned },
    channelsOf(task),
  );
  work.record(event);
}

/** Begins a workstream at once, through the gate. */
export async function startWorkstream(
  work: Work,
  ask: { aim: Aim; keys: StartKeys },
  like: LikeWork,
): Promise<Started<TeamWorkstream> | Blocked> {
  const aim = await completeAim(work, ask.aim);
  const passed = await passGate(work, gateAsk(aim, null, ask.keys), like);
  if (passed.kind !== "passed") return passed;
  const started = await makeWorkstream(work, aim, "active");
  const { workstream } = started;
  work.record(
    workstreamEvent.started(
      workstream.id,
      { title: workstream.name, check_id: passed.check.id },
      workstreamChannelsOf(workstream),
    ),
  );
  return finish(work, passed, { subjectId: workstream.id, started, conflicts: [] });
}

/** Begins a planned workstream, through the same gate. */
export async function startPlannedWorkstream(
  work: Work,
  ask: { id: WorkflowId; sessionId: Intent["sessionId"]; keys: StartKeys },
  like: LikeWork,
): Promise<Started<TeamWorkstream> | Blocked> {
  const planned = await getPlannedWorkstream(work, ask.id);
  const aim = await completeAim(work, { ...aimOfWorkstream(planned), sessionId: ask.sessionId });
  const passed = await passGate(work, gateAsk(aim, ask.id, ask.keys), like);
  if (passed.kind !== "passed") return passed;
  const started = await activateWorkstream(work, planned, aim.sessionId);
  const { workstream } = started;
  work.record(
    workstreamEvent.startPlanned(
      workstream.id,
      { title: workstream.name, check_id: passed.check.id },
      workstreamChannelsOf(workstream),
    ),
  );
  return finish(work, passed, { subjectId: workstream.id, started, conflicts: [] });
}

async function finish<Record>(
  work: Work,
  passed: Passed,
  done: { subjectId: string; started: Record; conflicts: readonly FileConflict[] },
): Promise<Started<Record>> {
  const settlement = await settleGate(work, passed, done.subjectId);
  const { started, conflicts } = done;
  return { kind: "started", started, check: passed.check, settlement, matches: passed.detection.matches, conflicts };
}

const isTask = isIdOf("task");
const isWorkflow = isIdOf("workflow");

/** What planned work is about, for looking around before it is started; undefined where there is none. */
export async function readPlannedAim(db: Db, id: string): Promise<Aim | undefined> {
  const task = isTask(id) ? await findTask(db, id) : undefined;
  if (task) return aimOfTask({ task, intent: await findIntent(db, id) });
  const workstream = isWorkflow(id) ? await findWorkflow(db, id) : undefined;
  return workstream && aimOfWorkstream({ workstream, intent: await findIntent(db, id) });
}

const gateAsk = (aim: Aim, plannedId: string | null, { checkId, ...keys }: StartKeys) => ({
  aim,
  plannedId,
  checkId,
  keys,
});
