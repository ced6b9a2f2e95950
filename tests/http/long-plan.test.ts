import { expect, test } from "vitest";
import { ask, callTool } from "./raw.ts";
import { openServer } from "./routes.ts";

test("[ST40] while a plan of ten thousand tasks is kept, others are answered", async () => {
  const server = await openServer();
  const { id } = await callTool<{ id: string }>(server, "workflow_create", {
    name: "Everything",
    source_type: "prompt",
    source_content: "All of it.",
  });
  const tasks = Array.from({ length: 10_000 }, (_, place) => ({
    name: `Step ${place}`,
    description: "One of many.",
    sequence: place,
    depends_on: place === 0 ? [] : [`Step ${place - 1}`],
  }));
  let isKept = false;
  const plan = { summary: "Long", approach: "Step by step", tasks };
  const kept = callTool<{ tasks_created: number }>(server, "workflow_set_plan", { id, plan }).finally(() => {
    isKept = true;
  });
  let answered = 0;
  while (!isKept) {
    const { status } = await ask(server, "GET", `/api/workflows/${id}`);
    expect(status).toBe(200);
    answered += 1;
  }
  expect((await kept).tasks_created).toBe(10_000);
  // The first was sent before the plan was looked at, the last after it was kept.
  expect(answered).toBeGreaterThan(4);
});
