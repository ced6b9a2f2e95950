import { type DeveloperId, isIdOf, type TaskId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import { checkTokenRight, getKnownDeveloper } from "../person/operations.ts";
import { readViewer } from "../person/viewer-queries.ts";
import { findTask, getTask } from "../task/queries.ts";
import type { Work } from "../work.ts";
import type { Budget } from "./budget-model.ts";
import { decideLimit, decideSpending } from "./budget-rules.ts";
import { findBudget, insertBudget, listLimited, listUntold, saveBudget } from "./budget-store.ts";
import { budgetEvent } from "./events.ts";
import { dollarsOf } from "./money-model.ts";

interface Owned {
  readonly kind: Budget["kind"];
  readonly subjectId: Budget["subjectId"];
  /** Whose it is: of a task, the one who made it. */
  readonly owner: DeveloperId;
}

/** Counts a cost for the developer and the task; each has one row, so no sum is ever taken over all their spans. */
export async function spend(work: Work, subjects: readonly Owned[], nanos: number): Promise<Budget[]> {
  const passed: Budget[] = [];
  for (const subject of subjects) {
    const budget = await openBudget(work, subject);
    const changes = decideSpending(budget, { nanos, by: work.caller.developerId }, work.now);
    const saved = await saveBudget(work.db, budget, changes);
    if (budget.passedAt !== null || saved.passedAt === null) continue;
    passed.push(saved);
    work.record(
      budgetEvent.passed(saved.subjectId, { ...dataOf(saved, subject), spent_usd: dollarsOf(saved.spentNanos) }),
    );
  }
  return passed;
}

/** Sets or lifts a limit: people their own and their tasks', the owner everybody's. */
export async function setBudget(
  work: Work,
  ask: { developer: string | undefined; taskId: TaskId | undefined; limitNanos: number | null },
): Promise<Budget> {
  const subjects = await findSubjects(work, ask);
  for (const { owner } of subjects) checkTokenRight(work.caller, owner);
  const [subject, ...more] = subjects;
  if (!subject || more.length > 0) {
    throw new Refusal("INVALID_INPUT", "A budget is for a developer or for a task.", "Name exactly one of the two.");
  }
  const budget = await openBudget(work, subject);
  const saved = await saveBudget(work.db, budget, decideLimit(budget, { ...ask, owner: subject.owner }, work.now));
  work.record(budgetEvent.set(saved.subjectId, dataOf(saved, subject)));
  return saved;
}

async function findSubjects(
  work: Work,
  { developer, taskId }: { developer: string | undefined; taskId: TaskId | undefined },
): Promise<Owned[]> {
  const task = taskId === undefined ? undefined : await getTask(work.db, taskId);
  const person = developer === undefined ? undefined : await getKnownDeveloper(work, developer);
  return [
    ...(task ? [{ kind: "task" as const, subjectId: task.id, owner: task.developerId }] : []),
    ...(person ? [{ kind: "developer" as const, subjectId: person.id, owner: person.id }] : []),
  ];
}

async function openBudget(work: Work, { kind, subjectId }: Owned): Promise<Budget> {
  const found = await findBudget(work.db, subjectId);
  if (found) return found;
  const { now } = work;
  const none = { limitNanos: null, passedAt: null, passedBy: null, warnedAt: null };
  const budget: Budget = { subjectId, kind, spentNanos: 0, ...none, createdAt: now, updatedAt: now, version: 1 };
  await insertBudget(work.db, budget);
  return budget;
}

/** The limits the caller has passed and was not told of; from now on they count as told. */
export async function takePassedBudgets(work: Work): Promise<Budget[]> {
  const untold = await listUntold(work.db, work.caller.developerId);
  for (const budget of untold) await saveBudget(work.db, budget, { warnedAt: work.now });
  return untold;
}

interface BudgetLine extends Budget {
  /** A developer's handle or a task's name. */
  readonly label: string;
}

const isTask = isIdOf("task");

const mostBudgets = 1_000;

/** The budgets the caller may see: their own and their tasks', the owner all but those of private people (BU6). */
export async function listBudgets(work: Work): Promise<BudgetLine[]> {
  const viewer = await readViewer(work);
  const lines: BudgetLine[] = [];
  for (const budget of await listLimited(work.db, mostBudgets)) {
    const { subjectId } = budget;
    const task = isTask(subjectId) ? await findTask(work.db, subjectId) : undefined;
    const ownerId = isTask(subjectId) ? task?.developerId : subjectId;
    if (ownerId === undefined || !viewer.knows({ developerId: ownerId })) continue;
    if (work.caller.role !== "owner" && ownerId !== work.caller.developerId) continue;
    lines.push({ ...budget, label: task?.name ?? viewer.nameOf(ownerId) });
  }
  return lines;
}

const dataOf = (budget: Budget, { kind, owner }: Owned) => ({
  kind,
  developer_id: owner,
  limit_usd: budget.limitNanos === null ? null : dollarsOf(budget.limitNanos),
});
