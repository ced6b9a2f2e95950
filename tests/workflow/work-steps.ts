import fc from "fast-check";
import { expect } from "vitest";
import type { Caller } from "../../src/contract/caller.ts";
import type { TestHouse } from "../../src/testing/house.ts";
import {
  type Developer,
  type ModelAgent,
  type ModelTask,
  type ModelWorkflow,
  stepsOf,
  type WorkModel,
  type Write,
} from "./work-model.ts";

export interface Real {
  readonly house: TestHouse;
  readonly callers: readonly [Caller, Caller];
}

type Args = Record<string, unknown>;

/** One call of a tool by one developer, and the answer or the refusal's code that the model gives. */
interface Step {
  readonly tool: string;
  readonly args: Args;
  readonly by: Developer;
  expected(seen: unknown): unknown;
}

export let executed = 0;

/** A command that looks at the model when its turn comes. */
const commandOf = (what: object, plan: (model: WorkModel) => Step): fc.AsyncCommand<WorkModel, Real> => ({
  check: () => true,
  async run(model, { house, callers }) {
    house.clock.advance(1);
    model.now = house.clock.now();
    executed += 1;
    const { tool, args, by, expected } = plan(model);
    const reply = await house.reply(tool, args, callers[by]);
    const seen = reply.ok ? reply.value : reply.failure.code;
    expect(seen, tool).toEqual(expected(seen));
    // A granted call is a sign of life of the agent it is made for (AG22).
    const agent = model.agents.find(({ id }) => id === args["agent_id"]);
    if (agent && reply.ok) agent.lastBeat = model.now;
  },
  toString: () => JSON.stringify(what),
});

const pick = <T>(list: readonly T[], place: number): T => {
  const found = list[place % list.length];
  if (found === undefined) throw new Error("the model is empty");
  return found;
};

const place = fc.nat(30);
const isStranger = fc.nat(7).map((draw) => draw === 0);
const other = (developer: Developer): Developer => (developer === 0 ? 1 : 0);

/** Mostly who may write, sometimes who may not; mostly no number or the right one, sometimes an older one. */
const writer = fc.record({ isStranger, fence: fc.constantFrom("none", "none", "right", "right", "old") });

function writeTo(task: ModelTask, ask: { isStranger: boolean; fence: string }): Write {
  const owner = task.holder?.developer ?? task.workflow.developer;
  const fence = ask.fence === "none" ? undefined : ask.fence === "right" ? task.fence : Math.max(0, task.fence - 1);
  return { by: ask.isStranger ? other(owner) : owner, fence };
}

const fenceOf = ({ fence }: Write): Args => (fence === undefined ? {} : { fence });

const isAnyone = fc.nat(4).map((draw) => draw === 0);

const claim = fc.record({ task: place, agent: place, isStranger, isAnyone }).map((ask) =>
  commandOf({ claim: ask }, (model) => {
    const live = model.agents.filter((agent) => agent.isLive);
    const agent = pick(ask.isAnyone || live.length === 0 ? model.agents : live, ask.agent);
    const task = pick(model.tasks, ask.task);
    const by = ask.isStranger ? other(agent.developer) : agent.developer;
    return {
      tool: "task_claim",
      by,
      args: { task_id: task.id, agent_id: agent.id },
      expected: () => model.claim(task, agent, by),
    };
  }),
);

const release = fc.record({ task: place, agent: place, isHolder: fc.nat(3), isStranger }).map((ask) =>
  commandOf({ release: ask }, (model) => {
    const held = model.tasks.filter((task) => task.holder !== null);
    const task = ask.isHolder > 0 && held.length > 0 ? pick(held, ask.task) : pick(model.tasks, ask.task);
    const agent = ask.isHolder > 0 && task.holder !== null ? task.holder : pick(model.agents, ask.agent);
    const by = ask.isStranger ? other(agent.developer) : agent.developer;
    return {
      tool: "task_release",
      by,
      args: { task_id: task.id, agent_id: agent.id },
      expected: () => model.release(task, agent, by),
    };
  }),
);

