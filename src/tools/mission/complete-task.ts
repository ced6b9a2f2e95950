import { z } from "zod";
import { TaskId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import { receiptLevels } from "../../contract/words.ts";
import { endWithEvidence } from "../../domain/ending/evidence-operations.ts";
import type { Receipt, Snapshot } from "../../domain/evidence/model.ts";
import { noSnapshot } from "../../domain/evidence/operations.ts";
import { findEvidence } from "../../domain/evidence/queries.ts";
import { findTask } from "../../domain/task/queries.ts";
import type { Work } from "../../domain/work.ts";
import { defineTool } from "../define.ts";
import { Lines, phaseStatus, sayTask, secondsBetween } from "./voice/answer.ts";
import { CheckLine, checkLine, warningsAbout } from "./voice/receipt.ts";

/** Clients give up on a call after a minute; how checks end that take longer is read later. */
const checksWaitMs = 40_000;

const Count = z.number().min(0).max(1e15);

export default defineTool({
  name: "complete_task",
  family: "mission",
  title: "Complete a task",
  summary: "Complete a task; the server reports which files changed and whether they match the announced areas.",
  keywords: "end files changed prove git done finish",
  effect: "change",
  callers: ["agent"],
  input: z.object({
    task_id: TaskId.describe("The task to end."),
    status: z.enum(["success", "partial_success", "failed"]).describe("How it ended."),
    outcome: z
      .strictObject({
        summary: z.string().trim().min(1).max(20_000).describe("The outcome, in two to four sentences."),
        achievements: Lines.default([]).describe("What was achieved."),
        limitations: Lines.default([]).describe("What was not."),
        manual_review_needed: z.boolean().default(false).describe("A person must look before it goes on."),
        manual_review_reason: z.string().max(5_000).optional().describe("Why."),
        next_steps: Lines.optional().describe("What could come next."),
      })
      .describe("The outcome."),
    metadata: z
      .strictObject({
        packages_added: Lines.optional().describe("Packages that are new."),
        packages_removed: Lines.optional().describe("Packages that are gone."),
        commands_executed: Lines.optional().describe("Commands that were run."),
        tests_status: z.enum(["passed", "failed", "not_run"]).optional().describe("How the tests ended."),
        tokens_input: Count.optional().describe("Tokens read."),
        tokens_output: Count.optional().describe("Tokens written."),
      })
      .default({})
      .describe("Facts about the work."),
    phase_complete: z.boolean().default(false).describe("The phase ends with this task."),
  }),
  output: z.object({
    task_id: TaskId,
    duration_seconds: z.number().int(),
    files_changed: z.object({
      added: z.array(z.string()),
      modified: z.array(z.string()),
      deleted: z.array(z.string()),
    }),
    verification: z.object({
      scope_match: z.boolean(),
      unexpected_files: z.array(z.string()),
      warnings: z.array(z.string()),
      level: z.enum(receiptLevels).optional().describe("What the receipt is worth, where the repository has checks."),
      checks: z.array(CheckLine).optional().describe("What the repository's own checks said."),
    }),
    phase_status: z.string().nullable(),
    phase_number: z.number().int().nullable(),
  }),
  refusals: ["NOT_FOUND", "INVALID_TRANSITION", "INVALID_STATE", "FORBIDDEN", "GIT_ERROR"],
  examples: [
    {
      title: "done",
      input: { task_id: "$mission_task", status: "success", outcome: { summary: "The skeleton stands." } },
    },
  ],
  async observe({ task_id }, look) {
    const snapshot = await look.read((db) => readSnapshot(db, task_id));
    const changes = await look.ports.evidence.compareSnapshot(snapshot, look.signal);
    const configured =
      snapshot.type === "none" ? undefined : await look.ports.evidence.readChecks(snapshot.root, look.signal);
    return { changes, configured };
  },
  async handle(input, work, facts) {
    const { summary, manual_review_needed, manual_review_reason } = input.outcome;
    const { task, evidence, receipt, phase } = await endWithEvidence(work, input.task_id, {
      status: input.status,
      outcome: input.outcome,
      metadata: input.metadata,
      endsPhase: input.phase_complete,
      review: manual_review_needed ? (manual_review_reason ?? summary) : null,
      say: sayTask,
      ...facts,
    });
    const { added, modified, deleted } = receipt.changes;
    return {
      task_id: task.id,
      duration_seconds: secondsBetween(task.startedAt, work.now),
      files_changed: { added, modified, deleted },
      verification: verificationOf(receipt, evidence.areas),
      phase_status: phase ? phaseStatus(phase).toLowerCase() : null,
      phase_number: phase?.number ?? null,
    };
  },
  afterwards: {
    waitMs: checksWaitMs,
    async read(answer, work) {
      const evidence = await findEvidence(work.db, TaskId.parse(answer.task_id));
      if (!evidence?.receipt) return answer;
      return { ...answer, verification: verificationOf(evidence.receipt, evidence.areas) };
    },
  },
});

/** How the tree was at the start; a task that another family started has no picture of it. */
async function readSnapshot(db: Work["db"], id: TaskId): Promise<Snapshot> {
  const evidence = await findEvidence(db, id);
  if (evidence) return evidence.snapshot;
  if (await findTask(db, id)) return noSnapshot("");
  throw new Refusal("NOT_FOUND", "No task has that id.", "Start it with start_task.");
}

const verificationOf = (receipt: Receipt, areas: readonly string[]) => ({
  scope_match: receipt.scopeMatch,
  unexpected_files: receipt.unexpectedFiles,
  warnings: [...receipt.changes.warnings, ...scopeWarnings(receipt.unexpectedFiles, areas), ...warningsAbout(receipt)],
  ...(receipt.checks.state === "absent" ? {} : { level: receipt.level, checks: receipt.checks.results.map(checkLine) }),
});

const scopeWarnings = (unexpected: readonly string[], areas: readonly string[]): string[] =>
  unexpected.length === 0
    ? []
    : [
        `${unexpected.length} changed ${unexpected.length === 1 ? "file is" : "files are"} outside the areas: ${areas.join(", ")}.`,
      ];
