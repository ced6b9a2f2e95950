import { z } from "zod";
import type { TaskEvidence } from "../../../domain/evidence/model.ts";
import type { Lifecycle } from "../../../domain/lifecycle.ts";
import type { Note } from "../../../domain/note/model.ts";
import type { Task } from "../../../domain/task/model.ts";
import type { Brief, Phase } from "../../../domain/workflow/brief-model.ts";
import type { AnyMission } from "../../../domain/workflow/brief-operations.ts";
import { Time, timeOf } from "../../time.ts";

export { Time, timeOf };

/** How this family writes its records: upper-case status words, lists newest first, ISO times. */

export const Name = z.string().trim().min(1).max(200);
export const Lines = z.array(z.string().max(5_000)).max(200);

/** Which workflows are missions in that state; what is over is not blocked any more. */
export const missionFilters = {
  PENDING: { statuses: ["planned"], isBlocked: false },
  IN_PROGRESS: { statuses: ["preparing", "active", "paused", "blocked"], isBlocked: false },
  BLOCKED: { statuses: ["planned", "preparing", "active", "paused", "blocked"], isBlocked: true },
  COMPLETED: { statuses: ["done"] },
  FAILED: { statuses: ["failed", "cancelled"] },
} as const satisfies Record<string, { statuses: readonly Lifecycle[]; isBlocked?: boolean }>;

export const MissionStatus = z.enum(
  Object.keys(missionFilters) as [keyof typeof missionFilters, ...(keyof typeof missionFilters)[]],
);

/** BLOCKED while an issue that needs a person is open (MI4); a partial end is an end. */
export function missionStatus({ workflow, brief }: AnyMission, hasOpenIssue: boolean): string {
  if (brief?.closing) return brief.closing.status === "failed" ? "FAILED" : "COMPLETED";
  if (workflow.status === "done") return "COMPLETED";
  if (workflow.status === "failed" || workflow.status === "cancelled") return "FAILED";
  if (hasOpenIssue) return "BLOCKED";
  return workflow.status === "planned" ? "PENDING" : "IN_PROGRESS";
}

/** How an ended mission ended: a partial end shows as COMPLETED, and here as what it was (MI19). */
export const MissionEnd = z.object({
  outcome: z.enum(["completed", "failed", "partial"]),
  summary: z.string(),
  achievements: z.array(z.string()),
  limitations: z.array(z.string()),
  completed_at: Time,
});

export function missionEnd(brief: Brief | undefined): z.input<typeof MissionEnd> | undefined {
  if (!brief?.closing) return undefined;
  const { status, summary, achievements, limitations, at } = brief.closing;
  return { outcome: status, summary, achievements, limitations, completed_at: timeOf(at) };
}

const phaseWords: Partial<Record<Lifecycle, string>> = { planned: "PENDING", done: "COMPLETED", failed: "FAILED" };

export const phaseStatus = (phase: Pick<Phase, "status">): string => phaseWords[phase.status] ?? "IN_PROGRESS";

export function taskStatus(task: Task, evidence: TaskEvidence | undefined): string {
  if (task.status === "failed") return "FAILED";
  if (task.status === "done") return evidence?.receipt?.status === "partial_success" ? "PARTIAL_SUCCESS" : "SUCCESS";
  return task.status === "cancelled" ? "FAILED" : "IN_PROGRESS";
}

const taskWords: Partial<Record<Lifecycle, string>> = { active: "IN_PROGRESS", done: "SUCCESS" };

/** Where a task stands, for one that this family cannot move from there. */
export const sayTask = (status: Lifecycle): string => taskWords[status] ?? status.toUpperCase();

export const secondsBetween = (from: number | null, to: number): number =>
  from === null ? 0 : Math.max(0, Math.round((to - from) / 1_000));

const detailOf = (note: Note): Record<string, unknown> => note.detail ?? {};

/** What another family noted under the same key may be anything. */
const textOr = (otherwise: string, said: unknown): string => (typeof said === "string" ? said : otherwise);

/** Notes of every family, in this one's words: a checkpoint of kind decision is a decision too (MI14). */
export function decisionLine(note: Note) {
  const { category, question, options_considered, chosen, reasoning, trade_offs } = detailOf(note);
  return {
    id: note.id,
    task_id: note.taskId,
    category: String(category ?? "other").toUpperCase(),
    question: textOr(note.summary, question),
    options_considered: options_considered ?? [],
    chosen: textOr(note.summary, chosen),
    reasoning: textOr("", reasoning),
    trade_offs: trade_offs ?? null,
    created_at: timeOf(note.createdAt),
  };
}

export function issueLine(note: Note) {
  const { type, resolution } = detailOf(note);
  return {
    id: note.id,
    task_id: note.taskId,
    type: textOr("other", type),
    description: note.summary,
    resolution: textOr("", resolution),
    requires_human_review: note.needsHuman,
    created_at: timeOf(note.createdAt),
  };
}

export function milestoneLine(note: Note) {
  const { progress, metadata } = detailOf(note);
  return {
    id: note.id,
    task_id: note.taskId,
    message: note.summary,
    progress: typeof progress === "number" ? progress : null,
    metadata: metadata ?? null,
    created_at: timeOf(note.createdAt),
  };
}
