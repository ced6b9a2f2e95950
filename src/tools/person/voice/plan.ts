import { z } from "zod";
import { openRecord } from "../../../contract/open-record.ts";
import type { PersonPlan } from "../../../domain/overlap/work-operations.ts";
import type { Work } from "../../../domain/work.ts";
import { overlapRecord } from "../../team/voice/work.ts";
import { startKeys } from "../../team/voice/work-words.ts";

/** How a person answers that the same work is known: yes, and why. */
export const confirmation = {
  confirm: z.boolean().default(false).describe("Plan it although work like it is known."),
  confirmation_reason: startKeys.confirmation_reason.describe("With confirm: why to plan it anyway."),
};

type Overlap = Awaited<ReturnType<typeof overlapRecord>>;

/** What is told beside the plan itself. */
export const PlanRecord = z.object({
  requires_confirm: z.boolean().describe("Nothing was planned: look at candidates, then confirm with a reason."),
  warning_id: z.string().nullable(),
  candidates: z.array(openRecord<Overlap["candidates"][number]>()).describe("Work that is probably the same."),
  matches: z.array(openRecord<Overlap["matches"][number]>()).describe("Work that is like it in some way."),
  nearest: z.array(openRecord<Overlap["nearest"][number]>()).describe("The most similar other work, to look at."),
  file_conflicts: z.array(openRecord<Overlap["file_conflicts"][number]>()).describe("Files of it that others are at."),
});

export async function planRecord(work: Work, outcome: PersonPlan): Promise<z.input<typeof PlanRecord>> {
  const isUnconfirmed = outcome.kind === "unconfirmed";
  return {
    requires_confirm: isUnconfirmed,
    warning_id: isUnconfirmed ? null : (outcome.warning?.id ?? null),
    ...(await overlapRecord(work, outcome)),
  };
}

export const plannedWork = <Planned extends object>() =>
  openRecord<Planned>().nullable().describe("The record; null while it is not confirmed.");
