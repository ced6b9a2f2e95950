import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";

const checked = z.object({
  title: z.string(),
  planned_id: z.string().nullable(),
  requires_verdict: z.boolean(),
  warning_id: z.string().nullable(),
  candidate_ids: z.array(z.string()),
});

/** A check before a start, and the one that a start makes once more by itself. */
export const taskCheckEvent = defineEvents("task", { checked: { announced: "task.checked", data: checked } });
export const workstreamCheckEvent = defineEvents("workstream", {
  checked: { announced: "workstream.checked", data: checked },
});

export const scopeEvent = defineEvents("scope", {
  judged: {
    announced: "scope.judged",
    data: z.object({
      check_id: z.string(),
      duplicate: z.boolean(),
      verdicts: z.array(z.object({ candidate_id: z.string(), verdict: z.string() })),
      confirmation_reason: z.string().nullable(),
    }),
  },
  /** A person wants the work that was checked although it may be the same as other work. */
  confirmed: {
    announced: "scope.confirmed",
    data: z.object({
      title: z.string(),
      reason: z.string(),
      verdicts: z.array(z.object({ candidate_id: z.string(), verdict: z.string() })),
    }),
  },
  /** A person does not want the work that was checked. */
  refused: { announced: "scope.refused", data: z.object({ title: z.string(), reason: z.string() }) },
  /** A person wants the work done together with what exists already. */
  joined: {
    announced: "scope.joined",
    data: z.object({ title: z.string(), candidate_id: z.string(), reason: z.string().nullable() }),
  },
});

export const warningEvent = defineEvents("warning", {
  confirmed: {
    announced: "warning.confirmed",
    data: z.object({ subject_id: z.string(), reason: z.string() }),
  },
  dismissed: {
    announced: "warning.dismissed",
    data: z.object({ reason: z.string(), by_server: z.boolean() }),
  },
});