const word = fc.constantFrom(
  "pending",
  "planning",
  "in_progress",
  "paused",
  "completed",
  "failed",
  "skipped",
  "blocked",
);

/** Mostly a legal step of a task that has one, so that runs get somewhere; sometimes any step of any task. */
const move = fc
  .record({ task: place, to: fc.option(word, { freq: 2 }), way: place, writer, outcome: fc.nat(5), error: fc.nat(5) })
  .map((ask) =>
    commandOf({ move: ask }, (model) => {
      const open = model.tasks.filter((task) => stepsOf(task.status).length > 0 && model.statusOf(task) !== "blocked");
      const task = pick(ask.to === null && open.length > 0 ? open : model.tasks, ask.task);
      const legal = stepsOf(task.status);
      const to = ask.to ?? pick(legal.length > 0 ? legal : ["planning"], ask.way);
      const write = writeTo(task, ask.writer);
      const words = {
        ...(to === "completed" && ask.outcome > 0 ? { outcome: `Outcome ${ask.outcome}` } : {}),
        ...(to === "failed" && ask.error > 0 ? { error: `Error ${ask.error}` } : {}),
      };
      return {
        tool: "task_update_status",
        by: write.by,
        args: { id: task.id, status: to, ...words, ...fenceOf(write) },
        expected: () => model.setStatus(task, to, write, words),
      };
    }),
  );

const plan = fc.record({ task: place, approach: fc.nat(9), writer }).map((ask) =>
  commandOf({ plan: ask }, (model) => {
    const task = pick(model.tasks, ask.task);
    const write = writeTo(task, ask.writer);
    const planned = { approach: `Way ${ask.approach}`, steps: [] };
    return {
      tool: "task_set_plan",
      by: write.by,
      args: { id: task.id, plan: planned, ...fenceOf(write) },
      expected: () => model.setPlan(task, planned, write),
    };
  }),
);

const replan = fc.record({ task: place, approach: fc.nat(9), writer }).map((ask) =>
  commandOf({ replan: ask }, (model) => {
    const ripe = model.tasks.filter((task) => task.status === "failed" || task.status === "in_progress");
    const task = pick(ripe.length > 0 ? ripe : model.tasks, ask.task);
    const write = writeTo(task, ask.writer);
    const planned = { approach: `New way ${ask.approach}`, steps: [] };
    return {
      tool: "task_replan",
      by: write.by,
      args: { id: task.id, reason: `Reason ${task.notes.length + 1}.`, new_plan: planned, ...fenceOf(write) },
      expected: () => withId(model.replan(task, planned, write), { checkpoint_id: expect.stringMatching(/^cp_/) }),
    };
  }),
);

const note = fc.record({ task: place, type: fc.constantFrom("progress", "decision", "error"), writer }).map((ask) =>
  commandOf({ note: ask }, (model) => {
    const task = pick(model.tasks, ask.task);
    const write = writeTo(task, ask.writer);
    const summary = `Note ${task.notes.length + 1}.`;
    return {
      tool: "checkpoint_add",
      by: write.by,
      args: { task_id: task.id, type: ask.type, summary, ...fenceOf(write) },
      expected: () => withId(model.note(task, ask.type, write), { id: expect.stringMatching(/^cp_/) }),
    };
  }),
);

const withId = (answer: object | string, id: object): unknown =>
  typeof answer === "string" ? answer : { ...answer, ...id };

const leave = fc.record({ agent: place, isStranger }).map((ask) =>
  commandOf({ leave: ask }, (model) => {
    const agent = pick(model.agents, ask.agent);
    return {
      tool: "agent_unregister",
      by: ask.isStranger ? other(agent.developer) : agent.developer,
      args: { id: agent.id },
      expected: () => (ask.isStranger ? "FORBIDDEN" : { success: true, tasks_released: model.leave(agent) }),
    };
  }),
);

