import { expect, test } from "vitest";
import { viewEntry } from "../../src/engine/view.ts";
import type { TestHouse } from "../../src/testing/house.ts";
import { forEachStillStore, momentAt, traceOf, usedWell } from "../domain/still-house.ts";
import { bring, newWorkflow, planned } from "./work.ts";

interface Listed {
  readonly workflows: readonly { id: string; name: string }[];
  readonly total: number;
}

const names = async (house: TestHouse, ask: Record<string, unknown> = {}) => {
  const { workflows, total } = await house.call<Listed>("workflow_list", ask);
  return { names: workflows.map((workflow) => workflow.name), total };
};

forEachStillStore("reading workflows", (open) => {
  test("[WF4] tasks come when asked for, by sequence and then by name, with what came of them", async () => {
    const house = await open();
    const { id, task } = await planned(house, [
      { name: "b", sequence: 2, depends_on: ["z", "a"] },
      { name: "z", sequence: 1, parallel_group: "first" },
      { name: "a", sequence: 2 },
      { name: "B", sequence: 2 },
    ]);
    await bring(house, task("z"), "completed");
    const { tasks } = await house.call<{ tasks: unknown }>("workflow_get", { id, include_tasks: true });
    const free = {
      ...{ parallel_group: null, claimed_by: null, depends_on: [], started_at: null, completed_at: null },
      ...{ estimated_complexity: null, files_likely_affected: [], required_capabilities: [] },
      ...{ created_at: momentAt(0), updated_at: momentAt(0) },
    };
    expect(tasks).toEqual([
      {
        ...free,
        id: task("z"),
        name: "z",
        sequence: 1,
        parallel_group: "first",
        description: "Do z.",
        status: "completed",
        started_at: momentAt(0),
        completed_at: momentAt(0),
        summary: "It works.",
      },
      { ...free, id: task("B"), name: "B", description: "Do B.", sequence: 2, status: "pending", summary: "Do B." },
      { ...free, id: task("a"), name: "a", description: "Do a.", sequence: 2, status: "pending", summary: "Do a." },
      {
        ...free,
        id: task("b"),
        name: "b",
        sequence: 2,
        description: "Do b.",
        depends_on: ["z", "a"],
        status: "blocked",
        summary: "Do b.",
      },
    ]);
    const bare = await house.call<{ tasks: object[] }>("workflow_get", {
      id,
      include_tasks: true,
      include_task_summaries: false,
    });
    expect(bare.tasks.some((one) => "summary" in one)).toBe(false);
    expect(await house.call("workflow_get", { id })).not.toHaveProperty("tasks");
  });

  test("[WF5] anyone in the team may read any workflow, and reading leaves its usage alone", async () => {
    const house = await open();
    const id = await newWorkflow(house);
    const { caller: bob } = await house.developer("bob");
    const trace = await traceOf(house, async () => {
      const seen = await house.call("workflow_get", { id }, bob);
      expect(seen).toEqual(await house.call("workflow_get", { id }));
      expect(JSON.stringify(seen)).not.toContain(house.owner.handle);
      for (const tool of ["workflow_progress", "workflow_next_tasks"]) await house.call(tool, { workflow_id: id }, bob);
      await house.call("workflow_get_summary", { id }, bob);
    });
    expect(trace.work).toEqual([]);
    expect(trace.usage).toEqual(
      ["workflow_get", "workflow_get", "workflow_progress", "workflow_next_tasks", "workflow_get_summary"].map((tool) =>
        usedWell(tool),
      ),
    );
  });

  test("[WF6] a list is newest first and pages, and counts everything that fits", async () => {
    const house = await open();
    for (let number = 1; number <= 23; number += 1) {
      house.clock.advance(1);
      await newWorkflow(house, { name: `Work ${number}` });
    }
    const all = Array.from({ length: 23 }, (_, place) => `Work ${23 - place}`);
    expect(await names(house)).toEqual({ names: all.slice(0, 20), total: 23 });
    expect(await names(house, { limit: 5, offset: 20 })).toEqual({ names: all.slice(20), total: 23 });
    expect(await names(house, { offset: 30 })).toEqual({ names: [], total: 23 });
  });

  test("[WF6] repository and statuses narrow a list together", async () => {
    const house = await open();
    const here = { repository_path: "/srv/code/shop" };
    await newWorkflow(house, { name: "planning here", ...here });
    house.clock.advance(1);
    const { id } = await planned(house, [{ name: "a" }], { name: "ready here", ...here });
    house.clock.advance(1);
    await planned(house, [{ name: "a" }], { name: "ready there", repository_path: "/srv/code/other" });
    expect(await names(house, { status: ["ready"] })).toEqual({ names: ["ready there", "ready here"], total: 2 });
    expect(await names(house, { repository_path: "/srv/code/shop/" })).toEqual({
      names: ["ready here", "planning here"],
      total: 2,
    });
    expect(await names(house, { ...here, status: ["ready", "in_progress"] })).toEqual({
      names: ["ready here"],
      total: 1,
    });
    await house.call("workflow_update_status", { id, status: "abandoned" });
    expect(await names(house, { ...here, status: ["ready"] })).toEqual({ names: [], total: 0 });
  });

  test("[WF36] a list says whose each workflow is and how far it is", async () => {
    const house = await open();
    const work = await planned(house, [{ name: "One" }, { name: "Two" }, { name: "Three" }], { name: "Shop" });
    await bring(house, work.task("One"), "completed");
    await bring(house, work.task("Two"), "in_progress");
    expect(await house.call("workflow_list", {})).toMatchObject({
      workflows: [{ name: "Shop", developer: "ada", tasks_total: 3, tasks_done: 1 }],
    });
  });

  test("[WF6] workflow_list refuses a path that is none with INVALID_INPUT", async () => {
    const house = await open();
    expect(await house.refusal("workflow_list", { repository_path: "shop" })).toBe("INVALID_INPUT");
  });

  test("[WF30] a private developer's workflow shows nobody's name, and its events only that something happened", async () => {
    const house = await open();
    const { caller: secret } = await house.developer("secret-sue", { name: "Sue Secret", private: true });
    const { id, task } = await planned(house, [{ name: "a" }], {}, secret);
    const agent = await house.agent("Sues agent", secret);
    await house.call("task_claim", { task_id: task("a"), agent_id: agent }, secret);
    for (const [tool, args] of [
      ["workflow_get", { id, include_tasks: true }],
      ["workflow_list", {}],
      ["task_get", { id: task("a") }],
      ["workflow_next_tasks", { workflow_id: id }],
      ["task_load_context", { task_id: task("a") }],
      ["task_claim", { task_id: task("a"), agent_id: await house.agent("Mine") }],
    ] as const) {
      const text = JSON.stringify(await house.reply(tool, args));
      expect(text, tool).not.toMatch(/secret|Sue/i);
      expect(text, tool).not.toContain(secret.developerId);
    }
    const { workflows } = await house.call<{ workflows: Record<string, unknown>[] }>("workflow_list", {});
    expect(workflows.find((workflow) => workflow["id"] === id)).toMatchObject({
      name: "@private",
      source_ref: null,
      repository_path: null,
      plan_summary: null,
      status: "ready",
    });
    const hers = (await house.entries()).filter((entry) => entry.developerId === secret.developerId);
    await house.house.people.refresh(house.house.store);
    expect(hers.map((entry) => entry.kind)).toContain("task.claimed");
    for (const entry of hers) {
      expect(viewEntry(house.house, entry, house.owner).data).toEqual({ developer: "@private" });
    }
  });
});
