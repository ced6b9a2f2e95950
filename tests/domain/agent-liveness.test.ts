import { expect, test } from "vitest";
import { sweepLiveness } from "../../src/engine/keepers/sweeps.ts";
import type { TestHouse } from "../../src/testing/house.ts";
import { oneTask } from "../workflow/work.ts";
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
      await Promise.all(Array.from({ length: 41 }, (_, at) => house.agent(`One of many ${made + at}`)));
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

  test("[AG20] registering again under the same name, kind and token is the same agent with its mail", async () => {
    const house = await open();
    const id = await house.agent("Ada");
    const peer = await house.agent("Ben");
    house.clock.advance(2 * minute);
    await house.sweep();
    const letter = { sender_id: peer, recipient_id: id, message_type: "query", body: "There?" };
    expect(await house.call("message_send", letter)).toMatchObject({ recipient_status: "offline" });

    const back = await house.call("agent_register", { name: "Ada", runtime: "custom", role: "coordinator" });

    expect(back).toEqual({ id, name: "Ada", status: "online", resumed: true });
    expect(await house.call("agent_get", { id })).toMatchObject({ status: "online", role: "coordinator" });
    expect(await house.call("message_count_unread", { agent_id: id })).toMatchObject({ count: 1 });
  });

  test("[AG20] another name, kind, token or developer is another agent", async () => {
    const house = await open();
    const id = await house.agent("Ada");
    const { token } = await house.call<{ token: string }>("token_create", { developer: house.owner.handle });
    const otherToken = await house.house.authenticator.identify(token);
    const { caller: bob } = await house.developer("bob");
    const others = [
      await house.agent("ada"),
      await house.agent("Ada", house.owner, { runtime: "codex" }),
      await house.agent("Ada", otherToken),
      await house.agent("Ada", bob),
    ];
    expect(new Set([id, ...others]).size).toBe(5);
  });

  test("[AG20] what it held it gets back only as far as it is still its own", async () => {
    const house = await open();
    const id = await house.agent("Ada");
    const task_id = await oneTask(house);
    await house.call("task_claim", { task_id, agent_id: id });
    expect(await house.call("agent_register", { name: "Ada", runtime: "custom" })).toMatchObject({
      id,
      status: "busy",
    });
    expect(await house.call("task_get", { id: task_id })).toMatchObject({ claimed_by: id });

    house.clock.advance(2 * minute);
    await house.sweep();
    const ben = await house.agent("Ben");
    await house.call("task_claim", { task_id, agent_id: ben });
    expect(await house.call("agent_register", { name: "Ada", runtime: "custom" })).toMatchObject({ status: "online" });
    expect(await house.call("task_get", { id: task_id })).toMatchObject({ claimed_by: ben });
  });

  test("[AG22] every call that is made for an agent starts the 60 seconds anew, reads too", async () => {
    const house = await open();
    const id = await house.agent("Ada");
    for (let calls = 0; calls < 3; calls += 1) {
      house.clock.advance(50_000);
      await house.call("message_list", { agent_id: id });
      await house.sweep();
    }
    expect(await house.call("agent_get", { id })).toMatchObject({ status: "online" });
    house.clock.advance(minute + 1);
    expect(await house.eventsOf(() => house.sweep())).toEqual(["agent.wentStale"]);
  });

  test("[AG22] a refused call, and what somebody else asks about an agent, are no signs of its life", async () => {
    const house = await open();
    const id = await house.agent("Ada");
    const { caller: bob } = await house.developer("bob");
    house.clock.advance(50_000);
    expect(await house.refusal("message_list", { agent_id: id }, bob)).toBe("FORBIDDEN");
    await house.call("agent_get", { id });
    house.clock.advance(11_000);
    expect(await house.eventsOf(() => house.sweep())).toEqual(["agent.wentStale"]);
  });

  test("[AG23] a server that has just started gives nobody up for a minute", async () => {
    const house = await open();
    const id = await house.agent("Ada");
    house.clock.advance(30_000);
    expect(await house.eventsOf(() => sweepLiveness({ ...house.house, startedAt: house.clock.now() }))).toEqual([]);
    house.clock.advance(40_000);
    const restarted = { ...house.house, startedAt: house.clock.now() - minute + 1 };
    expect(await house.eventsOf(() => sweepLiveness(restarted))).toEqual([]);
    expect(await house.eventsOf(() => sweepLiveness(house.house))).toEqual(["agent.wentStale"]);
    expect(await house.call("agent_get", { id })).toMatchObject({ status: "offline" });
  });

  test("[AG25] an agent that calls all the time is written down once in twenty seconds", async () => {
    const house = await open();
    const id = await house.agent("Ada");
    const heard = async () => (await house.call<{ last_heartbeat: string }>("agent_get", { id })).last_heartbeat;
    await house.sweep();
    for (const [at, expected] of [
      [10_000, 0],
      [19_999, 0],
      [20_000, 20_000],
      [30_000, 20_000],
    ] as const) {
      house.clock.advance(at - (await passed(house)));
      await house.call("message_list", { agent_id: id });
      await house.sweep();
      expect(await heard()).toBe(momentAt(expected));
    }
  });
});

const passed = async (house: TestHouse): Promise<number> => house.clock.now() - Date.parse(momentAt(0));
