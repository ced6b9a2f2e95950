import type { WorkKind } from "../../../domain/intent/model.ts";
import type { Blocked, ScopeCheckProblem, VerdictProblem } from "../../../domain/overlap/start-operations.ts";
import type { Checked, FileConflict } from "../../../domain/overlap/work-operations.ts";
import type { Work } from "../../../domain/work.ts";
import { block, type TeamTold, tell, warn } from "./answer.ts";
import { timeOf } from "./words.ts";
import { overlapRecord, probableRecord } from "./work.ts";

/** How a call names its work, so that what to do next can be said as the very next call. */
interface Naming {
  readonly kind: WorkKind;
  /** The planned record, if there is one. */
  readonly plannedId: string | null;
  /** A start of a new task names its type. */
  readonly taskType?: string;
}

const toolOf = ({ kind }: Naming): string => `covibe_${kind}`;
const startOf = (naming: Naming): string =>
  naming.plannedId === null
    ? `${toolOf(naming)} with operation start, the same title${naming.taskType === undefined ? "" : `, task_type ${naming.taskType}`}`
    : `${toolOf(naming)} with operation start_planned, ${naming.kind}_id ${naming.plannedId}`;

export async function sayChecked(work: Work, naming: Naming, checked: Checked): Promise<TeamTold> {
  const { check } = checked;
  const data = {
    check_id: check.id,
    requires_verdict: check.requiresVerdict,
    warning_id: check.warningId,
    expires_at: timeOf(check.expiresAt),
    ...(await overlapRecord(work, checked)),
    ...(checked.probable.length > 0 && { probable_overlap: await probableRecord(work, checked.probable) }),
  };
  const files = sayFiles(checked.conflicts);
  if (check.requiresVerdict) {
    return warn(check.id, {
      message: `${count(checked.candidates.length, "possible duplicate")} found.${files.message}`,
      data,
      next: `${judgeThen(naming, check.id)}${files.next}`,
    });
  }
  const { message, look } = saySimilar(checked);
  return tell({
    message: `${message}${files.message}`,
    data,
    next: `${look}${look === "" ? "Call" : "call"} ${startOf(naming)} and check_id ${check.id} within 10 minutes.${files.next}`,
  });
}

/** The agent is the best judge of other words for the same work, so it is asked to look whenever there is anything. */
function saySimilar({ matches, nearest }: Checked): { message: string; look: string } {
  const lists = [...(matches.length === 0 ? [] : ["matches"]), ...(nearest.length === 0 ? [] : ["nearest"])];
  const others = matches.length + nearest.length;
  if (others === 0) return { message: "No other work found.", look: "" };
  const where = lists.join(" and ");
  return {
    message: `No close match. Review the ${others === 1 ? "one other task" : `${others} other tasks`} in ${where}.`,
    look: `Read ${where}: if one is the same work in other words, ask its owner with covibe_coordination ask instead of starting. Otherwise `,
  };
}

const mostFilesNamed = 3;

/** Files that somebody else means to change, has changed or has claimed. They are the caller's own, so they are named. */
function sayFiles(conflicts: readonly FileConflict[]): { message: string; next: string } {
  const files = [...new Set(conflicts.flatMap((conflict) => conflict.files))];
  if (files.length === 0) return { message: "", next: "" };
  const named = files.slice(0, mostFilesNamed).join(", ");
  const more = files.length > mostFilesNamed ? ` and ${files.length - mostFilesNamed} more` : "";
  return {
    message: ` Other work touches ${named}${more}.`,
    next: ` Before you change ${named}${more}, agree with the owners in file_conflicts.`,
  };
}

const judgeThen = (naming: Naming, checkId: string): string =>
  `Compare every candidate with what you mean to do, then call ${startOf(naming)}, check_id ${checkId} and scope_verdict: for each candidate its candidate_id, a verdict (same_scope, different_scope or partial) and a reason. If one is the same work, do not begin it: talk to its owner, or ask your developer for a confirmation_reason.`;

/** A start that must wait: what is missing, and what to call next. */
export async function sayBlocked(work: Work, naming: Naming, blocked: Blocked): Promise<TeamTold> {
  if (blocked.kind === "check-required") {
    const planned = naming.plannedId === null ? "" : ` and planned_${naming.kind}_id ${naming.plannedId}`;
    return block(naming.plannedId ?? work.caller.developerId, {
      message: checkProblems[blocked.problem],
      data: { code: "CHECK_REQUIRED" },
      next: `Call ${toolOf(naming)} with operation check, the same title${planned} first, then start with its check_id.`,
    });
  }
  const { check } = blocked;
  const { candidates, matches } = await overlapRecord(work, {
    candidates: blocked.candidates,
    matches: blocked.candidates,
    nearest: [],
    conflicts: [],
  });
  const data = { check_id: check.id, warning_id: check.warningId, requires_verdict: true, candidates, matches };
  if (blocked.kind === "verdict-required") {
    return block(naming.plannedId ?? check.id, {
      message: verdictProblems[blocked.problem],
      data: { code: "VERDICT_REQUIRED", ...data },
      next: judgeThen(naming, check.id),
    });
  }
  return block(naming.plannedId ?? check.id, {
    message: "You marked this as a duplicate of work in progress.",
    data: { code: "DUPLICATE_CONFIRMATION_REQUIRED", ...data },
    next: `Ask your developer for confirmation and a reason before starting. With one, call ${startOf(naming)}, check_id ${check.id}, the same scope_verdict and confirmation_reason; without, talk to the owner with covibe_coordination ask.`,
  });
}

const checkProblems: Readonly<Record<ScopeCheckProblem, string>> = {
  none: "This work was not checked for duplicates in the last 10 minutes.",
  expired: "The check of this work is older than 10 minutes.",
  used: "That check was used up by an earlier start.",
  "other-work": "That check was made for other work.",
};

const verdictProblems: Readonly<Record<VerdictProblem | "escalated-since", string>> = {
  missing: "Possible duplicate work was found and not judged.",
  "no-check": "The verdict does not name the check it belongs to.",
  incomplete: "The verdict leaves out candidates of the check.",
  "unknown-candidate": "The verdict judges work that the check did not ask about.",
  "judged-twice": "The verdict judges one candidate twice.",
  "other-warning": "The warning named is not the one of the latest check.",
  "escalated-since": "Since the check, work began that may be the same.",
};

export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;
