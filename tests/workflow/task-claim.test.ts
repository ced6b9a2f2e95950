import { expect, test } from "vitest";
import { forEachStillStore, momentAt, traceOf, usedWell, wasRefused } from "../domain/still-house.ts";
import { bring, claim, oneTask, planned, statusOf } from "./work.ts";

forEachStillStore("claims", (open) => {
  test("[TK15] a claim is granted with a number, makes the agent busy and is recorded", async () => {
    const house = await open();
    const { id: workflowId, task } = await planned(house, [{ name: "a" }]);
    const [id, agent] = [task("a"), await house.agent("Ada")];
    house.clock.advance(2);
    const trace = await traceOf(house, async () => {
      expect(await claim(house, id, agent)).toEqual({ success: true, fence: 1 });
    });
    const by = { developerId: house.owner.developerId };
    expect(trace).toEqual({
      work: [
        {
          kind: "task.claimed",
          announced: "task:updated",
          subject: id,
          channels: [`task:${id}`, `workflow:${workflowId}`, `agent:${agent}`],
          data: { workflow_id: workflowId, agent_id: agent, fence: 1 },
          ...by,
        },
        {
          kind: "agent.updated",
          announced: "agent:updated",
          subject: agent,
          channels: [`agent:${agent}`],
          data: { fields: ["status", "current_task_id"], status: "busy" },
          ...by,
        },
      ],
      usage: [usedWell("task_claim", agent)],
    });
    expect(await house.call("task_get", { id })).toMatchObject({
      claimed_by: agent,
      fence: 1,
      status: "pending",
      updated_at: momentAt(2),
    });
    expect(await house.call("agent_get", { id: agent })).toMatchObject({ status: "busy", current_task_id: id });
  });

  test("[TK16] the same agent claims again with the same answer, and nothing happens", async () => {
    const house = await open();
    const [id, agent] = [await oneTask(house), await house.agent("Ada")];
    const first = await claim(house, id, agent);
    const trace = await traceOf(house, async () => {
      expect(await claim(house, id, agent)).toEqual(first);
    });
    expect(trace).toEqual({ work: [], usage: [usedWell("task_claim", agent)] });
  });

  test("[TK17] another agent is told who holds it, and nothing happens", async () => {
    const house = await open();
    const [id, ada, bob] = [await oneTask(house), await house.agent("Ada"), await house.agent("Bob")];
    await claim(house, id, ada);
    const trace = await traceOf(house, async () => {
      expect(await claim(house, id, bob)).toEqual({ success: false, already_claimed_by: ada });
    });
    expect(trace).toEqual({ work: [], usage: [usedWell("task_claim", bob)] });
    expect(await house.call("agent_get", { id: bob })).toMatchObject({ status: "online", current_task_id: null });
  });

  for (const status of ["completed", "skipped"]) {
    test(`[TK18] task_claim of a ${status} task is refused with INVALID_STATE, for who did it as well`, async () => {
      const house = await open();
      const [id, ada] = [await oneTask(house), await house.agent("Ada")];
      await claim(house, id, ada);
      await bring(house, id, status);
      const trace = await traceOf(house, async () => {
        const args = { task_id: id, agent_id: ada };
        expect(await house.refusal("task_claim", args)).toBe("INVALID_STATE");
      });
      expect(trace).toEqual({ work: [], usage: [wasRefused("task_claim", "INVALID_STATE")] });
    });
  }

  test("[TK18] an agent that is offline claims nothing", async () => {
    const house = await open();
    const [id, ada] = [await oneTask(house), await house.agent("Ada")];
    await house.call("agent_unregister", { id: ada });
    expect(await house.refusal("task_claim", { task_id: id, agent_id: ada })).toBe("INVALID_STATE");
    expect(await house.call("task_get", { id })).toMatchObject({ claimed_by: null, fence: 0 });
  });

  test("[TK21] anyone in the team may take part in a workflow with agents of their own, and with no others", async () => {
    const house = await open();
    const { caller: bob } = await house.developer("bob");
    const id = await oneTask(house);
    const [mine, his] = [await house.agent("Mine"), await house.agent("His", bob)];
    expect(await house.refusal("task_claim", { task_id: id, agent_id: mine }, bob)).toBe("FORBIDDEN");
    expect(await claim(house, id, his, bob)).toEqual({ success: true, fence: 1 });
    await bring(house, id, "completed", bob);
    expect(await statusOf(house, id)).toBe("completed");
  });

  test("[TK21] what waits for others, has failed or is paused can be claimed too", async () => {
    const house = await open();
    const { task } = await planned(house, [
      { name: "a" },
      { name: "waits", depends_on: ["a"] },
      { name: "failed" },
      { name: "paused" },
    ]);
    await bring(house, task("failed"), "failed");
    await bring(house, task("paused"), "paused");
    const agent = await house.agent("Ada");
    for (const name of ["waits", "failed", "paused"]) {
      expect(await claim(house, task(name), agent)).toEqual({ success: true, fence: 1 });
    }
  });
});

