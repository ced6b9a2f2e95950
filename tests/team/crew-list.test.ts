import { expect, test } from "vitest";
import { forEachStillStore } from "../domain/still-house.ts";
import { begin } from "./session-scene.ts";

interface Crew {
  readonly agents: readonly Record<string, unknown>[];
  readonly more: boolean;
}

interface Told {
  readonly data: Record<string, unknown>;
}

forEachStillStore("crew_list", (open) => {
  test("[DT23] every agent is there once; who started a task in its session is working", async () => {
    const house = await open();
    const session_id = await begin(house, house.owner, { branch: "pages" });
    const { id } = await house.call<{ id: string }>("agent_register", { name: "Bob", runtime: "codex" });
    const work = { session_id, title: "Paginate the orders", task_type: "feature" };
    const check = await house.call<Told>("covibe_task", { operation: "check", ...work });
    await house.call("covibe_task", { operation: "start", ...work, check_id: check.data["check_id"] });
    const { agents, more } = await house.call<Crew>("crew_list", {});
    expect(more).toBe(false);
    expect(agents).toHaveLength(2);
    expect(agents.find((one) => one["id"] === session_id)).toMatchObject({
      name: "Ada",
      client: "claude-code",
      developer: "ada",
      mine: true,
      status: "working",
      branch: "pages",
      tasks: [{ name: "Paginate the orders", status: "active" }],
      session: { id: session_id },
    });
    expect(agents.find((one) => one["id"] === id)).toMatchObject({
      name: "Bob",
      client: "codex",
      status: "idle",
      tasks: [],
      session: null,
    });
  });

  test("[DT23] who has left is listed apart, one agent alone is found either way", async () => {
    const house = await open();
    const { id } = await house.call<{ id: string }>("agent_register", { name: "Bob", runtime: "codex" });
    await house.call("agent_unregister", { id });
    expect((await house.call<Crew>("crew_list", {})).agents).toEqual([]);
    expect((await house.call<Crew>("crew_list", { offline: true })).agents).toMatchObject([{ id, status: "offline" }]);
    expect((await house.call<Crew>("crew_list", { agent_id: id })).agents).toMatchObject([{ id, name: "Bob" }]);
  });

  test("[DT23] of a private developer's agent others learn that it is there", async () => {
    const house = await open();
    const quinn = (await house.developer("quinn", { private: true })).caller;
    await begin(house, quinn, { agent_name: "Undercover", repo: "acme/undercover", branch: "undercover" });
    const listing = await house.call<Crew>("crew_list", {});
    expect(listing.agents).toMatchObject([{ name: "@private", developer: "@private", client: null, branch: null }]);
    expect(JSON.stringify(listing)).not.toMatch(/undercover|quinn/i);
  });
});
