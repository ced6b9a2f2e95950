import { z } from "zod";
import { Refusal } from "../../contract/refusal.ts";
import { settleWarnings } from "../../domain/overlap/warning-operations.ts";
import { type LikeWork, type PlanAsk, planUnlessLike, planWork } from "../../domain/overlap/work-operations.ts";
import type { Work } from "../../domain/work.ts";
import { overlapRecord, streamRecord, taskRecord } from "../team/work-voice.ts";
import { startKeys } from "../team/work-words.ts";

/** How a person answers that the same work is known: yes, and why. */
export const confirmation = {
  confirm: z.boolean().default(false).describe("Plan it although work like it is known."),
  confirmation_reason: startKeys.confirmation_reason.describe("With confirm: why to plan it all the same."),
};

interface Confirmation {
  readonly confirm: boolean;
  readonly confirmation_reason?: string | undefined;
}

/** Plans at once what was confirmed, and asks about the rest; a confirmation without its reason is none. */
export function planAsked(work: Work, ask: PlanAsk, like: LikeWork, { confirm, confirmation_reason }: Confirmation) {
  if (!confirm) return planUnlessLike(work, ask, like);
  if (confirmation_reason !== undefined) return planWork(work, ask, like);
  throw new Refusal("INVALID_INPUT", "A confirmation needs its reason.", "Say why in confirmation_reason.");
}

const Found = z.record(z.string(), z.unknown());

const Overlap = z.object({
  candidates: z.array(Found).describe("Work that is probably the same."),
  matches: z.array(Found).describe("Work that is like it in some way."),
  file_conflicts: z.array(Found).describe("Files of it that others are at."),
});

export const PlanRecord = Overlap.extend({
  requires_confirm: z.boolean().describe("Nothing was planned: look at candidates, then confirm with a reason."),
  id: z.string().nullable(),
  workstream_id: z.string().nullable(),
  record: Found.nullable(),
  warning_id: z.string().nullable(),
});
export type PlanRecord = z.input<typeof PlanRecord>;

/** Tells what became of a plan; a reason that was given settles the warning about it. */
export async function tellPlan(
  work: Work,
  planned: Awaited<ReturnType<typeof planAsked>>,
  reason: string | undefined,
): Promise<PlanRecord> {
  const overlap = Overlap.parse(await overlapRecord(work, planned));
  if (planned.kind === "unconfirmed") {
    return { requires_confirm: true, id: null, workstream_id: null, record: null, warning_id: null, ...overlap };
  }
  const id = planned.kind === "task" ? planned.planned.task.id : planned.planned.stream.id;
  const { warning } = planned;
  if (warning && reason !== undefined) {
    await settleWarnings(work, [warning.id], { status: "confirmed", reason }, id);
  }
  return {
    requires_confirm: false,
    id,
    workstream_id: planned.kind === "task" ? planned.workstreamId : id,
    record: planned.kind === "task" ? taskRecord(planned.planned) : streamRecord(planned.planned),
    warning_id: warning?.id ?? null,
    ...overlap,
  };
}
