import { expect, test } from "vitest";
import { applyToCrew, type Member, memberReading } from "../../src/dashboard/data/crew.ts";
import { type Comparison, isAboutDoubts } from "../../src/dashboard/data/doubts.ts";
import type { LiveEvent } from "../../src/dashboard/data/event.ts";
import { sayIdentity } from "../../src/dashboard/data/names.ts";
import { readAgain } from "../../src/dashboard/data/store.ts";
import { saySuppression } from "../../src/dashboard/parts/compare.tsx";
import { chooseAgents, sayChanges, statusAt } from "../../src/dashboard/views/agents/agents-model.ts";
import { canConfirm, canDismiss, missingIn, stateAt } from "../../src/dashboard/views/overlap/overlap-model.ts";
import { emptyPlan, planArgs, workOf } from "../../src/dashboard/views/plan/plan-model.ts";

const now = Date.parse("2026-03-01T12:00:00.000Z");
const ago = (minutes: number): string => new Date(now - minutes * 60_000).toISOString();

const session: NonNullable<Member["session"]> = {
  id: "ag_1",
  agent_name: "Ada",
  developer: "ada",
  mine: true,
  status: "active",
  agent_type: "codex",
  provider: null,
  model: "o-large",
  repo: "acme/shop",
  branch: "main",
  worktree: null,
  task_id: null,
  snapshot: null,
  usage: null,
  claims: [],
  contexts: [],
  summary: null,
  signals: [],
  started_at: ago(90),
  last_seen_at: ago(1),
  ended_at: null,
};

const agent = (changes: Partial<Member> = {}): Member => ({
  id: "ag_1",
  name: "Ada",
  client: "codex",
  developer: "ada",
  mine: true,
  is_person: false,
  role: "worker",
  status: "idle",
  tasks: [],
  folder: null,
  branch: "main",
  dirty_files: null,
  cost_usd: null,
  started_at: ago(90),
  last_seen_at: ago(1),
  session,
  ...changes,
});

const event = (kind: string, more: Partial<LiveEvent> = {}): LiveEvent => ({
  event: kind,
  kind,
  subject: "ag_1",
  actor: null,
  data: {},
  cursor: "1",
  ts: ago(0),
  ...more,
});

test.each([
  { minutes: 30, is: "idle" },
  { minutes: 30.01, is: "stale" },
])("[DT4] silent for $minutes minutes its session is $is", ({ minutes, is }) => {
  expect(statusAt(agent({ last_seen_at: ago(minutes) }), now)).toBe(is);
});

test("[DT4] an agent without a session, or offline, does not turn stale", () => {
  expect(statusAt(agent({ session: null, last_seen_at: ago(90) }), now)).toBe("idle");
  expect(statusAt(agent({ status: "offline", last_seen_at: ago(90) }), now)).toBe("offline");
});

test("[DT4] a sign of life is folded in, twice is as good as once, and an older one changes nothing", () => {
  const crew = { agents: [agent({ last_seen_at: ago(20) })], more: false };
  const once = applyToCrew(crew, event("session.seen"));
  expect(once).toMatchObject({ agents: [{ last_seen_at: ago(0) }] });
  if (once === readAgain) throw new Error("the event says it all");
  expect(applyToCrew(once, event("agent.heartbeat"))).toBe(once);
  expect(applyToCrew(once, event("session.seen", { ts: ago(50) }))).toBe(once);
  expect(applyToCrew(once, event("session.seen", { subject: "ag_2" }))).toBe(once);
  expect(applyToCrew({ agents: [agent({ status: "offline" })], more: false }, event("session.seen"))).toBe(readAgain);
});

test("[SN20] an agent whose page is open is read again when it is heard of, since no event says by which way", () => {
  const crew = { agents: [agent()], more: false };
  const { applyEvent } = memberReading("ag_1");
  expect(applyEvent?.(crew, event("session.seen"))).toBe(readAgain);
  expect(applyEvent?.(crew, event("session.seen", { subject: "ag_2" }))).toBe(crew);
});

test.each([
  "agent.registered",
  "session.started",
  "session.snapshotTaken",
  "session.ended",
  "claim.taken",
  "context.published",
  "span.recorded",
  "task.started",
])("[DT3] after %s agents are read again", (kind) => {
  expect(applyToCrew({ agents: [], more: false }, event(kind))).toBe(readAgain);
});

test("[DT3] other events change nothing", () => {
  const crew = { agents: [], more: false };
  expect(applyToCrew(crew, event("message.sent"))).toBe(crew);
});

test("[DT3] who is working comes first, then who is idle, silent and offline; words are looked for everywhere", () => {
  const gone = agent({ id: "ag_gone", status: "offline", last_seen_at: ago(0) });
  const silent = agent({ id: "ag_silent", last_seen_at: ago(45) });
  const idle = agent({ id: "ag_idle", branch: "pages" });
  const task = { id: "tk_1", name: "Paint", status: "active", since: ago(5) } as const;
  const working = agent({ id: "ag_working", status: "working", tasks: [task], last_seen_at: ago(9) });
  const all = [gone, silent, idle, working];
  expect(chooseAgents(all, "", now).map(({ id }) => id)).toEqual(["ag_working", "ag_idle", "ag_silent", "ag_gone"]);
  expect(chooseAgents(all, "PAGES", now)).toEqual([idle]);
  expect(chooseAgents(all, "paint", now)).toEqual([working]);
});

