import fc from "fast-check";
import { expect } from "vitest";
import type { LedgerEntry } from "../../src/contract/event.ts";
import {
  type Expected,
  type GateModel,
  isOpen,
  type Keys,
  type ModelCheck,
  type ModelTask,
  type ModelWorker,
  mostAsked,
  type Verdict,
} from "./gate-model.ts";
import { type Answer, candidateIds, idOf, type Worker } from "./work-scene.ts";

export interface Real {
  readonly workers: readonly Worker[];
  readonly titles: readonly string[];
  /** The last place of the ledger that was looked at. */
  seen: number;
}

export let executed = 0;
/** How often a start ended in each way, so that a run that never met one of them is noticed. */
export const met = new Map<string, number>();

type Command = fc.AsyncCommand<GateModel, Real>;
type Run = (model: GateModel, real: Real) => Promise<void>;

const commandOf = (what: object, run: Run): Command => ({
  check: () => true,
  async run(model, real) {
    const { clock } = (real.workers[0] as Worker).house;
    clock.advance(1);
    model.now = clock.now();
    executed += 1;
    await run(model, real);
  },
  toString: () => JSON.stringify(what),
});

const pick = <T>(list: readonly T[], place: number): T | undefined => list[place % Math.max(1, list.length)];
const place = fc.nat(30);
const actorOf = ({ caller, session }: Worker): ModelWorker => ({
  developer: caller.developerId,
  session: session ?? null,
});

/** Where more has escalated than is asked about, which of it is asked is the server's choice. */
function expectCandidates(answer: Answer, all: readonly string[]): string[] {
  const seen = candidateIds(answer);
  expect(seen).toHaveLength(Math.min(all.length, mostAsked));
  expect(all).toEqual(expect.arrayContaining(seen));
  return seen;
}

const check = fc.record({ worker: place, title: place, planned: place, isOfPlan: fc.boolean() }).map((ask) =>
  commandOf({ check: ask }, async (model, { workers, titles }) => {
    const worker = pick(workers, ask.worker) as Worker;
    const actor = actorOf(worker);
    const own = model.tasks.filter((task) => task.status === "planned" && task.developer === actor.developer);
    const planned = ask.isOfPlan ? pick(own, ask.planned) : undefined;
    const title = planned?.title ?? (pick(titles, ask.title) as string);
    const answer = await worker.check(title, planned ? { planned_task_id: planned.id } : {});
    const plannedId = planned?.id ?? null;
    const escalated = model.escalated(actor, title, plannedId);
    expect(answer.status).toBe(escalated.length > 0 ? "warning" : "ok");
    expect(answer.data["requires_verdict"]).toBe(escalated.length > 0);
    const asked = expectCandidates(answer, escalated);
    const { check_id, warning_id } = answer.data as { check_id: string; warning_id: string | null };
    model.addCheck(actor, { id: check_id, title, plannedId, warningId: warning_id, asked, known: new Set(escalated) });
  }),
);

const plan = fc.record({ worker: place, title: place }).map((ask) =>
  commandOf({ plan: ask }, async (model, { workers, titles }) => {
    const worker = pick(workers, ask.worker) as Worker;
    const actor = actorOf(worker);
    const title = pick(titles, ask.title) as string;
    const answer = await worker.plan(title);
    const escalated = model.escalated(actor, title, null);
    expect(answer.status).toBe(escalated.length > 0 ? "warning" : "ok");
    expectCandidates(answer, escalated);
    model.tasks.push({ ...actor, id: idOf(answer), title, status: "planned" });
  }),
);

const keysOf = fc.record({
  which: fc.constantFrom("latest", "latest", "latest", "none", "none", "old", "foreign"),
  verdict: fc.constantFrom("all", "all", "all", "same", "same", "none", "some", "more", "twice"),
  isConfirmed: fc.boolean(),
  isOlderWay: fc.nat(5).map((draw) => draw === 0),
  place,
});
type KeyAsk = typeof keysOf extends fc.Arbitrary<infer Value> ? Value : never;

