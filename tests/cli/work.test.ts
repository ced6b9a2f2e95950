import { beforeAll, expect, test } from "vitest";
import { drawGraph, type GraphTask } from "../../src/transports/cli/graph.ts";
import { crewdeck, crewdeckJson, ensureBuilt, openHome, type TestHome } from "./program.ts";

beforeAll(ensureBuilt);

async function planFeature(home: TestHome): Promise<string> {
  const { workflow_id } = await crewdeckJson<{ workflow_id: string }>(
    home,
    "call",
    "template_apply",
    "--template-id",
    "builtin:bugfix",
    "--workflow-name",
    "Login fails",
    "--variables",
    '{"bug":"the login"}',
  );
  return workflow_id;
}

test("[CL50, CL51] an empty board and an empty queue say what to do next", async () => {
  const home = openHome();
  expect((await crewdeck(home, ["board"])).stdout).toContain("crewdeck task add");
  expect((await crewdeck(home, ["next"])).stdout).toContain("No task is ready.");
  expect(await crewdeckJson(home, "next", "--json")).toEqual({ task: null });
});

test("[CL50, CL51, CL52] a planned workflow is on the board, can be begun and is drawn", async () => {
  const home = openHome();
  const workflow = await planFeature(home);
  const board = await crewdeckJson<Record<string, { name: string }[]>>(home, "board", "--json");
  expect(Object.fromEntries(Object.entries(board).map(([column, tasks]) => [column, tasks.length]))).toEqual({
    active: 0,
    blocked: 3,
    planned: 1,
    failed: 0,
    done: 0,
  });
  const next = await crewdeckJson<{ task: { id: string; name: string }; claim: string }>(home, "next", "--json");
  expect(next.task.name).toBe("Reproduce the login");
  const { stdout: told } = await crewdeck(home, ["next"]);
  expect(told).toContain("Start an agent on it: crewdeck agent start --task 1\n");
  expect(told).toContain("crewdeck call task_claim --task-id 1 --agent-id NAME");
  expect(next.claim).toBe(`crewdeck call task_claim --task-id ${next.task.id} --agent-id AGENT`);
  const { stdout } = await crewdeck(home, ["workflow", "show", workflow]);
  expect(stdout.split("\n").slice(0, 1)).toEqual(["Login fails  ready  0 of 4 tasks completed"]);
  expect(stdout).toMatch(/1 {2}\[ \] {2}#1 {2}Reproduce the login +pending\n2 {2}\[-\]/);
});

const task = (name: string, ...depends_on: string[]): GraphTask => ({
  name,
  status: "pending",
  claimed_by: null,
  depends_on,
});

test("[CL52] a task stands one layer below the last of what it depends on", () => {
  expect(drawGraph([task("a"), task("b", "a"), task("c", "a", "b"), task("d")])).toEqual([
    "1  [ ]  a  pending",
    "   [ ]  d  pending",
    "2  [ ]  b  pending    after a",
    "3  [ ]  c  pending    after a, b",
  ]);
});

test("[CL52] a chain of ten thousand tasks is drawn, last one first in the plan or not", () => {
  const chain = Array.from({ length: 10_000 }, (_, at) => (at === 0 ? task("0") : task(String(at), String(at - 1))));
  expect(drawGraph([...chain].reverse())).toHaveLength(10_000);
});
