import { expect, test } from "vitest";
import { forEachStillStore, momentAt, traceOf } from "./still-house.ts";

const minute = 60_000;

forEachStillStore("agents that fall silent", (open) => {
  test("[AG7] a silence of exactly 60 seconds is still a life", async () => {
    const house = await open();
    await house.agent("Ada");
    house.clock.advance(minute);
    expect(await house.eventsOf(() => house.sweep())).toEqual([]);
  });

  test("[AG7] a longer one takes the agent offline and says how long it was silent", async () => {
    const house = await open();
    const id = await house.agent("Ada");
    await house.call("agent_heartbeat", { agent_id: id, status: "busy" });
    house.clock.advance(minute + 1);

    const trace = await traceOf(house, () => house.sweep());

    expect(trace).toEqual({
      work: [
        {
          kind: "agent.wentStale",
          announced: "agent:offline",
          subject: id,
          channels: [`agent:${id}`],
          data: { status: "offline", silent_ms: minute + 1 },
          developerId: null,
        },
      ],
      usage: [],
    });
    expect(await house.call("agent_get", { id })).toMatchObject({
      status: "offline",
      current_task_id: null,
      last_heartbeat: momentAt(0),
      updated_at: momentAt(minute + 1),
    });
  });

  test("[AG7] a heartbeat starts the 60 seconds anew, and only for the agent that sent it", async () => {
    const house = await open();
    const quiet = await house.agent("Quiet");
    const lively = await house.agent("Lively");
    house.clock.advance(40_000);
    await house.call("agent_heartbeat", { agent_id: lively });
    house.clock.advance(40_000);

    const { work } = await traceOf(house, () => house.sweep());

    expect(work.map((entry) => entry.subject)).toEqual([quiet]);
    expect(await house.call("agent_get", { id: lively })).toMatchObject({ status: "online" });
  });

  test("[AG8] an agent that is offline already is not given up again", async () => {
    const house = await open();
    await house.agent("Ada");
    house.clock.advance(2 * minute);
    expect(await house.eventsOf(() => house.sweep())).toEqual(["agent.wentStale"]);
    house.clock.advance(2 * minute);
    expect(await house.eventsOf(() => house.sweep())).toEqual([]);
  });

  test("[AG8] one sweep gives up everyone who is silent, however many they are", async () => {
    const house = await open();
    for (let made = 0; made < 205; made += 41) {
      await Promise.all(Array.from({ length: 41 }, () => house.agent("One of many")));
    }
    house.clock.advance(2 * minute);
    const events = await house.eventsOf(() => house.sweep());
    expect(events).toEqual(Array(205).fill("agent.wentStale"));
    expect(await house.call("agent_list", { status: ["online", "busy"] })).toEqual({ agents: [] });
  });

  test("[AG6] a heartbeat of an agent that was given up is refused, and it stays offline", async () => {
    const house = await open();
    const id = await house.agent("Ada");
    house.clock.advance(2 * minute);
    await house.sweep();

    const reply = await house.reply("agent_heartbeat", { agent_id: id, status: "online" });

    expect(reply).toMatchObject({ ok: false, failure: { code: "INVALID_STATE" } });
    expect(reply.ok ? "" : reply.failure.hint).toContain("agent_register");
    expect(await house.call("agent_get", { id })).toMatchObject({ status: "offline" });
  });

  test("[AG6] a heartbeat after unregistering is refused as well", async () => {
    const house = await open();
    const id = await house.agent("Ada");
    await house.call("agent_unregister", { id });
    expect(await house.refusal("agent_heartbeat", { agent_id: id })).toBe("INVALID_STATE");
  });
});