function chooseKeys(model: GateModel, actor: ModelWorker, title: string, plannedId: string | null, ask: KeyAsk): Keys {
  const mine = model.checks.filter(
    (one) => one.developer === actor.developer && one.title === title && one.plannedId === plannedId,
  );
  const foreign = model.checks.filter((one) => one.developer !== actor.developer);
  const latest = mine.at(-1);
  if (ask.isOlderWay) return { warningId: latest?.warningId ?? undefined, isConfirmed: ask.isConfirmed };
  const byName: Record<string, ModelCheck | undefined> = {
    latest,
    old: pick(mine, ask.place),
    foreign: pick(foreign, ask.place),
  };
  const named = byName[ask.which];
  return { checkId: named?.id, verdicts: verdictsOn(named ?? latest, ask), isConfirmed: ask.isConfirmed };
}

function verdictsOn(check: ModelCheck | undefined, { verdict }: KeyAsk): Verdict[] | undefined {
  if (!check || verdict === "none") return undefined;
  const all = check.asked.map((candidate, at) => ({
    candidate,
    verdict: verdict === "same" && at === 0 ? "same_scope" : at % 2 === 0 ? "different_scope" : "partial",
  }));
  if (verdict === "some") return all.slice(1);
  if (verdict === "more") return [...all, { candidate: "tk_other", verdict: "partial" }];
  return verdict === "twice" ? [...all, ...all.slice(0, 1)] : all;
}

const argsOf = ({ checkId, verdicts, warningId, isConfirmed }: Keys): Record<string, unknown> => ({
  ...(checkId === undefined ? {} : { check_id: checkId }),
  ...(verdicts === undefined
    ? {}
    : {
        scope_verdict: verdicts.map(({ candidate, verdict }) => ({
          candidate_id: candidate,
          verdict,
          reason: "Read and compared.",
        })),
      }),
  ...(warningId == null ? {} : { warning_id: warningId }),
  ...(isConfirmed ? { confirmation_reason: "It is wanted twice." } : {}),
});

interface Start {
  readonly worker: Worker;
  readonly title: string;
  readonly planned: ModelTask | undefined;
  readonly keys: Keys;
}

/** What was recorded since the last time. */
async function readOn(real: Real, { house }: Worker): Promise<LedgerEntry[]> {
  const entries = await house.entries("work", real.seen);
  real.seen = entries.at(-1)?.seq ?? real.seen;
  return entries;
}

async function runStart(model: GateModel, real: Real, { worker, title, planned, keys }: Start): Promise<void> {
  const actor = actorOf(worker);
  const plannedId = planned?.id ?? null;
  const expected = model.start(actor, title, plannedId, keys);
  await readOn(real, worker);
  const answer = planned
    ? await worker.task("start_planned", { task_id: planned.id, ...argsOf(keys) })
    : await worker.start(title, argsOf(keys));
  const name = expected.code ?? "started";
  met.set(name, (met.get(name) ?? 0) + 1);
  expect(answer.data["code"]).toBe(name === "started" ? undefined : name.replace("_ANEW", ""));
  compareBlock(model, { actor, title, plannedId, keys }, expected, answer);
  const events = (await readOn(real, worker)).filter(({ kind }) => !kind.startsWith("workstream."));
  const judged = events.find(({ announced }) => announced === "scope.judged");
  if (expected.code !== undefined) {
    expect(events.map(({ announced }) => announced)).toEqual(name.endsWith("_ANEW") ? ["task.checked"] : []);
    return;
  }
  expect(events.slice(0, 2).map(({ announced }) => announced)).toEqual([
    planned ? "task:updated" : "task:created",
    "task.started",
  ]);
  expect(judged?.data["verdicts"]).toEqual(
    expected.judged.length === 0
      ? undefined
      : expected.judged.map(({ candidate, verdict }) => ({ candidate_id: candidate, verdict })),
  );
  expect(judged?.data["duplicate"]).toBe(judged === undefined ? undefined : expected.isDuplicate);
  expected.check.isUsed = true;
  if (planned) {
    planned.status = "active";
    planned.session = actor.session ?? planned.session;
  } else model.tasks.push({ ...actor, id: idOf(answer), title, status: "active" });
}

