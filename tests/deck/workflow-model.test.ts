import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LiveEvent } from "../../src/dashboard/data/event.ts";
import { forgetNames, learnName } from "../../src/dashboard/data/names.ts";
import { readAgain } from "../../src/dashboard/data/store.ts";
import { sayDuration } from "../../src/dashboard/parts/say-duration.ts";
import { barsOf } from "../../src/dashboard/views/workflow/gantt-model.ts";
import { layOut } from "../../src/dashboard/views/workflow/graph-layout.ts";
import {
  applyToWorkflow,
  isOver,
  type Step,
  type WorkflowDetail,
} from "../../src/dashboard/views/workflow/workflow-model.ts";

const stepOf = (at: number, fields: Partial<Step> = {}): Step => ({
  id: `tk_${at}`,
  name: `task ${at}`,
  description: "",
  estimated_complexity: null,
  files_likely_affected: [],
  required_capabilities: [],
  created_at: "2026-11-15T10:00:00.000Z",
  updated_at: "2026-11-15T10:00:00.000Z",
  sequence: at + 1,
  parallel_group: null,
  status: "pending",
  claimed_by: null,
  depends_on: [],
  started_at: null,
  completed_at: null,
  ...fields,
});

/** Any plan without cycles: a task depends only on earlier ones. */
const plans = fc.array(fc.tuple(fc.array(fc.nat(), { maxLength: 3 }), fc.boolean()), { maxLength: 40 }).map((rows) =>
  rows.map(([before, isDone], at) =>
    stepOf(at, {
      status: isDone ? "completed" : "pending",
      depends_on: at === 0 ? [] : [...new Set(before.map((place) => `task ${place % at}`))],
    }),
  ),
);

test("[DW1] a task is drawn behind what it waits for, and no two share a place", () => {
  fc.assert(
    fc.property(plans, (steps) => {
      const boxes = layOut(steps);
      const byKey = new Map(boxes.map((box) => [box.key, box]));
      for (const box of boxes) {
        for (const key of box.dependsOn) expect(byKey.get(key)?.layer).toBeLessThan(box.layer);
      }
      expect(new Set(boxes.map((box) => `${box.layer} ${box.place}`)).size).toBe(steps.length);
    }),
  );
});

test.each([201, 500, 10_000])("[DW2] %i tasks become at most 200 boxes that hold every one of them", (size) => {
  const steps = Array.from({ length: size }, (_, at) =>
    stepOf(at, { sequence: Math.floor(at / 3) + 1, depends_on: at < 3 ? [] : [`task ${at - 3}`] }),
  );
  const boxes = layOut(steps);
  expect(boxes.length).toBeLessThanOrEqual(200);
  expect(boxes.flatMap((box) => box.steps.map((step) => step.id)).sort()).toEqual(steps.map((step) => step.id).sort());
});

test("[DW3] tasks that wait for each other in a circle are drawn all the same", () => {
  const steps = [
    stepOf(0, { depends_on: ["task 2"] }),
    stepOf(1, { depends_on: ["task 0"] }),
    stepOf(2, { depends_on: ["task 1"] }),
  ];
  expect(layOut(steps)).toHaveLength(3);
});

test("[DW3] a chain of ten thousand and a name that nobody has are drawn", () => {
  const steps = Array.from({ length: 10_000 }, (_, at) =>
    stepOf(at, { depends_on: [at === 0 ? "nobody" : `task ${at - 1}`] }),
  );
  expect(layOut(steps).length).toBeGreaterThan(1);
});

test("[DW4] the critical path is a longest chain of open work", () => {
  fc.assert(
    fc.property(plans, (steps) => {
      const critical = layOut(steps).filter((box) => box.isCritical);
      const longest = longestOpenChain(steps);
      expect(critical).toHaveLength(longest > 1 ? longest : 0);
      expect(critical.some((box) => box.steps.some(isOver))).toBe(false);
    }),
  );
});

