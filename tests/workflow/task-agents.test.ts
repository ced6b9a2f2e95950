import { expect, test } from "vitest";
import type { TestHouse } from "../../src/testing/house.ts";
import { forEachStillStore, traceOf } from "../domain/still-house.ts";
import { bring, claim, planned } from "./work.ts";

/** An agent that holds a task in each state, and has finished one. */
async function busyAgent(house: TestHouse) {
  const names = ["done", "failed", "pending", "planning", "running", "paused"];
  const { id, task } = await planned(
    house,
    names.map((name, at) => ({ name, sequence: at })),
  );
  const agent = await house.agent("Ada");
  for (const name of names) await claim(house, task(name), agent);
  await bring(house, task("done"), "completed");
  await bring(house, task("failed"), "failed");
  await bring(house, task("planning"), "planning");
  await bring(house, task("running"), "in_progress");
  await bring(house, task("paused"), "paused");
  return { id, task, agent, held: ["pending", "planning", "running", "paused"] };
}

const released = (
  { id, task, agent, held }: Awaited<ReturnType<typeof busyAgent>>,
  reason: string,
  developerId: string | null,
) =>
  held.map((name) => ({
    kind: "task.released",
    announced: "task:updated",
    subject: task(name),
    channels: [`task:${task(name)}`, `workflow:${id}`, `agent:${agent}`],
    data: { workflow_id: id, agent_id: agent, reason, status: "planned" },
    developerId,
  }));

async function expectAllFree(house: TestHouse, { task, agent, held }: Awaited<ReturnType<typeof busyAgent>>) {
  for (const name of held) {
    expect(await house.call("task_get", { id: task(name) })).toMatchObject({ status: "pending", claimed_by: null });
  }
  expect(await house.call("task_get", { id: task("done") })).toMatchObject({ status: "completed", claimed_by: agent });
  expect(await house.call("task_get", { id: task("failed") })).toMatchObject({ status: "failed", claimed_by: null });
}

forEachStillStore("agents that leave", (open) => {
  test("[TK22] unregistering gives back what the agent held and says how much that was", async () => {
    const house = await open();
    const busy = await busyAgent(house);
    const { agent } = busy;
    const { work } = await traceOf(house, async () => {
      expect(await house.call("agent_unregister", { id: agent })).toEqual({ success: true, tasks_released: 4 });
    });
    expect(work.map((entry) => entry.kind)).toEqual(["agent.unregistered", ...Array(4).fill("task.released")]);
    expect(work.slice(1)).toEqual(released(busy, "the agent went offline", house.owner.developerId));
    await expectAllFree(house, busy);
    expect(await house.call("agent_unregister", { id: agent })).toEqual({ success: true, tasks_released: 0 });
  });

  test("[TK22] so does an update that takes it offline", async () => {
    const house = await open();
    const busy = await busyAgent(house);
    const { work } = await traceOf(house, () => house.call("agent_update", { id: busy.agent, status: "offline" }));
    expect(work.slice(1)).toEqual(released(busy, "the agent went offline", house.owner.developerId));
    await expectAllFree(house, busy);
  });

  test("[TK23] a silent agent's tasks return to the queue and every return is announced", async () => {
    const house = await open();
    const busy = await busyAgent(house);
    house.clock.advance(60_000);
    expect(await house.eventsOf(() => house.sweep())).toEqual([]);
    house.clock.advance(1);
    const { work } = await traceOf(house, () => house.sweep());
    expect(work.map((entry) => entry.kind)).toEqual(["agent.wentStale", ...Array(4).fill("task.released")]);
    expect(work.slice(1)).toEqual(released(busy, "the agent went offline", null));
    await expectAllFree(house, busy);
    expect(await house.eventsOf(() => house.sweep())).toEqual([]);
  });

  test("[TK23] of many silent agents each returns its own, and the lively ones keep theirs", async () => {
    const house = await open();
    const tasks = Array.from({ length: 6 }, (_, at) => ({ name: `t${at}` }));
    const { task } = await planned(house, tasks);
    const agents = await Promise.all(tasks.map((_, at) => house.agent(`Agent ${at}`)));
    for (const [at, agent] of agents.entries()) await claim(house, task(`t${at}`), agent);
    house.clock.advance(40_000);
    for (const agent of agents.slice(3)) await house.call("agent_heartbeat", { agent_id: agent });
    house.clock.advance(40_000);
    await house.sweep();
    for (const [at, agent] of agents.entries()) {
      const holder = at < 3 ? null : agent;
      expect(await house.call("task_get", { id: task(`t${at}`) })).toMatchObject({ claimed_by: holder });
    }
  });
});
