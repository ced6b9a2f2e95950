import { expect, test } from "vitest";
import { forEachStore } from "../../src/testing/house.ts";

forEachStore("agents", (open) => {
  test("an agent registers and is listed", async () => {
    const house = await open();
    const ada = await house.call("agent_register", { name: "Ada", runtime: "codex" });
    expect(ada).toEqual({ id: expect.stringMatching(/^ag_/), name: "Ada", status: "online" });
    expect(await house.eventsOf(() => house.call("agent_heartbeat", { agent_id: ada["id"] }))).toEqual(["agent.heartbeat"]);
    expect((await house.entries("usage")).map((e) => e.kind)).toEqual(["agent_register", "agent_heartbeat"]);
    house.clock.advance(61_000);
    expect(await house.eventsOf(() => house.sweep())).toEqual(["agent.wentStale"]);
    expect(await house.refusal("agent_heartbeat", { agent_id: ada["id"] })).toBe("INVALID_STATE");
  });
});
