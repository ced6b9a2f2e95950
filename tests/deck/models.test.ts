import { beforeAll, expect, test } from "vitest";
import { sayHappened } from "../../src/contract/event-words.ts";
import { type PaletteItem, rankItems } from "../../src/dashboard/app/palette-model.ts";
import type { LiveEvent } from "../../src/dashboard/data/event.ts";
import { movesOf, moveTo } from "../../src/dashboard/data/moves.ts";
import { forgetNames, learnAgent } from "../../src/dashboard/data/names.ts";
import { readAgain } from "../../src/dashboard/data/store.ts";
import type { BoardTask } from "../../src/dashboard/data/task.ts";
import { matchPath } from "../../src/dashboard/page/router.ts";
import { sayAge } from "../../src/dashboard/parts/say-age.ts";
import { fieldsOf, readForm } from "../../src/dashboard/parts/tool-form-model.ts";
import { windowOf } from "../../src/dashboard/parts/virtual-window.ts";
import { chooseActs, csvCell } from "../../src/dashboard/views/activity/activity-model.ts";
import {
  applyToBoard,
  type Board,
  onlyNewest,
  sayCount,
  sayPlace,
  sortBoard,
} from "../../src/dashboard/views/board/board-model.ts";
import { type TaskStory, timelineOf } from "../../src/dashboard/views/task/task-model.ts";
import { type Finding, sayState, wantMore } from "../../src/dashboard/views/triage/triage-model.ts";

// Files share a process: what another one has named is unknown here.
beforeAll(() => {
  forgetNames();
  learnAgent("ag_1", { name: "Ada", client: "codex", owner: "ada" });
});

const at = "2026-01-01T00:00:00.000Z";
const later = "2026-01-01T00:05:00.000Z";

const task = (changes: Partial<BoardTask> = {}): BoardTask => ({
  id: "tk_1",
  name: "Paint",
  column: "planned",
  status: "planned",
  workflow_id: "wf_1",
  workflow: "House",
  claimed_by: null,
  holder: null,
  holder_developer: null,
  runtime: null,
  holder_status: null,
  developer: "ada",
  repository: "/srv/house",
  branch: null,
  result: null,
  created_at: at,
  updated_at: at,
  ...changes,
});

const board = (...tasks: BoardTask[]): Board => ({ tasks, unfinished: new Set() });

const event = (kind: string, data: Record<string, unknown>, subject = "tk_1"): LiveEvent => ({
  event: kind,
  kind,
  subject,
  actor: null,
  data,
  cursor: kind,
  ts: later,
});

test.each([
  {
    when: "its status changes",
    given: task({ column: "active", status: "preparing" }),
    event: event("task.statusChanged", { from: "preparing", to: "active" }),
    expected: { status: "active", column: "active", updated_at: later },
  },
  {
    when: "it fails",
    given: task({ column: "active", status: "active" }),
    event: event("task.statusChanged", { from: "active", to: "failed" }),
    expected: { status: "failed", column: "failed" },
  },
  {
    when: "it is paused",
    given: task({ column: "active", status: "active" }),
    event: event("task.statusChanged", { from: "active", to: "paused" }),
    expected: { status: "paused", column: "active" },
  },
  {
    when: "it gets a plan while it waits for others",
    given: task({ column: "blocked" }),
    event: event("task.planSet", { status: "planned" }),
    expected: { status: "planned", column: "blocked" },
  },
  {
    when: "it is taken",
    given: task(),
    event: event("task.claimed", { agent_id: "ag_1", fence: 1 }),
    expected: {
      claimed_by: "ag_1",
      holder: "Ada",
      holder_developer: "ada",
      runtime: "codex",
      holder_status: "busy",
    },
  },
  {
    when: "it is given back",
    given: task({ column: "active", status: "active", claimed_by: "ag_1", holder: "Ada", holder_status: "busy" }),
    event: event("task.released", { agent_id: "ag_1", status: "planned", reason: null }),
    expected: { claimed_by: null, holder: null, holder_status: null, status: "planned", column: "planned" },
  },
  {
    when: "its holder falls silent",
    given: task({ claimed_by: "ag_1", holder_status: "busy" }),
    event: event("agent.wentStale", { status: "offline" }, "ag_1"),
    expected: { holder_status: "offline" },
  },
])("[DK26] a task on the board when $when", ({ given, event: happened, expected }) => {
  const after = applyToBoard(board(given, task({ id: "tk_2" })), happened) as Board;
  expect(after.tasks).toEqual([
    { ...given, ...expected, updated_at: after.tasks[0]?.updated_at },
    task({ id: "tk_2" }),
  ]);
  expect(applyToBoard(after, happened)).toEqual(after);
});

