import type { TaskId } from "../../contract/ids.ts";
import type { Look } from "../port.ts";
import { lookAtReview } from "../review/operations.ts";
import type { Work } from "../work.ts";
import type { PackPart, PackVoice, Wanted } from "./task-context.ts";
import { loadTaskPack } from "./task-pack-operations.ts";
import { loadTokenCounter } from "./tokens.ts";

/** What a reviewer is told of the task leaves room for what was changed, said and found. */
const budget = 3_000;

const wanted: Wanted = {
  workflowPlan: true,
  workflowSource: true,
  prior: false,
  priorInFull: false,
  siblings: false,
  dependencies: true,
  allNotes: false,
  recentNotes: 5,
};

/** Looks at what a review needs, with what the house knows of the work (RV6). */
export async function lookAtReviewed(look: Look, voice: PackVoice): ReturnType<typeof lookAtReview> {
  const count = await loadTokenCounter();
  return lookAtReview(look, {
    count,
    describe: (taskId) => look.read((db) => describeTask({ db, caller: look.caller }, taskId, { count, voice })),
  });
}

/** In the order in which a reviewer reads them. */
const headings = {
  workflowName: "Workflow",
  workflowSource: "Original request",
  objective: "Objective",
  taskName: "Task",
  description: "Description",
  context: "Context and acceptance",
  workflowPlan: "Plan of the workflow",
  plan: "Plan",
  highlights: "Decisions and open errors",
  notes: "Last steps and decisions",
  blockers: "Waiting for a person",
  failingChecks: "Failing checks",
  error: "Error",
  outcome: "Outcome",
  missionState: "Mission",
  dependencies: "What it builds on",
  files: "Files named",
  siblings: "Beside it",
  prior: "Before it",
} as const satisfies Record<PackPart, string>;

const describeTask = (
  work: Pick<Work, "db" | "caller">,
  id: TaskId,
  { count, voice }: { count(text: string): number; voice: PackVoice },
): Promise<string> =>
  loadTaskPack(work, id, wanted, {
    budget,
    count,
    voice,
    build(_context, { chosen, omitted }) {
      const parts = Object.entries(headings).flatMap(([part, heading]) => {
        const values = chosen.filter((one) => one.part === part).map(({ value }) => textOf(value));
        return values.length === 0 ? [] : [`${heading}:`, ...values, ""];
      });
      const left = omitted.map(({ section, omitted = 0, shortened = 0 }) => `${section} ${omitted + shortened}`);
      return [...parts, ...(left.length === 0 ? [] : [`Left out or shortened: ${left.join(", ")}`])].join("\n").trim();
    },
  }).then(({ answer }) => answer);

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .filter(([, one]) => one !== null && one !== undefined && !(Array.isArray(one) && one.length === 0))
    .map(([key, one]) => `- ${key}: ${typeof one === "string" ? one : JSON.stringify(one)}`)
    .join("\n");
}
