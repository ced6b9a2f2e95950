import { expect, test } from "vitest";
import { forEachStore, type TestHouse } from "../../src/testing/house.ts";
import { bring, claim, oneTask, planned } from "./work.ts";

interface Claim {
  readonly success: boolean;
  readonly fence?: number;
  readonly already_claimed_by?: string;
}

const newAgents = (house: TestHouse, count: number, prefix = "Agent"): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => house.agent(`${prefix} ${at}`)));

forEachStore("claims at the same moment", (open) => {
  for (const count of [8, 64, 256]) {
    test(`[TK19] of ${count} agents that want one task, one gets it and the others are told who`, async () => {
      const house = await open();
      const id = await oneTask(house);
      const agents = await newAgents(house, count);
      const before = (await house.entries()).at(-1)?.seq ?? 0;

      const answers: Claim[] = await Promise.all(agents.map((agent) => claim(house, id, agent)));

      const winners = agents.filter((_, at) => answers[at]?.success);
      expect(winners.length).toBe(1);
      const [winner] = winners;
      for (const [at, agent] of agents.entries()) {
        expect(answers[at]).toEqual(
          agent === winner ? { success: true, fence: 1 } : { success: false, already_claimed_by: winner },
        );
      }
      expect(await house.call("task_get", { id })).toMatchObject({ claimed_by: winner, fence: 1 });
      const kinds = (await house.entries("work", before)).map((entry) => entry.kind);
      expect(kinds).toEqual(["task.claimed", "agent.updated"]);
    });

    test(`[TK19] ${count} agents that all want all of ${count} tasks hold each task once`, async () => {
      const house = await open();
      const rounds = Math.min(count, 12);
      const names = Array.from({ length: count }, (_, at) => `t${at}`);
      const { task } = await planned(
        house,
        names.map((name) => ({ name })),
      );
      const agents = await newAgents(house, count);
      // Each agent walks through a part of the tasks from a place of its own; every task is wanted by several.
      const wishes = agents.flatMap((agent, at) =>
        Array.from({ length: rounds }, (_, step) => ({ agent, name: names[(at + step * step) % count] ?? "" })),
      );
      const answers = await Promise.all(
        wishes.map(async (wish) => ({ ...wish, answer: await claim(house, task(wish.name), wish.agent) })),
      );
      const holders = new Map<string, string>();
      for (const { name, agent, answer } of answers.filter((one) => one.answer.success)) {
        expect(holders.get(name) ?? agent, name).toBe(agent);
        holders.set(name, agent);
        expect(answer.fence).toBe(1);
      }
      for (const { name, answer } of answers.filter((one) => !one.answer.success)) {
        expect(answer.already_claimed_by).toBe(holders.get(name));
      }
      for (const name of names) {
        expect(await house.call("task_get", { id: task(name) })).toMatchObject({ claimed_by: holders.get(name) });
      }
    });
  }
});

forEachStore("other things at the same moment", (open) => {
  test("[TK5] what waits for thirty tasks that finish at once is free when all have, and is freed once", async () => {
    const house = await open();
    const names = Array.from({ length: 30 }, (_, at) => `t${at}`);
    const { task } = await planned(house, [...names.map((name) => ({ name })), { name: "last", depends_on: names }]);
    await Promise.all(names.map((name) => bring(house, task(name), "completed")));
    expect(await house.call("task_get", { id: task("last") })).toMatchObject({ status: "pending" });
    expect(await house.call("task_check_dependencies", { task_id: task("last") })).toMatchObject({ satisfied: true });
    await bring(house, task("last"), "planning");
  });

  test("[TK1] of twenty who complete a task at once one does, and the others hear that it is completed", async () => {
    const house = await open();
    const { task } = await planned(house, [{ name: "a" }, { name: "next", depends_on: ["a"] }]);
    await bring(house, task("a"), "in_progress");
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        house.reply("task_update_status", { id: task("a"), status: "completed", outcome: "Done." }),
      ),
    );
    expect(replies.filter((reply) => reply.ok).length).toBe(1);
    for (const reply of replies) {
      if (!reply.ok) expect(reply.failure).toMatchObject({ code: "INVALID_TRANSITION", from: "completed" });
    }
    expect(await house.call("task_get", { id: task("next") })).toMatchObject({ status: "pending" });
  });

  test("[TK23] a claim, a sweep and a return that meet leave every task with one holder or none", async () => {
    const house = await open();
    const names = Array.from({ length: 12 }, (_, at) => `t${at}`);
    const { task } = await planned(
      house,
      names.map((name) => ({ name })),
    );
    const agents = await newAgents(house, 12);
    for (const [at, agent] of agents.entries()) await claim(house, task(`t${at}`), agent);
    house.clock.advance(61_000);
    const fresh = await newAgents(house, 12, "Fresh");
    await Promise.all([
      house.sweep(),
      ...agents.map((id) => house.call("agent_unregister", { id })),
      ...fresh.map((agent, at) => claim(house, task(`t${at}`), agent)),
    ]);
    for (const [at, name] of names.entries()) {
      const { claimed_by: holder } = await house.call("task_get", { id: task(name) });
      expect([null, fresh[at]]).toContain(holder);
    }
    const released = (await house.entries()).filter((entry) => entry.kind === "task.released");
    expect(released.map((entry) => entry.subject).sort()).toEqual(names.map(task).sort());
  });
});
