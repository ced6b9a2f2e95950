import { expect, test } from "vitest";
import { prepareExamples } from "../contract/examples.ts";
import { forEachStillStore, momentAt, traceOf, usedWell, wasRefused } from "./still-house.ts";

forEachStillStore("agents that act", (open) => {
  test("[AG1] registering answers the id, the name and the status, and is recorded once", async () => {
    const house = await open();
    let reply: Record<string, unknown> = {};

    const trace = await traceOf(house, async () => {
      reply = await house.call("agent_register", { name: "  Ada  ", runtime: "codex", role: "coordinator" });
    });

    const id = String(reply["id"]);
    expect(reply).toEqual({ id: expect.stringMatching(/^ag_[0-9a-z]{26}$/), name: "Ada", status: "online" });
    expect(trace).toEqual({
      work: [
        {
          kind: "agent.registered",
          announced: "agent:registered",
          subject: id,
          channels: [`agent:${id}`],
          data: { name: "Ada", runtime: "codex", role: "coordinator", status: "online" },
          developerId: house.owner.developerId,
        },
      ],
      usage: [usedWell("agent_register")],
    });
  });

  test("[AG2] what a registration leaves out is a worker without capabilities, folder or metadata", async () => {
    const house = await open();
    const id = await house.agent("Ada");
    expect(await house.call("agent_get", { id })).toMatchObject({
      role: "worker",
      capabilities: [],
      workspace_path: null,
      metadata: {},
      current_task_id: null,
    });
  });

  for (const { what, ask, keyword } of [
    { what: "a blank name", ask: { name: "  " }, keyword: "minLength" },
    { what: "a name of 201 characters", ask: { name: "n".repeat(201) }, keyword: "maxLength" },
    { what: "an unknown runtime", ask: { runtime: "emacs" }, keyword: "enum" },
    { what: "an unknown role", ask: { role: "owner" }, keyword: "enum" },
    { what: "101 capabilities", ask: { capabilities: Array(101).fill("x") }, keyword: "maxItems" },
    { what: "a capability of 101 characters", ask: { capabilities: ["x".repeat(101)] }, keyword: "maxLength" },
    { what: "a folder of 4,097 characters", ask: { workspace_path: "/".repeat(4_097) }, keyword: "maxLength" },
    { what: "metadata that is a list", ask: { metadata: [] }, keyword: "type" },
  ]) {
    test(`[AG3] ${what} is refused before anything happens`, async () => {
      const house = await open();
      const trace = await traceOf(house, async () => {
        const reply = await house.reply("agent_register", { name: "Ada", runtime: "codex", ...ask });
        expect(reply).toMatchObject({ ok: false, failure: { code: "INVALID_REQUEST", details: [{ keyword }] } });
      });
      expect(trace).toEqual({ work: [], usage: [wasRefused("agent_register", "INVALID_REQUEST")] });
    });
  }

  test("[AG4] metadata that grows too large by merging is refused and the old is kept", async () => {
    const house = await open();
    const id = await house.agent("Ada", house.owner, { metadata: { a: "x".repeat(40_000) } });

    expect(await house.refusal("agent_update", { id, metadata: { b: "y".repeat(40_000) } })).toBe("TOO_LARGE");

    const { metadata } = await house.call<{ metadata: object }>("agent_get", { id });
    expect(Object.keys(metadata)).toEqual(["a"]);
  });

  test("[AG5] a heartbeat asks for the next in 30 seconds and moves the last sign of life", async () => {
    const house = await open();
    const id = await house.agent("Ada");
    house.clock.advance(20_000);
    let reply: unknown;

    const trace = await traceOf(house, async () => {
      reply = await house.call("agent_heartbeat", { agent_id: id, status: "busy" });
    });

    expect(reply).toEqual({ success: true, next_heartbeat_ms: 30_000 });
    expect(trace).toEqual({
      work: [
        {
          kind: "agent.heartbeat",
          announced: "agent:heartbeat",
          subject: id,
          channels: [`agent:${id}`],
          data: { status: "busy", current_task_id: null },
          developerId: house.owner.developerId,
        },
      ],
      usage: [usedWell("agent_heartbeat", id)],
    });
    expect(await house.call("agent_get", { id })).toMatchObject({
      status: "busy",
      last_heartbeat: momentAt(20_000),
      created_at: momentAt(0),
      updated_at: momentAt(20_000),
    });
  });

  test("[AG5] a heartbeat without a status leaves the status as it is", async () => {
    const house = await open();
    const id = await house.agent("Ada");
    await house.call("agent_heartbeat", { agent_id: id, status: "busy" });
    await house.call("agent_heartbeat", { agent_id: id });
    expect(await house.call("agent_get", { id })).toMatchObject({ status: "busy" });
  });

  test("[AG18] a task that exists can be in hand, and be laid down again", async () => {
    const house = await open();
    const fill = prepareExamples((tool, args) => house.call(tool, args));
    const { agent, task } = await fill({ agent: "$agent", task: "$task" });
    const inHand = async () => (await house.call("agent_get", { id: agent }))["current_task_id"];

    await house.call("agent_heartbeat", { agent_id: agent, current_task_id: task });
    expect(await inHand()).toBe(task);
    await house.call("agent_update", { id: agent, current_task_id: null });
    expect(await inHand()).toBeNull();
    await house.call("agent_update", { id: agent, current_task_id: task });
    expect(await inHand()).toBe(task);
  });

  test("[AG9] an update changes what it names and merges metadata one level deep", async () => {
    const house = await open();
    const id = await house.agent("Ada", house.owner, {
      workspace_path: "/srv/a",
      metadata: { model: { name: "large", size: 7 }, kept: true },
    });
    house.clock.advance(1_000);
    let reply: unknown;

    const trace = await traceOf(house, async () => {
      reply = await house.call("agent_update", { id, metadata: { model: { name: "small" }, extra: null } });
    });

    expect(reply).toEqual({ success: true });
    expect(trace).toEqual({
      work: [
        {
          kind: "agent.updated",
          announced: "agent:updated",
          subject: id,
          channels: [`agent:${id}`],
          data: { fields: ["metadata"], status: "online" },
          developerId: house.owner.developerId,
        },
      ],
      usage: [usedWell("agent_update", id)],
    });
    expect(await house.call("agent_get", { id })).toMatchObject({
      status: "online",
      workspace_path: "/srv/a",
      metadata: { model: { name: "small" }, kept: true, extra: null },
      last_heartbeat: momentAt(0),
      updated_at: momentAt(1_000),
    });
  });

  test("[AG10] an update that names nothing changes and records nothing", async () => {
    const house = await open();
    const id = await house.agent("Ada");
    house.clock.advance(1_000);
    const trace = await traceOf(house, () => house.call("agent_update", { id }));
    expect(trace).toEqual({ work: [], usage: [usedWell("agent_update", id)] });
    expect(await house.call("agent_get", { id })).toMatchObject({ updated_at: momentAt(0) });
  });

  test("[AG11] an update takes an agent offline and brings it back, which counts as a sign of life", async () => {
    const house = await open();
    const id = await house.agent("Ada");
    await house.call("agent_update", { id, status: "offline" });
    house.clock.advance(90_000);
    expect(await house.eventsOf(() => house.sweep())).toEqual([]);

    await house.call("agent_update", { id, status: "busy" });

    expect(await house.call("agent_get", { id })).toMatchObject({ status: "busy", last_heartbeat: momentAt(90_000) });
    expect(await house.eventsOf(() => house.sweep())).toEqual([]);
    expect(await house.call("agent_heartbeat", { agent_id: id })).toMatchObject({ success: true });
  });

  test("[AG13] an update's event names the changed fields as the wire does", async () => {
    const house = await open();
    const id = await house.agent("Ada");
    const { work } = await traceOf(house, () =>
      house.call("agent_update", { id, status: "busy", workspace_path: "/srv/b", current_task_id: null, metadata: {} }),
    );
    expect(work.map((entry) => entry.data)).toEqual([
      { fields: ["status", "current_task_id", "workspace_path", "metadata"], status: "busy" },
    ]);
  });

  test("[AG16] unregistering takes an agent offline; a second time changes nothing", async () => {
    const house = await open();
    const id = await house.agent("Ada");
    let reply: unknown;

    const first = await traceOf(house, async () => {
      reply = await house.call("agent_unregister", { id });
    });

    expect(reply).toEqual({ success: true, tasks_released: 0 });
    expect(first).toEqual({
      work: [
        {
          kind: "agent.unregistered",
          announced: "agent:unregistered",
          subject: id,
          channels: [`agent:${id}`],
          data: { status: "offline" },
          developerId: house.owner.developerId,
        },
      ],
      usage: [usedWell("agent_unregister", id)],
    });
    expect(await traceOf(house, () => house.call("agent_unregister", { id }))).toEqual({
      work: [],
      usage: [usedWell("agent_unregister", id)],
    });
    expect(await house.call("agent_get", { id })).toMatchObject({ status: "offline", current_task_id: null });
  });

  test("[AG16] what an agent had in hand when it left goes back to the queue", async () => {
    const house = await open();
    const fill = prepareExamples((tool, args) => house.call(tool, args));
    const { agent, task } = await fill({ agent: "$agent", task: "$held" });

    expect(await house.call("agent_unregister", { id: agent })).toEqual({ success: true, tasks_released: 1 });

    const { tasks } = await house.call<{ tasks: { id: string }[] }>("task_get_available", {
      agent_id: await house.agent("Next"),
    });
    expect(tasks.map(({ id }) => id)).toContain(task);
    expect(await house.call("agent_get", { id: agent })).toMatchObject({ status: "offline", current_task_id: null });
  });
});
