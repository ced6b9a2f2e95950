import { z } from "zod";
import { WorkflowId } from "../../contract/ids.ts";
import { findNextTasks, loadTokenCounter, readProgress } from "../../domain/context/operations.ts";
import { defineTool } from "../define.ts";
import { sayTask, sayWorkflow } from "./words.ts";
import { shortened } from "./work-voice.ts";

export default defineTool({
  name: "workflow_get_summary",
  family: "workflow",
  title: "Get a workflow's summary",
  summary: "Get a workflow in short: where it is, what is next, what waits.",
  effect: "read",
  callers: ["agent"],
  input: z.object({
    id: WorkflowId.describe("The workflow."),
    format: z.enum(["json", "markdown"]).default("json").describe("For programs or for reading."),
  }),
  output: z.object({
    summary: z.union([z.string(), z.record(z.string(), z.unknown())]),
    token_estimate: z.number().int(),
  }),
  refusals: ["WORKFLOW_NOT_FOUND"],
  examples: [{ title: "to read", input: { id: "$workflow", format: "markdown" } }],
  async handle({ id, format }, work) {
    const count = await loadTokenCounter();
    const next = await findNextTasks(work.db, id, { includesFailed: true });
    const progress = await readProgress(work.db, id, work.now);
    const facts = {
      name: next.workflow.name,
      status: sayWorkflow(next.workflow.status),
      plan: shortened(next.workflow.plan?.summary ?? "", 1_000),
      tasks: Object.fromEntries(progress.counts.map(({ status, count: number }) => [sayTask(status), number])),
      next: next.tasks.slice(0, 10).map(({ task }) => ({ id: task.id, name: task.name })),
      waiting: progress.waiting.slice(0, 10).map(({ task, blockedBy }) => ({
        name: task.name,
        blocked_by: blockedBy.slice(0, 5),
      })),
    };
    const summary = format === "json" ? facts : markdownOf(facts);
    return { summary, token_estimate: count(typeof summary === "string" ? summary : JSON.stringify(summary)) };
  },
});

interface Facts {
  readonly name: string;
  readonly status: string;
  readonly plan: string;
  readonly tasks: Record<string, number>;
  readonly next: readonly { id: string; name: string }[];
  readonly waiting: readonly { name: string; blocked_by: readonly string[] }[];
}

/** Names are other people's text: a line break in one must not start a heading. */
const inline = (text: string): string => text.replace(/\s+/g, " ");

function markdownOf(facts: Facts): string {
  const counts = Object.entries(facts.tasks).map(([status, number]) => `${number} ${status}`);
  return [
    `# ${inline(facts.name)}`,
    `Status: ${facts.status}${counts.length > 0 ? ` (${counts.join(", ")})` : ""}`,
    ...(facts.plan ? [inline(facts.plan)] : []),
    ...(facts.next.length > 0 ? ["## Next", ...facts.next.map(({ id, name }) => `- ${inline(name)} (${id})`)] : []),
    ...(facts.waiting.length > 0
      ? [
          "## Waiting",
          ...facts.waiting.map(
            ({ name, blocked_by }) => `- ${inline(name)}: after ${blocked_by.map(inline).join(", ")}`,
          ),
        ]
      : []),
  ].join("\n\n");
}