const enlist = place.map((at) =>
  commandOf({ enlist: at }, (model) => {
    const gone = model.agents.filter((agent) => !agent.isLive);
    const agent = pick(gone.length > 0 ? gone : model.agents, at);
    const { developer, capabilities } = agent;
    // Under a name of its own: who registers again under the same one is the same agent (AG20).
    const name = `Anyone ${executed}`;
    return {
      tool: "agent_register",
      by: developer,
      args: { name, runtime: "custom", capabilities },
      expected(seen) {
        const { id } = seen as { id: string };
        const fresh: ModelAgent = { id, developer, capabilities, isLive: true, current: null, lastBeat: model.now };
        if (agent.isLive) model.agents.push(fresh);
        else model.agents[model.agents.indexOf(agent)] = fresh;
        return { id, name, status: "online" };
      },
    };
  }),
);

const beat = place.map((at) =>
  commandOf({ beat: at }, (model) => {
    const agent = pick(model.agents, at);
    return {
      tool: "agent_heartbeat",
      by: agent.developer,
      args: { agent_id: agent.id },
      expected() {
        if (!agent.isLive) return "INVALID_STATE";
        agent.lastBeat = model.now;
        return { success: true, next_heartbeat_ms: 30_000 };
      },
    };
  }),
);

/** Time passes, some agents give signs of life, and the house looks who is still there. */
const silence = fc.record({ minutes: fc.constantFrom(0.4, 0.7, 1.1), lively: fc.array(place, { maxLength: 3 }) }).map(
  (ask): fc.AsyncCommand<WorkModel, Real> => ({
    check: () => true,
    async run(model, { house, callers }) {
      house.clock.advance(ask.minutes * 60_000);
      model.now = house.clock.now();
      for (const agent of new Set(ask.lively.map((at) => pick(model.agents, at)))) {
        if (!agent.isLive) continue;
        await house.call("agent_heartbeat", { agent_id: agent.id }, callers[agent.developer]);
        agent.lastBeat = model.now;
      }
      await house.sweep();
      model.sweep();
    },
    toString: () => JSON.stringify({ silence: ask }),
  }),
);

const steer = fc
  .record({ workflow: place, to: fc.constantFrom("in_progress", "in_progress", "paused", "failed"), isStranger })
  .map((ask) =>
    commandOf({ steer: ask }, (model) => {
      const workflow = pick(model.workflows, ask.workflow);
      const by = ask.isStranger ? other(workflow.developer) : workflow.developer;
      return {
        tool: "workflow_update_status",
        by,
        args: { id: workflow.id, status: ask.to },
        expected: () => model.setWorkflowStatus(workflow, ask.to, by),
      };
    }),
  );

const next = fc.record({ workflow: place, includesFailed: fc.boolean() }).map((ask) =>
  commandOf({ next: ask }, (model) => {
    const workflow = pick(model.workflows, ask.workflow);
    return {
      tool: "workflow_next_tasks",
      by: 0,
      args: { workflow_id: workflow.id, include_failed: ask.includesFailed },
      expected: () => model.next(workflow, ask.includesFailed),
    };
  }),
);

const progress = place.map((at) =>
  commandOf({ progress: at }, (model) => {
    const workflow = pick(model.workflows, at);
    return {
      tool: "workflow_progress",
      by: 1,
      args: { workflow_id: workflow.id },
      expected: () => model.progress(workflow),
    };
  }),
);

const available = fc.record({ agent: place, workflow: fc.option(place) }).map((ask) =>
  commandOf({ available: ask }, (model) => {
    const agent = pick(model.agents, ask.agent);
    // Other runs' workflows are still there, so that without one the answer is only searched.
    const workflow: ModelWorkflow = pick(model.workflows, ask.workflow ?? 0);
    return {
      tool: "task_get_available",
      by: agent.developer,
      args: { agent_id: agent.id, workflow_id: workflow.id, limit: 100 },
      expected(seen) {
        const { tasks } = seen as { tasks: { id: string }[] };
        expect(tasks.map((task) => task.id)).toEqual(model.available(agent, workflow));
        return seen;
      },
    };
  }),
);

/** Every kind of step; what moves work on counts more, because idle work teaches little. */
export const steps = [
  claim,
  claim,
  claim,
  ...Array<typeof move>(9).fill(move),
  release,
  plan,
  replan,
  note,
  leave,
  enlist,
  beat,
  silence,
  steer,
  next,
  progress,
  available,
];
