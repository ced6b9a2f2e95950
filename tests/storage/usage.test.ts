import { expect, test } from "vitest";
import type { LedgerEntry } from "../../src/contract/event.ts";
import { forEachStore, openTestHouse, type TestHouse } from "../../src/testing/house.ts";

const summaryOf = ({ kind, data }: LedgerEntry) => ({ kind, outcome: data["outcome"], code: data["code"] });

const usageOf = async (house: TestHouse) => (await house.entries("usage")).map(summaryOf);

forEachStore("usage events", (open, kind) => {
  test("[LG16] every call leaves one, however it ends", async () => {
    const house = await open();
    const before = (await house.entries("usage")).length;
    const id = await house.agent("Ada");
    await house.call("agent_get", { id });
    await house.refusal("agent_get", { id: "ag_unknown" });
    await house.refusal("no_such_tool", {});
    await house.refusal("agent_get", { nonsense: true });
    await house.refusal("agent_get", "not even an object");
    await house.refusal("agent_heartbeat", { agent_id: "ag_unknown" });
    expect((await usageOf(house)).slice(before)).toEqual([
      { kind: "agent_register", outcome: "ok", code: undefined },
      { kind: "agent_get", outcome: "ok", code: undefined },
      { kind: "agent_get", outcome: "refused", code: "AGENT_NOT_FOUND" },
      { kind: "no_such_tool", outcome: "refused", code: "NOT_FOUND" },
      { kind: "agent_get", outcome: "refused", code: "INVALID_REQUEST" },
      { kind: "agent_get", outcome: "refused", code: "INVALID_REQUEST" },
      { kind: "agent_heartbeat", outcome: "refused", code: "AGENT_NOT_FOUND" },
    ]);
  });

  test("[LG16] each event bears the id of its own call", async () => {
    const house = await open();
    const replies = await Promise.all(Array.from({ length: 50 }, () => house.reply("agent_list", {})));
    const subjects = (await house.entries("usage"))
      .filter((entry) => entry.kind === "agent_list")
      .map((e) => e.subject);
    expect(new Set(subjects)).toEqual(new Set(replies.map((reply) => reply.callId)));
    expect(subjects).toHaveLength(50);
  });

  test("[LG17] an event tells nothing of the arguments, whatever they were", async () => {
    const house = await open();
    const secret = "correct horse battery staple";
    await house.agent(secret);
    await house.refusal("agent_register", { name: secret, runtime: secret });
    await house.refusal("agent_get", { id: secret });
    await house.refusal("agent_get", { [secret]: 1 });
    expect(JSON.stringify(await house.entries("usage"))).not.toContain(secret);
  });

  test("[LG17] of a team tool it says what the answer said, and error for what was refused", async () => {
    const house = await open();
    const work = { title: "Show the seat map on small screens", task_type: "feature" };
    await house.call("covibe_task", { operation: "start", ...work });
    await house.call("covibe_task", { operation: "check", ...work });
    await house.refusal("covibe_task", { operation: "check", ...work, session_id: "ag_unknown" });
    await house.call("agent_list");
    const told = (await house.entries("usage")).map(({ data }) => [data["operation"], data["outcome"], data["status"]]);
    expect(told).toEqual([
      ["start", "ok", "blocked"],
      ["check", "ok", "ok"],
      ["check", "refused", "error"],
      [undefined, "ok", undefined],
    ]);
  });

  test("[LG17] a made-up tool name is kept short and plain", async () => {
    const house = await open();
    await house.refusal(`<script>alert("x")</script>${"y".repeat(500)}\u0000`, {});
    const last = (await house.entries("usage")).at(-1);
    expect(last?.kind).toMatch(/^[\w.?-]{60}$/);
  });

  test("[LG18] a clean close loses none, not even of calls under way", async () => {
    const house = await open();
    await house.agent("Ada");
    const answered = await Promise.all(Array.from({ length: 150 }, () => house.reply("agent_list", {})));
    const underWay = Array.from({ length: 40 }, () => house.reply("agent_list", {}));
    await house.house.close();
    const replies = [...answered, ...(await Promise.all(underWay))];
    expect(replies.every((reply) => reply.ok)).toBe(true);
    const again = await openTestHouse(kind, { location: house.location });
    const kept = (await again.entries("usage")).filter((entry) => entry.kind === "agent_list");
    expect(new Set(kept.map((entry) => entry.subject))).toEqual(new Set(replies.map((reply) => reply.callId)));
    expect(kept).toHaveLength(190);
  });

  test("[LG18] closing twice is closing once", async () => {
    const house = await open();
    await Promise.all([house.house.close(), house.house.close()]);
    await house.house.close();
    expect(house.house.feed.followerCount).toBe(0);
  });
});