function compareBlock(
  model: GateModel,
  about: { actor: ModelWorker; title: string; plannedId: string | null; keys: Keys },
  expected: Expected,
  answer: Answer,
): void {
  if (expected.code === undefined || expected.code === "CHECK_REQUIRED") return;
  if (expected.code !== "VERDICT_REQUIRED_ANEW") {
    expect(answer.data["check_id"]).toBe(expected.check.id);
    expect(candidateIds(answer).sort()).toEqual([...expected.candidates].sort());
    return;
  }
  const { check_id, warning_id } = answer.data as { check_id: string; warning_id: string };
  expect(model.checks.map(({ id }) => id)).not.toContain(check_id);
  const { from, candidates, judged } = expected;
  model.addCheck(about.actor, {
    id: check_id,
    title: about.title,
    plannedId: about.plannedId,
    warningId: warning_id,
    asked: expectCandidates(answer, candidates),
    known: new Set([...from.known, ...from.asked, ...candidates]),
    judged,
  });
}

/** Mostly somebody who has a check that counts, so that most starts get as far as the gate; sometimes just anybody. */
const isAimed = fc.nat(5).map((draw) => draw > 0);

function aim(model: GateModel, { workers }: Real, ask: { place: number; isAimed: boolean; isOfPlan: boolean }) {
  const live = model.checks.filter(
    (one) => !one.isUsed && one.expiresAt > model.now && (one.plannedId !== null) === ask.isOfPlan,
  );
  const check = ask.isAimed ? pick(live, ask.place) : undefined;
  const own = workers.filter(({ caller }) => check === undefined || caller.developerId === check.developer);
  return { check, worker: pick(own, ask.place) as Worker };
}

const start = fc.record({ place, isAimed, title: place, keys: keysOf }).map((ask) =>
  commandOf({ start: ask }, async (model, real) => {
    const { check, worker } = aim(model, real, { ...ask, isOfPlan: false });
    const title = check?.title ?? (pick(real.titles, ask.title) as string);
    const keys = chooseKeys(model, actorOf(worker), title, null, ask.keys);
    await runStart(model, real, { worker, title, planned: undefined, keys });
  }),
);

const startPlanned = fc.record({ place, isAimed, task: place, keys: keysOf }).map((ask) =>
  commandOf({ startPlanned: ask }, async (model, real) => {
    const { check, worker } = aim(model, real, { ...ask, isOfPlan: true });
    const actor = actorOf(worker);
    const own = model.tasks.filter((task) => task.status === "planned" && task.developer === actor.developer);
    const planned = own.find(({ id }) => id === check?.plannedId) ?? pick(own, ask.task);
    if (!planned) return;
    const keys = chooseKeys(model, actor, planned.title, planned.id, ask.keys);
    await runStart(model, real, { worker, title: planned.title, planned, keys });
  }),
);

const end = fc.record({ task: place, how: fc.constantFrom("complete", "cancel", "block") }).map((ask) =>
  commandOf({ end: ask }, async (model, { workers }) => {
    const task = pick(model.tasks.filter(isOpen), ask.task);
    const owner = workers.find(({ caller }) => caller.developerId === task?.developer);
    if (!task || !owner || (task.status === "planned" && ask.how !== "cancel")) return;
    const task_id = task.id;
    if (ask.how === "complete") await owner.task("complete", { task_id, result_summary: "Done." });
    else if (ask.how === "cancel") await owner.task("cancel", { task_id, reason: "Not wanted." });
    else await owner.task("update", { task_id, status: "blocked" });
    task.status = ask.how === "complete" ? "done" : ask.how === "cancel" ? "cancelled" : "blocked";
  }),
);

const minute = 60_000;
const waits = [1_000, 1_000, minute, minute, 5 * minute, 10 * minute - 2, 11 * minute, 15 * 24 * 60 * minute];
const wait = fc.constantFrom(...waits).map((ms) =>
  commandOf({ wait: ms }, async (_model, { workers }) => {
    (workers[0] as Worker).house.clock.advance(ms);
  }),
);

/** Mostly what the protocol is about: checks, and starts after them. */
export const steps = fc.commands([check, check, check, plan, start, start, startPlanned, end, wait], {
  maxCommands: 40,
  size: "max",
});
