import { openBenchHouse } from "./kit/house.mjs";
import { row } from "./kit/rows.mjs";

export const title = "A workflow's cost against its size: planning, next tasks, progress, one status change";

const sizes = [100, 1_000, 10_000];
const rounds = 40;

/** Chains beside each other with a join every tenth task: wide and deep at once. */
function planOf(size) {
  const tasks = Array.from({ length: size }, (_, at) => ({
    name: `task ${at}`,
    description: `Do part ${at}.`,
    sequence: Math.floor(at / 10) + 1,
    ...(at % 10 === 0 ? {} : { parallel_group: `row ${Math.floor(at / 10)}` }),
    depends_on: at < 10 ? [] : at % 10 === 0 ? range(at - 10, at) : [`task ${at - 10}`],
  }));
  return { summary: "Many tasks", approach: "One after the other", tasks };
}

const range = (from, to) => Array.from({ length: to - from }, (_, at) => `task ${from + at}`);

export async function run() {
  const { house, call } = await openBenchHouse();
  const figures = new Map();
  for (const size of sizes) figures.set(size, await measure(call, size));
  await house.close();
  const smallest = figures.get(sizes[0]);
  return sizes.flatMap((size) =>
    Object.entries(figures.get(size)).map(([what, value]) =>
      row({
        what: `${what}, ${size.toLocaleString("en")} tasks`,
        value,
        unit: "ms",
        peer: `${sizes[0]} tasks`,
        peerValue: smallest[what],
        aim: size === 10_000 && what !== "set plan" ? { atMost: 5 } : undefined,
      }),
    ),
  );
}

async function measure(call, size) {
  const { id } = await call("workflow_create", { name: "Bench", source_type: "prompt", source_content: "x" });
  const planned = await timed(() => call("workflow_set_plan", { id, plan: planOf(size) }));
  const { tasks } = await call("workflow_next_tasks", { workflow_id: id });
  const next = [];
  const progress = [];
  const change = [];
  for (let round = 0; round < rounds; round += 1) {
    next.push(await timed(() => call("workflow_next_tasks", { workflow_id: id })));
    progress.push(await timed(() => call("workflow_progress", { workflow_id: id })));
    const task = tasks[round % tasks.length];
    if (round < tasks.length)
      change.push(await timed(() => call("task_update_status", { id: task.id, status: "planning" })));
  }
  return {
    "set plan": planned,
    "next tasks": median(next),
    progress: median(progress),
    "status change": median(change),
  };
}

async function timed(act) {
  const startedAt = performance.now();
  await act();
  return Math.round((performance.now() - startedAt) * 100) / 100;
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
