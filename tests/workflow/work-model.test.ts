import fc from "fast-check";
import { expect, test } from "vitest";
import { forEachStillStore } from "../domain/still-house.ts";
import { planned } from "./work.ts";
import { type Developer, WorkModel } from "./work-model.ts";
import { executed, type Real, steps } from "./work-steps.ts";

const names = ["a", "b", "c", "d"];

/** How each task of a workflow depends on those before it. */
const shape = fc.record({
  edges: fc.array(fc.tuple(fc.nat(3), fc.nat(3)), { maxLength: 6 }),
  sequences: fc.array(fc.nat(4), { minLength: 4, maxLength: 4 }),
  maxParallel: fc.integer({ min: 1, max: 4 }),
});
type Shape = { edges: [number, number][]; sequences: number[]; maxParallel: number };

let begun = 0;

/** A workflow and two agents for each of two developers, new for every run: one house serves all runs. */
async function begin({ house, callers }: Real, shapes: readonly Shape[]): Promise<WorkModel> {
  const model = new WorkModel();
  for (const developer of [0, 1, 0, 1] as Developer[]) {
    const capabilities = model.agents.length < 2 ? ["rust"] : [];
    begun += 1;
    const id = await house.agent(`First ${begun}`, callers[developer], { capabilities });
    const lastBeat = house.clock.now();
    model.agents.push({ id, developer, capabilities, isLive: true, current: null, lastBeat });
  }
  for (const [developer, { edges, sequences, maxParallel }] of shapes.entries()) {
    const tasks = names.map((name, at) => ({
      name,
      sequence: sequences[at] ?? 0,
      depends_on: [
        ...new Set(edges.filter(([to, from]) => to === at && from < at).map(([, from]) => names[from] ?? "")),
      ],
      ...(at % 3 === 0 ? {} : { parallel_group: `g${at % 3}` }),
      required_capabilities: at === 3 ? ["rust"] : [],
    }));
    const by = developer as Developer;
    const { id, task } = await planned(house, tasks, { max_parallel_tasks: maxParallel }, callers[by]);
    const workflow = { id, developer: by, maxParallel, status: "ready" };
    model.workflows.push(workflow);
    const createdAt = house.clock.now();
    for (const one of tasks) {
      model.tasks.push({
        id: task(one.name),
        name: one.name,
        workflow,
        sequence: one.sequence,
        group: one.parallel_group ?? null,
        capabilities: one.required_capabilities,
        dependsOn: one.depends_on.map(task),
        notes: [],
        status: "pending",
        plan: null,
        outcome: null,
        error: null,
        holder: null,
        fence: 0,
        startedAt: null,
        endedAt: null,
        createdAt,
        updatedAt: createdAt,
      });
    }
  }
  return model;
}

const timeOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** Every task, checkpoint, dependency and agent is what the model says. */
async function finish(model: WorkModel, { house, callers }: Real): Promise<void> {
  for (const task of model.tasks) {
    const { checkpoints, ...record } = await house.call<{ checkpoints: Record<string, unknown>[] }>("task_get", {
      id: task.id,
      include_checkpoints: true,
    });
    expect(record).toMatchObject({
      status: model.statusOf(task),
      plan: task.plan,
      outcome: task.outcome,
      error: task.error,
      claimed_by: task.holder?.id ?? null,
      fence: task.fence,
      started_at: timeOf(task.startedAt),
      completed_at: timeOf(task.endedAt),
      created_at: timeOf(task.createdAt),
      updated_at: timeOf(task.updatedAt),
    });
    expect(
      checkpoints.map(({ sequence, type, summary, superseded }) => ({ sequence, type, summary, superseded })),
    ).toEqual(task.notes);
    const blockers = model.blockers(task).map((one) => one.id);
    const { satisfied, pending } = await house.call<{ satisfied: boolean; pending: { id: string }[] }>(
      "task_check_dependencies",
      { task_id: task.id },
    );
    expect({ satisfied, pending: pending.map((one) => one.id) }).toEqual({
      satisfied: blockers.length === 0,
      pending: blockers,
    });
    const context = JSON.stringify(await house.call("task_load_context", { task_id: task.id }));
    for (const note of task.notes.filter((one) => one.superseded)) expect(context).not.toContain(note.summary);
  }
  for (const agent of model.agents) {
    const status = agent.isLive ? (agent.current === null ? "online" : "busy") : "offline";
    expect(await house.call("agent_get", { id: agent.id }, callers[0])).toMatchObject({
      status,
      current_task_id: agent.current,
    });
  }
}

/** The agents go, so that no later run's sweep finds them. */
const leave = (model: WorkModel, { house, callers }: Real): Promise<unknown> =>
  Promise.all(model.agents.map(({ id, developer }) => house.call("agent_unregister", { id }, callers[developer])));

forEachStillStore("work against a model", (open, kind) => {
  test("[TK30] any sequence of calls leaves what the model says", async () => {
    const house = await open();
    const real: Real = { house, callers: [house.owner, (await house.developer("bob")).caller] };
    const before = executed;
    const numRuns = kind === "sqlite" ? 100 : 12;
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(shape, shape),
        fc.commands(steps, { maxCommands: 100, size: "max" }),
        async (shapes, commands) => {
          const model = await begin(real, shapes as Shape[]);
          try {
            await fc.asyncModelRun(() => ({ model, real }), commands);
            await finish(model, real);
          } finally {
            await leave(model, real);
          }
        },
      ),
      { numRuns },
    );
    expect(executed - before).toBeGreaterThan(kind === "sqlite" ? 2_000 : 200);
  });
});