test("[DK26] a new task comes first; one that nobody knows, or of which nothing is said, is read", () => {
  const created = event("task.created", { workflow_id: "wf_1", name: "New", status: "planned" }, "tk_9");
  expect((applyToBoard(board(task()), created) as Board).tasks.map(({ id }) => id)).toEqual(["tk_9", "tk_1"]);
  expect(applyToBoard(board(task()), event("task.claimed", { agent_id: "ag_1" }, "tk_9"))).toBe(readAgain);
  expect(applyToBoard(board(), event("task.created", { developer: "@private" }, "tk_9"))).toBe(readAgain);
  const untouched = board(task());
  expect(applyToBoard(untouched, event("message.sent", {}))).toBe(untouched);
});

test("[DK20] what failed stands above what only waits, and is among the blocked", () => {
  const failed = task({ id: "tk_f", column: "failed", status: "failed", updated_at: at });
  const waits = task({ id: "tk_w", column: "blocked", updated_at: later });
  const sorted = sortBoard([waits, failed, task({ column: "cancelled", status: "cancelled" })], {
    text: "",
    repository: "",
    developer: "",
  });
  expect(sorted.blocked.map(({ id }) => id)).toEqual(["tk_f", "tk_w"]);
  expect(sorted.done).toHaveLength(1);
});

test.each([
  [board(), {}, "0 tasks"],
  [board(task()), {}, "1 task"],
  [board(task(), task({ id: "tk_2", name: "Varnish" })), { text: "varn" }, "1 of 2 tasks"],
  [{ tasks: [task()], unfinished: new Set(["done"] as const) }, {}, "1+ tasks"],
] as const)("[DK20] the board says how many tasks there are and how many of them it shows: %#", (given, filter, said) => {
  expect(sayCount(given, { text: "", repository: "", developer: "", ...filter })).toBe(said);
});

test("[DK26] a task that moved while the board was read is on it once, as it is now", () => {
  const before = task({ status: "active", column: "active" });
  const after = task({ status: "failed", column: "failed", updated_at: later });
  for (const read of [
    [before, after],
    [after, before],
  ]) {
    expect(onlyNewest([...read, task({ id: "tk_2" })])).toEqual([after, task({ id: "tk_2" })]);
  }
});

test("[DK22] a column accepts what a move leads to, and a task that waits has no moves", () => {
  expect(moveTo(task(), "active")?.steps).toEqual(["planning", "in_progress"]);
  expect(moveTo(task({ column: "active", status: "active" }), "done")?.asks).toBe("outcome");
  expect(moveTo(task({ column: "active", status: "active" }), "active")).toBeUndefined();
  expect(moveTo(task(), "done")).toBeUndefined();
  expect(movesOf(task({ column: "blocked" }))).toEqual([]);
});

test("[DK72] fields follow from the schema, and what was typed becomes arguments of the right type", () => {
  const fields = fieldsOf({
    type: "object",
    properties: {
      note: { type: "string", maxLength: 5_000, description: "Words." },
      kind: { type: "string", enum: ["a", "b"], default: "a" },
      size: { type: "integer" },
      is_new: { type: "boolean" },
      tags: { type: "array", items: { type: "string" } },
      task_id: { type: "string", maxLength: 100 },
      plan: { type: "object" },
      workspace_path: { type: "string", maxLength: 4_096 },
    },
    required: ["task_id"],
  });
  expect(fields.map(({ name, kind, label }) => [name, kind, label])).toEqual([
    ["task_id", "line", "Task ID"],
    ["note", "long", "Note"],
    ["kind", "choice", "Kind"],
    ["size", "number", "Size"],
    ["is_new", "yes-no", "Is new"],
    ["tags", "list", "Tags"],
    ["plan", "json", "Plan"],
    ["workspace_path", "line", "Workspace path"],
  ]);
  const typed = { task_id: "tk_1", size: "3", is_new: "false", tags: "x\n\n y ", plan: '{"a":1}', note: " " };
  expect(readForm(fields, typed)).toEqual({
    args: { task_id: "tk_1", size: 3, is_new: false, tags: ["x", "y"], plan: { a: 1 } },
  });
  expect(readForm(fields, { plan: "{" })).toEqual({ problem: "Plan is not valid JSON." });
});

test("[DK70] titles that begin as typed come first, and every word must be somewhere", () => {
  const item = (title: string, note: string): PaletteItem => ({ kind: "place", id: title, title, note, to: "/" });
  const items = [item("Release a task", "tool"), item("Tasks", "view"), item("Board", "tasks of all")];
  expect(rankItems(items, "task").map(({ title }) => title)).toEqual(["Tasks", "Release a task", "Board"]);
  expect(rankItems(items, "task release").map(({ title }) => title)).toEqual(["Release a task"]);
  expect(rankItems(items, "nothing")).toEqual([]);
});

