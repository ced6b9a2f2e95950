import { expect, test } from "vitest";
import type { TestHouse } from "../../src/testing/house.ts";
import { type Answer, alone, idOf, type Worker, workerOf } from "../team/work-scene.ts";
import { planned } from "../workflow/work.ts";
import { forEachStillStore } from "./still-house.ts";

type Way = readonly [tool: string, args: (task: string) => Record<string, unknown>];

const outcome = { summary: "It came to this." };

/** Every tool that brings a task in progress to an end, by what it is then. */
const ways: Readonly<Record<"done" | "failed" | "cancelled", readonly Way[]>> = {
  done: [
    ["task_update_status", (id) => ({ id, status: "completed", outcome: "Done." })],
    ["complete_task", (task_id) => ({ task_id, status: "success", outcome })],
    ["complete_task", (task_id) => ({ task_id, status: "partial_success", outcome })],
    ["covibe_task", (task_id) => ({ operation: "complete", task_id, result_summary: "Done." })],
  ],
  failed: [
    ["task_update_status", (id) => ({ id, status: "failed", error: "No way." })],
    ["complete_task", (task_id) => ({ task_id, status: "failed", outcome })],
  ],
  cancelled: [["covibe_task", (task_id) => ({ operation: "cancel", task_id, reason: "Not wanted." })]],
};

const ownWords: Readonly<Record<string, string>> = { complete: "task.completed", cancel: "task.cancelled" };

async function claimCode(ada: Worker, more: Record<string, unknown> = {}): Promise<string> {
  const ask = { operation: "claim", paths: ["fi/**"], repo: "acme/ferry", ...more };
  return idOf(await ada.call("covibe_coordination", ask), "claim_id");
}

const statusOf = async (house: TestHouse, id: string): Promise<string> =>
  (await house.call<{ status: string }>("workflow_get", { id })).status;

const taskStatus = async (house: TestHouse, id: string): Promise<string> =>
  (await house.call<{ status: string }>("task_get", { id })).status;

/** An older client's workflow with tasks in progress. */
async function startOld(house: TestHouse, names: readonly string[]): Promise<{ id: string; tasks: string[] }> {
  const { workflow_id: id } = await house.call<{ workflow_id: string }>("start_workflow", { name: "Old" });
  const tasks: string[] = [];
  for (const name of names) {
    tasks.push((await house.call<{ task_id: string }>("start_task", { workflow_id: id, name, goal: "g" })).task_id);
  }
  return { id, tasks };
}

const all = Object.entries(ways).flatMap(([end, tools]) => tools.map(([tool, args]) => ({ end, tool, args })));
const label = ({ end, tool, args }: (typeof all)[number]): string => {
  const { operation, status } = args("") as { operation?: string; status?: string };
  return `${tool} ${operation ?? status}, which is ${end}`;
};

forEachStillStore("the end of a task", (open) => {
  test.each(all.map((way) => [label(way), way] as const))("[EN1, EN2] by %s", async (_, { end, tool, args }) => {
    const house = await open();
    const ada = await workerOf(house).inSession();
    await ada.check(alone);
    const started = await ada.start(alone, { target_files: ["fi.json"] });
    const [task, home] = [idOf(started), idOf(started, "workstream_id")];
    await house.call("task_claim", { task_id: task, agent_id: ada.session });
    const claim = await claimCode(ada, { task_id: task });
    const before = (await house.entries()).at(-1)?.seq ?? 0;
    await house.call(tool, args(task));
    const work = await house.entries("work", before);
    const own = ownWords[String(args(task)["operation"])];
    expect(work.map(({ kind, subject }) => [kind, subject])).toEqual([
      ["task.statusChanged", task],
      ["agent.updated", ada.session],
      ...(end === "failed" ? [] : [["workstream.completed", home]]),
      ["claim.released", claim],
      ...(own === undefined ? [] : [[own, task]]),
    ]);
    expect(work.find(({ kind }) => kind === "claim.released")?.data).toMatchObject({ reason: "task_over" });
    const marks = await house.house.store.read((db) => db.all(db.q.selectFrom("fileMark").selectAll()));
    expect(marks).toEqual([]);
    expect(await statusOf(house, home)).toBe(end === "failed" ? "in_progress" : "completed");
    const agent = await house.call("agent_get", { id: ada.session });
    expect(agent).toMatchObject({ status: "online", current_task_id: null });
  });

  test.each(all.map((way) => [label(way), way] as const))("[EN2] for those that wait, by %s", async (_, way) => {
    const house = await open();
    const { task } = await planned(house, [{ name: "First" }, { name: "Second", depends_on: ["First"] }]);
    for (const status of ["planning", "in_progress"]) {
      await house.call("task_update_status", { id: task("First"), status });
    }
    await house.call(way.tool, way.args(task("First")));
    expect(await taskStatus(house, task("Second"))).toBe(way.end === "failed" ? "blocked" : "pending");
  });

  test.each(all.map((way) => [label(way), way] as const))("[EN3] ends an older client's workflow, by %s", async (_, {
    end,
    tool,
    args,
  }) => {
    const house = await open();
    const { id, tasks } = await startOld(house, ["One", "Two"]);
    const [one, two] = tasks as [string, string];
    await house.call("task_update_status", { id: one, status: "completed", outcome: "Done." });
    expect(await statusOf(house, id)).toBe("in_progress");
    const before = (await house.entries()).at(-1)?.seq ?? 0;
    await house.call(tool, args(two));
    const isFull = end !== "failed" && args(two)["status"] !== "partial_success";
    const to = isFull ? "done" : "failed";
    const ended = (await house.entries("work", before)).filter(({ kind }) => kind === "workflow.statusChanged");
    expect(ended.map(({ subject, data }) => [subject, data])).toEqual([[id, { from: "active", to }]]);
    expect(await statusOf(house, id)).toBe(isFull ? "completed" : "failed");
  });

  test("[EN3] ends an older client's workflow when the last tasks end at the same moment", async () => {
    const house = await open();
    const { id, tasks } = await startOld(house, ["One", "Two", "Three"]);
    await Promise.all(
      tasks.map((task) => house.call("task_update_status", { id: task, status: "completed", outcome: "Done." })),
    );
    expect(await statusOf(house, id)).toBe("completed");
  });

  test("[EN3] leaves a workflow that somebody ended as it is", async () => {
    const house = await open();
    const [given, abandoned] = [await startOld(house, ["One"]), await startOld(house, ["One"])];
    await house.call("complete_mission", { mission_id: given.id, status: "failed", summary: "Enough." });
    await house.call("workflow_update_status", { id: abandoned.id, status: "abandoned" });
    for (const { tasks } of [given, abandoned]) {
      const end = { id: tasks[0], status: "completed", outcome: "Done." };
      expect(await house.eventsOf(() => house.call("task_update_status", end))).not.toContain("workflow.statusChanged");
    }
    expect(await statusOf(house, given.id)).toBe("failed");
    expect(await statusOf(house, abandoned.id)).toBe("abandoned");
  });

  test.each([
    "task_update_status",
    "task_replan",
  ])("[EN4] is taken back by %s, and the workflow goes on", async (tool) => {
    const house = await open();
    const { id, tasks } = await startOld(house, ["One"]);
    const [one] = tasks as [string];
    await house.call("task_update_status", { id: one, status: "failed", error: "No way." });
    expect(await statusOf(house, id)).toBe("failed");
    const again = tool === "task_replan" ? { new_plan: { approach: "a", steps: ["s"] }, reason: "r" } : {};
    const ask = tool === "task_replan" ? { id: one, ...again } : { id: one, status: "pending" };
    expect(await house.eventsOf(() => house.call(tool, ask))).toContain("workflow.statusChanged");
    expect(await statusOf(house, id)).toBe("in_progress");
    for (const status of ["planning", "in_progress"]) await house.call("task_update_status", { id: one, status });
    await house.call("task_update_status", { id: one, status: "completed", outcome: "Done." });
    expect(await statusOf(house, id)).toBe("completed");
  });
});

