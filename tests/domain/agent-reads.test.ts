import { expect, test } from "vitest";
import type { TestHouse } from "../../src/testing/house.ts";
import { forEachStillStore, momentAt, traceOf, usedWell } from "./still-house.ts";

const idsOf = (reply: { agents: { id: string }[] }): string[] => reply.agents.map((agent) => agent.id);

const list = (house: TestHouse, ask: object = {}): Promise<{ agents: { id: string }[] }> =>
  house.call("agent_list", ask);

forEachStillStore("agents that are looked at", (open) => {
  test("[AG14] reading an agent answers its whole record and changes nothing", async () => {
    const house = await open();
    const id = await house.agent("Ada", house.owner, {
      capabilities: ["typescript"],
      workspace_path: "/srv/a",
      metadata: { model: "large" },
    });
    let reply: unknown;

    const trace = await traceOf(house, async () => {
      reply = await house.call("agent_get", { id });
    });

    expect(reply).toEqual({
      id,
      name: "Ada",
      runtime: "custom",
      role: "worker",
      capabilities: ["typescript"],
      workspace_path: "/srv/a",
      metadata: { model: "large" },
      status: "online",
      current_task_id: null,
      developer: "ada",
      last_heartbeat: momentAt(0),
      created_at: momentAt(0),
      updated_at: momentAt(0),
    });
    expect(trace).toEqual({ work: [], usage: [usedWell("agent_get")] });
  });

  test("[AG14] an agent that went offline can still be read", async () => {
    const house = await open();
    const id = await house.agent("Ada");
    await house.call("agent_unregister", { id });
    expect(await house.call("agent_get", { id })).toMatchObject({ id, status: "offline" });
  });

  test("[AG15] agents are listed newest first, whoever they work for", async () => {
    const house = await open();
    const { caller: bob } = await house.developer("bob");
    const first = await house.agent("First");
    house.clock.advance(1);
    const second = await house.agent("Second", bob);
    let reply: unknown;

    const trace = await traceOf(house, async () => {
      reply = await house.call("agent_list");
    });

    expect(reply).toEqual({
      agents: [await house.call("agent_get", { id: second }), await house.call("agent_get", { id: first })],
    });
    expect(trace).toEqual({ work: [], usage: [usedWell("agent_list")] });
  });

  test("[AG15] filters by status, role and runtime hold together", async () => {
    const house = await open();
    const busy = await house.agent("Busy", house.owner, { runtime: "codex" });
    await house.call("agent_update", { id: busy, status: "busy" });
    house.clock.advance(1);
    const gone = await house.agent("Gone", house.owner, { runtime: "codex", role: "coordinator" });
    await house.call("agent_unregister", { id: gone });
    house.clock.advance(1);
    const free = await house.agent("Free", house.owner, { role: "coordinator" });

    expect(idsOf(await list(house, { status: ["busy", "offline"] }))).toEqual([gone, busy]);
    expect(idsOf(await list(house, { role: "coordinator" }))).toEqual([free, gone]);
    expect(idsOf(await list(house, { runtime: "codex" }))).toEqual([gone, busy]);
    expect(idsOf(await list(house, { runtime: "codex", role: "coordinator", status: ["online"] }))).toEqual([]);
    expect(idsOf(await list(house, { runtime: "a runtime nobody has" }))).toEqual([]);
  });

  test("[AG15] a list holds at most 100 agents unless another limit is given", async () => {
    const house = await open();
    for (let made = 0; made < 101; made += 20) {
      await Promise.all(
        Array.from({ length: Math.min(20, 101 - made) }, (_, at) => house.agent(`One of many ${made + at}`)),
      );
    }
    expect((await list(house)).agents).toHaveLength(100);
    expect((await list(house, { limit: 101 })).agents).toHaveLength(101);
    expect((await list(house, { limit: 3 })).agents).toHaveLength(3);
    expect(await house.refusal("agent_list", { limit: 501 })).toBe("INVALID_REQUEST");
    expect(await house.refusal("agent_list", { limit: 0 })).toBe("INVALID_REQUEST");
    expect(await house.refusal("agent_list", { status: [] })).toBe("INVALID_REQUEST");
  });

  test("[AG19] a private developer's agent is an address to others and itself to its developer", async () => {
    const house = await open();
    const { caller: grace } = await house.developer("grace", { private: true });
    const id = await house.agent("Secret project", grace, {
      capabilities: ["cobol"],
      workspace_path: "/srv/secret",
      metadata: { plan: "secret" },
    });
    const hidden = {
      id,
      name: "@private",
      runtime: "custom",
      role: "worker",
      capabilities: [],
      workspace_path: null,
      metadata: {},
      status: "online",
      current_task_id: null,
      developer: "@private",
      last_heartbeat: momentAt(0),
      created_at: momentAt(0),
      updated_at: momentAt(0),
    };
    const whole = {
      ...hidden,
      name: "Secret project",
      capabilities: ["cobol"],
      workspace_path: "/srv/secret",
      metadata: { plan: "secret" },
      developer: "grace",
    };

    expect(await house.call("agent_get", { id })).toEqual(hidden);
    expect(await house.call("agent_list")).toEqual({ agents: [hidden] });
    expect(await house.call("agent_get", { id }, grace)).toEqual(whole);
    expect(await house.call("agent_list", {}, grace)).toEqual({ agents: [whole] });
  });

  test("[AG19] who becomes private is hidden from the next look on", async () => {
    const house = await open();
    const { caller: grace } = await house.developer("grace");
    const id = await house.agent("Plans", grace);
    expect(await house.call("agent_get", { id })).toMatchObject({ name: "Plans", developer: "grace" });

    await house.call("developer_update", { handle: "grace", private: true }, grace);

    expect(await house.call("agent_get", { id })).toMatchObject({ name: "@private", developer: "@private" });
  });
});
