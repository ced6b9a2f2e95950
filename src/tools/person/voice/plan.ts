import { z } from "zod";
import { Refusal } from "../../../contract/refusal.ts";
import { settleWarnings } from "../../../domain/overlap/warning-operations.ts";
import {
  type LikeWork,
  type PlanAsk,
  type Planned,
  planUnlessLike,
  planWork,
} from "../../../domain/overlap/work-operations.ts";
import type { Work } from "../../../domain/work.ts";
import { overlapRecord } from "../../team/voice/work.ts";
import { startKeys } from "../../team/voice/work-words.ts";

/** How a person answers that the same work is known: yes, and why. */
export const confirmation = {
  confirm: z.boolean().default(false).describe("Plan it although work like it is known."),
  confirmation_reason: startKeys.confirmation_reason.describe("With confirm: why to plan it all the same."),
};

interface Confirmation {
  readonly confirm: boolean;
  readonly confirmation_reason?: string | undefined;
}

const Found = z.record(z.string(), z.unknown());

/** What is told beside the plan itself. */
export const PlanRecord = z.object({
  requires_confirm: z.boolean().describe("Nothing was planned: look at candidates, then confirm with a reason."),
  warning_id: z.string().nullable(),
  candidates: z.array(Found).describe("Work that is probably the same."),
  matches: z.array(Found).describe("Work that is like it in some way."),
  file_conflicts: z.array(Found).describe("Files of it that others are at."),
});

interface PlanOutcome {
  /** Undefined where a person has to confirm first. */
  readonly planned: Planned | undefined;
  readonly record: z.input<typeof PlanRecord>;
}

/** Plans at once what was confirmed, and asks about the rest; a confirmation without its reason is none. */
export async function planAsked(
  work: Work,
  ask: PlanAsk,
  like: LikeWork,
  { confirm, confirmation_reason: reason }: Confirmation,
): Promise<PlanOutcome> {
  if (confirm && reason === undefined) {
    throw new Refusal("INVALID_INPUT", "A confirmation needs its reason.", "Say why in confirmation_reason.");
  }
  const outcome = await (confirm ? planWork(work, ask, like) : planUnlessLike(work, ask, like));
  const overlap = await overlapRecord(work, outcome);
  if (outcome.kind === "unconfirmed") {
    return { planned: undefined, record: PlanRecord.parse({ requires_confirm: true, warning_id: null, ...overlap }) };
  }
  const { warning } = outcome;
  if (warning && reason !== undefined) {
    const subjectId = outcome.kind === "task" ? outcome.planned.task.id : outcome.planned.stream.id;
    await settleWarnings(work, [warning.id], { status: "confirmed", reason }, subjectId);
  }
  const record = PlanRecord.parse({ requires_confirm: false, warning_id: warning?.id ?? null, ...overlap });
  return { planned: outcome, record };
}

export const PlannedWork = Found.nullable().describe("The record; null while it is not confirmed.");