test.each([
  ["/tasks/:id", "/tasks/tk_1", { id: "tk_1" }],
  ["/tasks/:id", "/tasks/a%20b", { id: "a b" }],
  ["/tasks/:id", "/tasks/%zz", { id: "%zz" }],
  ["/tasks/:id", "/tasks/", undefined],
  ["/tasks/:id", "/tasks/a/b", undefined],
  ["/board", "/board", {}],
])("[DK3] %s and %s", (pattern, path, expected) => {
  expect(matchPath(pattern, path)).toEqual(expected);
});

test.each([
  ["plain", "plain"],
  ["a,b", '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@x", "'@x"],
  ["\tx", "'\tx"],
])("[DK41] the cell of %j", (text, cell) => {
  expect(csvCell(text)).toBe(cell);
});

test("[DK25] the rows that exist are those in view and a few around them, never outside the list", () => {
  expect(windowOf({ top: 0, height: 100, rowHeight: 10, count: 1_000 })).toEqual({ from: 0, to: 18 });
  expect(windowOf({ top: 5_000, height: 100, rowHeight: 10, count: 1_000 })).toEqual({ from: 492, to: 518 });
  expect(windowOf({ top: 9_950, height: 100, rowHeight: 10, count: 1_000 })).toEqual({ from: 987, to: 1_000 });
  expect(windowOf({ top: 9_950, height: 100, rowHeight: 10, count: 3 })).toEqual({ from: 3, to: 3 });
});

test.each([
  [0, "just now"],
  [-5_000, "just now"],
  [59_000, "59 s ago"],
  [60_000, "1 min ago"],
  [7_200_000, "2 h ago"],
  [200_000_000, "2 d ago"],
])("[DK40] %d ms are said as %s", (ms, words) => {
  expect(sayAge(ms)).toBe(words);
});

test.each([
  { when: "planned", kinds: ["task.planned", "task.created"], told: ["task.planned"] },
  { when: "started at once", kinds: ["task.started", "task.created"], told: ["task.started"] },
  { when: "part of a plan", kinds: ["task.created"], told: ["task.created"] },
])("[DK45] the timeline of a task that was $when tells that once", ({ kinds, told }) => {
  const events = kinds.map((kind) => event(kind, {}));
  const story = { task: { checkpoints: [] }, line: undefined, events } as unknown as TaskStory;
  expect(timelineOf(story).map((moment) => moment.kind === "event" && moment.event.kind)).toEqual(told);
});

test("[DK45] a task that was created first and planned later has both in its timeline", () => {
  const events = [event("task.planned", {}), { ...event("task.created", {}), ts: at }];
  const story = { task: { checkpoints: [] }, line: undefined, events } as unknown as TaskStory;
  expect(timelineOf(story)).toHaveLength(2);
});

test("[DK45] an accepted handoff is one line of the activity, with what it handed over", () => {
  const accepted = {
    ...event("coordination.accepted", { task_id: "tk_1", claims: 2 }),
    subject: "msg_1",
    actor: "bob",
  };
  const parts = ["task.handedOver", "claim.moved", "claim.moved"].map((kind) => ({ ...event(kind, {}), actor: "bob" }));
  const before = { ...event("claim.moved", {}), actor: "ada" };
  const events = [accepted, ...parts.map((part) => ({ ...part, subject: "tk_1" })), before];
  expect(chooseActs(events, "")).toEqual([accepted, before]);
  const said = sayHappened(accepted, (id) => (id === "tk_1" ? "Fix login" : id));
  expect(said).toMatchObject({ about: { words: "bob" }, what: "accepted a handoff: Fix login", more: "2 claims" });
});

test("[DK24] a workflow with the task's own name is not named beside it", () => {
  expect(sayPlace(task())).toBe("house · House");
  expect(sayPlace(task({ workflow: "Paint" }))).toBe("house");
  expect(sayPlace(task({ workflow: "Paint", repository: null }))).toBe("");
});

test("[DX1] a list of findings asks for its next page as long as there are more than it shows", () => {
  const list = { state: "open", severity: undefined } as const;
  const shown = (count: number) => ({
    findings: Array.from({ length: count }, () => ({}) as Finding),
    counts: [
      { state: "open", severity: "high", count: 800 },
      { state: "fixed", severity: "high", count: 900 },
    ] as const,
  });
  expect(wantMore(shown(20), list)).toBe(false);
  expect(wantMore(shown(500), list)).toBe(true);
  expect(wantMore(shown(800), list)).toBe(false);
});

test("[DX2, TG18] a finding says until when its decision holds, and what has expired", () => {
  const day = new Date("2027-03-31T12:00:00Z").toLocaleDateString();
  const expires = "2027-03-31T12:00:00Z";
  expect(sayState({ state: "accept", expires: null, expired_state: null })).toBe("Accepted");
  expect(sayState({ state: "accept", expires, expired_state: null })).toBe(`Accepted until ${day}`);
  expect(sayState({ state: "open", expires, expired_state: "defer" })).toBe(`Open · Deferred expired ${day}`);
});