forEachStillStore("giving back", (open) => {
  for (const { from, to } of [
    { from: "pending", to: "pending" },
    { from: "planning", to: "pending" },
    { from: "in_progress", to: "pending" },
    { from: "paused", to: "pending" },
  ]) {
    test(`[TK20] a task that is ${from} is ${to} and free after it is given back`, async () => {
      const house = await open();
      const { id: workflowId, task } = await planned(house, [{ name: "a" }]);
      const [id, agent] = [task("a"), await house.agent("Ada")];
      await claim(house, id, agent);
      await bring(house, id, from);
      const trace = await traceOf(house, async () => {
        const args = { task_id: id, agent_id: agent, reason: "Out of time" };
        expect(await house.call("task_release", args)).toEqual({ success: true });
      });
      const by = { developerId: house.owner.developerId };
      expect(trace).toEqual({
        work: [
          {
            kind: "task.released",
            announced: "task:updated",
            subject: id,
            channels: [`task:${id}`, `workflow:${workflowId}`, `agent:${agent}`],
            data: { workflow_id: workflowId, agent_id: agent, reason: "Out of time", status: "planned" },
            ...by,
          },
          {
            kind: "agent.updated",
            announced: "agent:updated",
            subject: agent,
            channels: [`agent:${agent}`],
            data: { fields: ["status", "current_task_id"], status: "online" },
            ...by,
          },
        ],
        usage: [usedWell("task_release", agent)],
      });
      expect(await house.call("task_get", { id })).toMatchObject({ status: to, claimed_by: null, started_at: null });
      expect(await house.call("agent_get", { id: agent })).toMatchObject({ status: "online", current_task_id: null });
      const { tasks } = await house.call<{ tasks: { id: string }[] }>("task_get_available", { agent_id: agent });
      expect(tasks.map((one) => one.id)).toEqual([id]);
    });
  }

  test("[TK20] what has failed and was claimed again stays failed when it is given back", async () => {
    const house = await open();
    const [id, agent] = [await oneTask(house), await house.agent("Ada")];
    await bring(house, id, "failed");
    await claim(house, id, agent);
    await house.call("task_release", { task_id: id, agent_id: agent });
    expect(await house.call("task_get", { id })).toMatchObject({
      status: "failed",
      claimed_by: null,
      error: "It broke.",
    });
  });

  test("[TK20] nobody gives back what they do not hold", async () => {
    const house = await open();
    const { caller: bob } = await house.developer("bob");
    const [id, ada, other] = [await oneTask(house), await house.agent("Ada"), await house.agent("Other")];
    const release = (agent: string, by = house.owner) =>
      house.refusal("task_release", { task_id: id, agent_id: agent }, by);
    expect(await release(ada)).toBe("NOT_CLAIMED");
    await claim(house, id, ada);
    expect(await release(other)).toBe("NOT_CLAIMED");
    expect(await release(ada, bob)).toBe("FORBIDDEN");
    expect(await release(await house.agent("His", bob), bob)).toBe("NOT_CLAIMED");
    await bring(house, id, "completed");
    expect(await release(ada)).toBe("NOT_CLAIMED");
  });

  test("[TK20] an agent that holds another task stays busy with it", async () => {
    const house = await open();
    const agent = await house.agent("Ada");
    const [first, second] = [await oneTask(house), await oneTask(house)];
    await claim(house, first, agent);
    await claim(house, second, agent);
    await house.call("task_release", { task_id: first, agent_id: agent });
    expect(await house.call("agent_get", { id: agent })).toMatchObject({ status: "busy", current_task_id: second });
  });
});
