import { z } from "zod";
import { WorkflowId } from "../../contract/ids.ts";
import { shortened } from "../../contract/shortened.ts";
import type { MissionState } from "../../domain/context/operations.ts";
import {
  fillPack,
  findNextTasks,
  loadTokenCounter,
  type Piece,
  readMission,
  readProgress,
} from "../../domain/context/operations.ts";
import { getSeenWorkflow } from "../../domain/task/sight-operations.ts";
import { defineTool } from "../define.ts";
import { markdownOf, type Summary } from "./voice/summary-markdown.ts";
import { countByWord, sayWorkflow } from "./voice/words.ts";

const budget = 2_000;
const mostListed = 10;
const mostNamed = 5;

export default defineTool({
  name: "workflow_get_summary",
  family: "workflow",
  title: "Get a workflow's summary",
  summary: "Get a workflow in short: its status, what is next, what is blocked.",
  guidance: "It stays below 2,000 tokens however large the workflow is; workflow_progress and workflow_get say more.",
  keywords: "brief short overview",
  effect: "read",
  callers: ["agent"],
  input: z.object({
    id: WorkflowId.describe("The workflow."),
    format: z.enum(["json", "markdown"]).default("json").describe("For programs or for reading."),
  }),
  output: z.object({
    summary: z.union([z.string(), z.record(z.string(), z.unknown())]),
    token_estimate: z.number().int().describe("Of this whole answer; it has no more."),
  }),
  refusals: ["WORKFLOW_NOT_FOUND"],
  examples: [{ title: "to read", input: { id: "$workflow", format: "markdown" } }],
  observe: () => loadTokenCounter(),
  async handle({ id, format }, work, count) {
    await getSeenWorkflow(work, id);
    const { workflow, counts, waiting } = await readProgress(work.db, id, work.now);
    const next = await findNextTasks(work.db, id, { includesFailed: true });
    const tasks = Object.fromEntries(Object.entries(countByWord(counts)).filter(([, number]) => number > 0));
    const mission = await readMission(work, workflow);
    const pieces: SummaryPiece[] = [
      text(workflow.name, { share: 0.1, put: (summary, name) => ({ ...summary, name }) }),
      text(workflow.plan?.summary ?? "", { share: 0.3, put: (summary, plan) => ({ ...summary, plan }) }),
      ...(mission ? missionLines(mission) : []),
      ...next.tasks.slice(0, mostListed).map(({ task }) =>
        line({ id: task.id, name: shortened(task.name, 120) }, (summary, one) => ({
          ...summary,
          next: [...summary.next, one],
        })),
      ),
      ...waiting.slice(0, mostListed).map(({ task, blockedBy }) =>
        line(
          {
            name: shortened(task.name, 120),
            blocked_by: blockedBy.slice(0, mostNamed).map((name) => shortened(name, 120)),
          },
          (summary, one) => ({ ...summary, waiting: [...summary.waiting, one] }),
        ),
      ),
    ];
    const empty: Summary = {
      name: "",
      status: sayWorkflow(workflow.status),
      plan: "",
      tasks,
      next: [],
      waiting: [],
      ...(mission ? { mission: { phase: phaseText(mission), blockers: [], failing_checks: [] } } : {}),
    };
    const build = (chosen: readonly { piece: SummaryPiece; value: unknown }[]) => {
      const summary = chosen.reduce((before, { piece, value }) => piece.put(before, value), empty);
      return { summary: format === "json" ? { ...summary } : markdownOf(summary), token_estimate: budget };
    };
    const answer = build(fillPack(pieces, { budget, count, build }));
    return { ...answer, token_estimate: count(JSON.stringify(answer)) };
  },
});

const phaseText = ({ brief, phase }: MissionState): string =>
  `${brief.currentPhase} of ${brief.totalPhases}${phase ? `, ${shortened(phase.name, 120)}` : ""}`;

/** What fails and what waits for a person. */
const missionLines = ({ blockers, failing }: MissionState): SummaryPiece[] => [
  ...failing.map(({ taskName, result }) =>
    line({ name: result.name, task: shortened(taskName, 120) }, (summary, one) =>
      withMission(summary, ({ failing_checks }) => ({ failing_checks: [...failing_checks, one] })),
    ),
  ),
  ...blockers.map((note) =>
    line({ id: note.id, description: shortened(note.summary, 200) }, (summary, one) =>
      withMission(summary, ({ blockers: before }) => ({ blockers: [...before, one] })),
    ),
  ),
];

function withMission(
  summary: Summary,
  change: (mission: NonNullable<Summary["mission"]>) => Partial<NonNullable<Summary["mission"]>>,
): Summary {
  return summary.mission ? { ...summary, mission: { ...summary.mission, ...change(summary.mission) } } : summary;
}

interface SummaryPiece extends Piece {
  put(summary: Summary, value: unknown): Summary;
}

const text = (
  value: string,
  ask: { share: number; put: (summary: Summary, value: string) => Summary },
): SummaryPiece => ({
  section: "text",
  share: ask.share,
  put: (summary, fitted) => ask.put(summary, String(fitted)),
  fit: (most) => ({ value: shortened(value, most), cut: Math.max(0, value.length - most) }),
});

const line = <T>(value: T, put: (summary: Summary, value: T) => Summary): SummaryPiece => ({
  section: "line",
  put: (summary) => put(summary, value),
  fit: () => ({ value, cut: 0 }),
});
