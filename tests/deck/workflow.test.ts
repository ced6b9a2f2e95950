import { expect, test } from "vitest";
import { serveDeck } from "./kit.ts";
import { playScene } from "./scene.ts";

const house = serveDeck();

test("[DW7] without a workflow the page says how to begin", async () => {
  const deck = await house.open("/deck/workflows");
  await deck.see("No workflows yet.");
  await deck.expectAccessible("workflows-empty");
});

test("[DW7] from the list to the graph, the time and the list of tasks by keyboard alone", async () => {
  await playScene(house);
  const deck = await house.open("/deck/workflows");
  await deck.see("Faster checkout");
  await deck.expectAccessible("workflows");
  await deck.page.getByRole("searchbox", { name: "Find workflows" }).fill("checkout");
  await deck.page.getByRole("searchbox", { name: "Find workflows" }).blur();
  await deck.press("Enter");
  const graph = deck.page.getByRole("region", { name: "Graph of the tasks" });
  await graph.getByRole("link", { name: "Measure where the time goes" }).focus();
  await deck.press("ArrowRight");
  await deck.press("ArrowRight");
  await deck.press("ArrowRight");
  expect(await deck.page.evaluate(() => document.activeElement?.textContent)).toBe("Release notes");
  expect(await graph.locator('[data-critical="true"].workflow-box').count()).toBe(3);
  await graph.getByRole("list", { name: "Legend" }).getByText("critical path").waitFor();
  await deck.expectAccessible("workflow-graph");
  await deck.press("2");
  await deck.page.getByRole("region", { name: "Timeline of tasks" }).getByText("not started").first().waitFor();
  await deck.expectAccessible("workflow-time");
  await deck.press("3");
  await deck.see("after Load test with a thousand carts");
  expect(deck.page.url()).toContain("as=list");
  await deck.expectAccessible("workflow-list");
});

test("[DW8] a plan and a claim appear without a reload, and a person begins the work", async () => {
  const agent = await house.agent("Dora");
  const { id } = await agent.call<{ id: string }>("workflow_create", {
    name: "Live plan",
    source_type: "prompt",
    source_content: "x",
  });
  const deck = await house.open(`/deck/workflows/${id}`);
  await deck.see("No tasks yet.");
  const tasks = [{ name: "Only step", description: "Do it.", sequence: 1 }];
  await agent.call("workflow_set_plan", { id, plan: { summary: "One step", approach: "Do it", tasks } });
  const box = deck.page.locator(".workflow-box", { hasText: "Only step" });
  await box.waitFor();
  const { tasks: ready } = await agent.call<{ tasks: { id: string }[] }>("workflow_next_tasks", { workflow_id: id });
  await agent.call("task_claim", { task_id: ready[0]?.id, agent_id: agent.id });
  await box.getByText("Dora").waitFor();
  await deck.page.getByRole("button", { name: "Change workflow" }).click();
  await deck.page.getByRole("menuitem", { name: "Start" }).click();
  await expect.poll(async () => (await agent.call("workflow_get", { id }))["status"]).toBe("in_progress");
});

test("[DW9, DW2] five hundred tasks open as boxes that lead to their parts, on a phone too", async () => {
  const agent = await house.agent("Eve");
  const { id } = await agent.call<{ id: string }>("workflow_create", {
    name: "Many steps",
    source_type: "prompt",
    source_content: "x",
  });
  const tasks = Array.from({ length: 500 }, (_, at) => ({
    name: `step ${at}`,
    description: "Do it.",
    sequence: Math.floor(at / 5) + 1,
    depends_on: at < 5 ? [] : [`step ${at - 5}`],
  }));
  await agent.call("workflow_set_plan", { id, plan: { summary: "Many", approach: "One by one", tasks } });
  const deck = await house.open(`/deck/workflows/${id}`, { width: 360 });
  await deck.page
    .getByRole("button", { name: /10 tasks, 0% done/ })
    .first()
    .click();
  await deck.page.getByRole("link", { name: "step 9", exact: true }).waitFor();
  await deck.expectNoSidewaysScroll();
  await deck.shot("workflow-phone");
  await deck.page.getByRole("button", { name: /show all/ }).click();
  await deck.page
    .getByRole("button", { name: /10 tasks/ })
    .first()
    .waitFor();
});

test("[DW15] a person adds a task, moves it and cancels it with a reason", async () => {
  const agent = await house.agent("Finn");
  const { id } = await agent.call<{ id: string }>("workflow_create", {
    name: "A plan to change",
    source_type: "prompt",
    source_content: "x",
  });
  const tasks = [{ name: "First", description: "Do it.", sequence: 1 }];
  await agent.call("workflow_set_plan", { id, plan: { summary: "One", approach: "Do it", tasks } });
  const deck = await house.open(`/deck/workflows/${id}?as=list`);
  await deck.see("First");
  await deck.press("n");
  await deck.page.getByRole("textbox", { name: "Name" }).fill("Second");
  await deck.expectAccessible("workflow-add");
  await deck.page.getByRole("button", { name: "Add", exact: true }).click();
  const row = deck.page.locator(".workflow-step-row", { hasText: "Second" });
  await row.getByText("after First").waitFor();
  await row.getByRole("button", { name: "Change Second" }).click();
  await deck.page.getByRole("menuitem", { name: /^Move down/ }).click();
  await row.getByText("3", { exact: true }).waitFor();
  await row.getByRole("button", { name: "Change Second" }).click();
  await deck.page.getByRole("menuitem", { name: /^Cancel/ }).click();
  await deck.page.getByRole("textbox", { name: "Why" }).fill("Nobody needs it.");
  await deck.page.getByRole("button", { name: "Cancel task" }).click();
  await row.getByText("cancelled").waitFor();
});
