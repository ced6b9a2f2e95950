import { expect, test } from "vitest";
import { ask, callTool } from "./raw.ts";
import { useServer } from "./server.ts";

const server = useServer();

const read = async (path: string): Promise<Record<string, unknown>> =>
  (await ask(server, "GET", path)).json<{ result: Record<string, unknown> }>().result;

test("[HT70] workflows and tasks are listed, filtered and read by id", async () => {
  const { workflow_id } = await callTool<{ workflow_id: string }>(server, "template_apply", {
    template_id: "builtin:bugfix",
    workflow_name: "Login",
    variables: { bug: "the login" },
  });
  expect(await read("/api/workflows?status=ready&limit=5")).toMatchObject({
    total: 1,
    workflows: [{ id: workflow_id }],
  });
  expect(await read("/api/workflows?status=failed")).toEqual({ total: 0, workflows: [] });
  const { tasks } = (await read(`/api/workflows/${workflow_id}`)) as { tasks: { id: string }[] };
  expect(tasks).toHaveLength(4);
  expect((await read("/api/tasks?column=planned"))["tasks"]).toHaveLength(1);
  expect(await read(`/api/tasks/${tasks[0]?.id}`)).toMatchObject({ id: tasks[0]?.id, checkpoints: [] });
  expect((await ask(server, "GET", "/api/tasks/tk_none")).status).toBe(404);
});

test("[HT73] tasks are filtered by the status they show, within a column too", async () => {
  await callTool(server, "template_apply", {
    template_id: "builtin:bugfix",
    workflow_name: "Logout",
    variables: { bug: "the logout" },
  });
  const list = async (query = "") => (await read(`/api/tasks${query}`))["tasks"] as { id: string; status: string }[];
  const [first] = await list("?column=planned");
  await callTool(server, "task_update_status", { id: first?.id, status: "planning" });
  const all = await list();
  for (const status of ["planned", "preparing", "done"]) {
    expect(await list(`?status=${status}`)).toEqual(all.filter((task) => task.status === status));
  }
  expect(await list("?status=planned,preparing")).toEqual(all);
  expect(await list("?status=planned&column=done")).toEqual([]);
  expect((await ask(server, "GET", "/api/tasks?status=asleep")).status).toBe(400);
});

test("[HT70] missions are listed and read whole", async () => {
  const { mission_id } = await callTool<{ mission_id: string }>(server, "start_mission", { name: "M", objective: "O" });
  expect(await read("/api/missions")).toMatchObject({ total: 1, missions: [{ mission_id, status: "PENDING" }] });
  expect(await read(`/api/missions/${mission_id}`)).toMatchObject({
    mission_id,
    phase_summary: [],
    tasks: [],
    blockers: [],
  });
});

test("[HT70] what a task changed is read by its id, a page at a time", async () => {
  const { mission_id } = await callTool<{ mission_id: string }>(server, "start_mission", { name: "M", objective: "O" });
  const task = { mission_id, name: "n", goal: "g" };
  const { task_id } = await callTool<{ task_id: string }>(server, "start_task", task);
  expect((await ask(server, "GET", `/api/tasks/${task_id}/diff`)).status).toBe(409);
  await callTool(server, "complete_task", { task_id, status: "success", outcome: { summary: "s" } });
  expect(await read(`/api/tasks/${task_id}/diff?limit=5&after=a.txt`)).toMatchObject({ task_id, files_left: 0 });
  expect((await ask(server, "GET", `/api/tasks/${task_id}/diff?limit=0`)).status).toBe(400);
  expect((await ask(server, "GET", "/api/tasks/tk_none/diff")).status).toBe(404);
});