function longestOpenChain(steps: readonly Step[]): number {
  const lengths = new Map<string, number>();
  for (const step of steps) {
    if (isOver(step)) continue;
    lengths.set(step.name, 1 + Math.max(0, ...step.depends_on.map((name) => lengths.get(name) ?? 0)));
  }
  return Math.max(0, ...lengths.values());
}

const now = Date.parse("2026-11-15T12:00:00Z");
const minutesAgo = (minutes: number): string => new Date(now - minutes * 60_000).toISOString();

test("[DW5] bars lie inside the span, what runs reaches to now, what has not begun has none", () => {
  const bars = barsOf(
    [
      stepOf(0, { status: "pending" }),
      stepOf(1, { status: "in_progress", started_at: minutesAgo(30) }),
      stepOf(2, { status: "completed", started_at: minutesAgo(60), completed_at: minutesAgo(30) }),
    ],
    [
      { id: "n1", task_id: "tk_1", kind: "decision", summary: "x", superseded: false, created_at: minutesAgo(15) },
      { id: "n2", task_id: "tk_1", kind: "progress", summary: "y", superseded: true, created_at: minutesAgo(15) },
    ],
    now,
  );
  expect(bars.map(({ step, span, durationMs }) => ({ id: step.id, span, durationMs }))).toEqual([
    { id: "tk_2", span: { from: 0, length: 50 }, durationMs: 1_800_000 },
    { id: "tk_1", span: { from: 50, length: 50 }, durationMs: 1_800_000 },
    { id: "tk_0", span: undefined, durationMs: undefined },
  ]);
  expect(bars[1]?.marks).toMatchObject([{ at: 75, note: { id: "n1" } }]);
});

test.each([
  { ms: 0, words: "0 s" },
  { ms: 59_400, words: "59 s" },
  { ms: 61_000, words: "1 min 1 s" },
  { ms: 3_600_000, words: "1 h" },
  { ms: 90_000_000, words: "1 d 1 h" },
])("[DW5] $ms ms are said as $words", ({ ms, words }) => {
  expect(sayDuration(ms)).toBe(words);
});

const detail: WorkflowDetail = {
  id: "wf_1",
  name: "Login",
  status: "ready",
  status_reason: null,
  repository_path: null,
  max_parallel_tasks: 1,
  plan: null,
  plan_summary: null,
  source_type: "prompt",
  source_ref: null,
  source_content: "x",
  auto_create_workspaces: false,
  created_at: minutesAgo(90),
  updated_at: minutesAgo(90),
  steps: [stepOf(0)],
  notes: [],
};
beforeAll(() => learnName("ag_1", "Ada"));
afterAll(forgetNames);

const event = (kind: string, subject: string, data: Record<string, unknown>): LiveEvent => ({
  event: kind.replace(".", ":"),
  kind,
  subject,
  actor: null,
  data,
  cursor: "c",
  ts: minutesAgo(0),
});

test.each([
  {
    what: "another workflow's task",
    given: event("task.claimed", "tk_9", { workflow_id: "wf_2", agent_id: "ag_1" }),
    expected: detail,
  },
  { what: "an agent", given: event("agent.registered", "ag_1", { name: "Ada" }), expected: detail },
  {
    what: "the workflow itself",
    given: event("workflow.statusChanged", "wf_1", { from: "planned", to: "active" }),
    expected: readAgain,
  },
  { what: "a task's status", given: event("task.statusChanged", "tk_0", { workflow_id: "wf_1" }), expected: readAgain },
  {
    what: "a claim by an agent nobody has heard of",
    given: event("task.claimed", "tk_0", { workflow_id: "wf_1", agent_id: "ag_9" }),
    expected: readAgain,
  },
  {
    what: "a claim",
    given: event("task.claimed", "tk_0", { workflow_id: "wf_1", agent_id: "ag_1" }),
    expected: { ...detail, steps: [stepOf(0, { claimed_by: "ag_1" })] },
  },
])("[DW6] $what is folded into the workflow on screen as it should be", ({ given, expected }) => {
  expect(applyToWorkflow(detail, given)).toEqual(expected);
});