test("[DT3] a row says in few words what was changed and who it is", () => {
  const files = { taken_at: null, head: null, dirty_files: [], unpushed_files: [] };
  const changed = (dirty_total: number) =>
    sayChanges(agent({ session: { ...session, snapshot: { ...files, dirty_total, unpushed_total: 0 } } }));
  expect(sayChanges(agent())).toBe("");
  expect(changed(0)).toBe("clean");
  expect(changed(2)).toBe("2 dirty");
  expect(sayIdentity({ name: "Ada", client: "claude_code", owner: "ada" })).toBe("claude-code · ada");
  expect(sayIdentity({ name: "@private", client: null, owner: "@private" })).toBe("");
});

const unsaid = { scope: null, description: null, action: null, component: null, repo: null, branch: null };
const side = {
  id: "tk_1",
  type: "task",
  title: "Pages",
  owner: "bob",
  status: "active",
  agent_id: null,
  ...unsaid,
  target_files: [],
} as const;
const other = {
  ...side,
  score: 0.9,
  reasons: [],
  suppressed_by: null,
  needs_verdict: true,
  shared_files: [],
  same_developer: false,
};
const comparison = (changes: Partial<Comparison> = {}): Comparison => ({
  id: "chk_1",
  check_id: "chk_1",
  warning_id: "warn_1",
  type: "task",
  title: "Pages",
  developer: "ada",
  mine: true,
  state: "waits",
  warning_status: "open",
  candidates: 1,
  score: 0.9,
  like: "Pages",
  work_ids: [],
  created_at: ago(1),
  expires_at: ago(-9),
  warning_reason: null,
  confirmation: null,
  work: { ...side, id: null },
  others: [other, { ...other, id: "tk_2", needs_verdict: false }],
  verdicts: [],
  ...changes,
});

test("[DT15] nothing is sent without a verdict for each candidate and a reason of ten characters", () => {
  const verdicts = { tk_1: "partial" } as const;
  expect(missingIn(comparison(), { verdicts: {}, reason: "Long enough a reason" })).toBe("Choose a verdict.");
  expect(missingIn(comparison(), { verdicts, reason: "   too short   " })).toContain("1 more character.");
  expect(missingIn(comparison(), { verdicts, reason: "Long enough a reason" })).toBeUndefined();
});

test.each([
  { when: "it waits", changes: {}, confirm: true, dismiss: true },
  { when: "it has run out", changes: { expires_at: ago(0) }, confirm: true, dismiss: true },
  { when: "it is somebody else's", changes: { mine: false }, confirm: false, dismiss: false },
  { when: "it is confirmed", changes: { state: "confirmed" as const }, confirm: false, dismiss: false },
  { when: "it is a plan's", changes: { check_id: null, expires_at: null }, confirm: false, dismiss: true },
  {
    when: "it is settled",
    changes: { state: "settled" as const, warning_status: "judged" },
    confirm: false,
    dismiss: false,
  },
])("[DT15, DT16] what can be done when $when", ({ changes, confirm, dismiss }) => {
  const one = comparison(changes);
  expect({ confirm: canConfirm(one, now), dismiss: canDismiss(one) }).toEqual({ confirm, dismiss });
});

test("[DT14] a check runs out by the clock, and only what waits does", () => {
  expect(stateAt(comparison(), now)).toBe("waits");
  expect(stateAt(comparison(), now + 9 * 60_000)).toBe("expired");
  expect(stateAt(comparison({ state: "confirmed" }), now + 3_600_000)).toBe("confirmed");
  expect(["task.checked", "scope.confirmed", "warning.dismissed"].every((kind) => isAboutDoubts(event(kind)))).toBe(
    true,
  );
  expect(isAboutDoubts(event("agent.heartbeat"))).toBe(false);
});

test("[DT12] what keeps a match from escalating is said in words, unknown ones too", () => {
  expect(saySuppression("opposed_action")).toBe("no decision needed: opposite actions");
  expect(saySuppression("other_moon")).toBe("no decision needed: other moon");
});

test("[DT18] only what was said is sent, and a workstream has neither kind nor files", () => {
  const form = { ...emptyPlan, title: " Pages ", repo: "acme/shop", target_files: "a.ts\n\n b.ts " };
  expect(planArgs("task", form)).toEqual({
    title: "Pages",
    repo: "acme/shop",
    task_type: "feature",
    target_files: ["a.ts", "b.ts"],
  });
  expect(planArgs("workstream", form)).toEqual({ title: "Pages", repo: "acme/shop" });
  expect(workOf("task", form, "ada")).toMatchObject({ title: "Pages", owner: "ada", target_files: ["a.ts", "b.ts"] });
});