/** A session with a task in hand and a claim on code. */
async function busy(house: TestHouse): Promise<{ ada: Worker; agent: string; task: string; claim: string }> {
  const ada = await workerOf(house).inSession();
  const { task } = await planned(house, [{ name: "Alone" }]);
  const agent = String(ada.session);
  await house.call("task_claim", { task_id: task("Alone"), agent_id: agent });
  return { ada, agent, task: task("Alone"), claim: await claimCode(ada) };
}

const leave: Readonly<Record<string, (house: TestHouse, ada: Worker) => Promise<unknown>>> = {
  agent_unregister: (house, { session }) => house.call("agent_unregister", { id: session }),
  "covibe_session end": (_, ada) => ada.call("covibe_session", { operation: "end" }),
};

forEachStillStore("the end of an agent", (open) => {
  test.each(Object.keys(leave))("[EN5] by %s", async (way) => {
    const house = await open();
    const { ada, agent, task, claim } = await busy(house);
    const before = (await house.entries()).at(-1)?.seq ?? 0;
    await leave[way]?.(house, ada);
    const work = await house.entries("work", before);
    expect(work.map(({ kind, subject }) => [kind, subject])).toEqual([
      ["session.ended", agent],
      ["agent.unregistered", agent],
      ["task.released", task],
      ["claim.released", claim],
    ]);
    expect(work[3]?.data).toMatchObject({ reason: "session_over" });
    expect(await house.eventsOf(() => house.sweep())).toEqual([]);
  });

  test("[EN6] that an update takes offline", async () => {
    const house = await open();
    const { ada, agent, task, claim } = await busy(house);
    const before = (await house.entries()).at(-1)?.seq ?? 0;
    await house.call("agent_update", { id: agent, status: "offline" });
    const work = await house.entries("work", before);
    expect(work.map(({ kind, subject }) => [kind, subject])).toEqual([
      ["agent.updated", agent],
      ["task.released", task],
      ["claim.released", claim],
    ]);
    expect(work[2]?.data).toMatchObject({ reason: "released" });
    const { status } = await ada.call("covibe_session", { operation: "heartbeat" });
    expect(status).toBe("ok");
  });

  test("[EN6] that fell silent", async () => {
    const house = await open();
    const { ada, agent, task, claim } = await busy(house);
    house.clock.advance(31 * 60_000);
    const before = (await house.entries()).at(-1)?.seq ?? 0;
    await house.sweep();
    const work = await house.entries("work", before);
    expect(work.map(({ kind, subject }) => [kind, subject])).toEqual([
      ["agent.wentStale", agent],
      ["task.released", task],
      ["claim.released", claim],
    ]);
    expect(work[2]?.data).toMatchObject({ reason: "session_over" });
    const answer: Answer = await ada.call("covibe_session", { operation: "heartbeat" });
    expect(answer.status).toBe("ok");
  });
});
