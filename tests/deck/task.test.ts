import { expect, test } from "vitest";
import { serveDeck } from "./kit.ts";
import { playScene } from "./scene.ts";

const house = serveDeck();

test("[DK60] a task shows its plan, its holder, its notes and what happened to it, as it happens", async () => {
  const { bob, tasks } = await playScene(house);
  const id = tasks["Move e-mails out of the request"] ?? "";
  const deck = await house.open(`/deck/tasks/${id}`);
  await deck.see("Use the existing queue instead of a new one.");
  await deck.see("was taken by Bob");
  await deck.see("Faster checkout");
  await deck.expectAccessible("task");
  await bob.call("checkpoint_add", { task_id: id, type: "progress", summary: "Half of the mails are **queued**." });
  await deck.page.locator(".task-note strong").filter({ hasText: "queued" }).waitFor();
  await bob.call("task_update_status", { id, status: "completed", outcome: "Mails leave after the answer." });
  await deck.see("Outcome");
  await deck.page.getByRole("tab", { name: "Messages" }).click();
  await deck.see("Do you rename the");
  await deck.expectAccessible("task-messages");
});

test("[DK61, DK65, CX17] what an agent would be told fits the chosen budget and says what it left out", async () => {
  const agent = await house.agent("Writer");
  const workflow = { name: "Long", source_type: "prompt", source_content: "Much to say. ".repeat(300) };
  const { id } = await agent.call<{ id: string }>("workflow_create", workflow);
  const task = { name: "Say much", description: "Many words. ".repeat(400), sequence: 1 };
  await agent.call("workflow_set_plan", { id, plan: { summary: "Long", approach: "Long.", tasks: [task] } });
  const { tasks } = await agent.call<{ tasks: { id: string }[] }>("workflow_get", { id, include_tasks: true });
  const deck = await house.open(`/deck/tasks/${tasks[0]?.id}?tab=context&budget=500`);
  await deck.see("shortened");
  const used = async (): Promise<number> =>
    Number(/([\d,]+) used/.exec((await deck.page.textContent("main")) ?? "")?.[1]?.replaceAll(",", ""));
  expect(await used()).toBeLessThanOrEqual(500);
  await deck.see("No agent has loaded this context yet.");
  await agent.call("task_set_plan", { id: tasks[0]?.id, plan: { approach: "Briefly", steps: ["Say it", "Stop"] } });
  await agent.call("task_load_context", { task_id: tasks[0]?.id, max_tokens: 1_000 });
  const recovery = deck.page.getByRole("region", { name: "Recoveries" }).getByRole("row").nth(1);
  await recovery.getByText("2 of 2").waitFor();
  expect(await recovery.innerText()).toMatch(/1,000\s+—\s+—\s+2 of 2$/);
  for (let at = 1; at <= 7; at += 1) {
    const summary = `Decision ${at}: ${"because of this and that. ".repeat(20)}`;
    const files_changed = [`src/writer/part-${at}.ts`];
    await agent.call("checkpoint_add", { task_id: tasks[0]?.id, type: "decision", summary, files_changed });
  }
  await agent.call("task_load_context", { task_id: tasks[0]?.id, max_tokens: 500 });
  await deck.page.getByText("Not in the pack").click();
  await deck.see(/Decision 1: because/);
  await deck.see("src/writer/part-1.ts");
  await deck.expectAccessible("task-context");
  await deck.page.setViewportSize({ width: 360, height: 740 });
  await recovery.scrollIntoViewIfNeeded();
  await deck.expectNoSidewaysScroll();
  await deck.shot("task-recoveries-phone");
  await deck.page.setViewportSize({ width: 1280, height: 800 });
  await deck.shot("task-recoveries");
  const height = async (): Promise<number> => (await deck.page.locator(".folded").first().boundingBox())?.height ?? 0;
  const folded = await height();
  const fold = deck.page.getByRole("button", { name: "Show all of the description" });
  await fold.press("Enter");
  await expect.poll(height).toBeGreaterThan(2 * folded);
  await deck.page.getByRole("button", { name: "Show less" }).press("Enter");
  await expect.poll(height).toBe(folded);
  await deck.page.getByLabel("Token budget").selectOption("16000");
  await expect.poll(() => deck.page.url()).toContain("budget=16000");
  await expect.poll(used).toBeGreaterThan(500);
});

test("[DK4] a task that does not exist says so", async () => {
  const deck = await house.open("/deck/tasks/tk_unknown");
  deck.allow(/404/);
  await deck.see("TASK_NOT_FOUND");
});
