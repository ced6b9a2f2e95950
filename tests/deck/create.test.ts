import { expect, test } from "vitest";
import { tasksIn } from "../../src/dashboard/views/workflows/new-workflow-model.ts";
import { serveDeck } from "./kit.ts";

const house = serveDeck();

test("[DW17] a workflow is created from a request and a list of tasks, with the keyboard alone, and lists its owner and progress", async () => {
  const deck = await house.open("/deck/workflows");
  await deck.see("No workflows yet.");
  await deck.press("c");
  const dialog = deck.page.getByRole("dialog", { name: "New workflow" });
  const create = dialog.getByRole("button", { name: "Create workflow" });
  await deck.page.keyboard.type("Dark mode");
  expect(await create.isDisabled()).toBe(true);
  await dialog.getByRole("textbox", { name: "Request" }).fill("The settings page can be dark.");
  await dialog
    .getByRole("textbox", { name: /^Tasks/ })
    .fill("Choose the colours\n\nWrite the sheet\nChoose the colours");
  await deck.expectAccessible("workflow-new");
  await create.focus();
  await deck.press("Enter");
  await deck.page.getByRole("heading", { level: 1, name: "Dark mode" }).waitFor();
  await deck.see("Write the sheet");
  const { workflows } = await house.call<{ workflows: { id: string }[] }>("workflow_list");
  const { tasks } = await house.call<{ tasks: { id: string }[] }>("workflow_get", {
    id: workflows[0]?.id,
    include_tasks: true,
  });
  expect(tasks).toHaveLength(2);
  await deck.goto("/deck/workflows");
  await deck.see("0 of 2");
  for (const status of ["planning", "in_progress"])
    await house.call("task_update_status", { id: tasks[0]?.id, status });
  await house.call("task_update_status", { id: tasks[0]?.id, status: "completed", outcome: "Chosen." });
  await deck.see("1 of 2");
  await deck.page.getByRole("list").getByText("root").or(deck.page.locator(".workflows-who")).first().waitFor();
  await deck.expectAccessible("workflows-progress");
});

test("[DW17] a workflow is created from a template, which asks for what it needs", async () => {
  const deck = await house.open("/deck/workflows?new=yes", { width: 360, height: 740 });
  const dialog = deck.page.getByRole("dialog", { name: "New workflow" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Login fails");
  await dialog.getByRole("combobox", { name: "Template" }).selectOption("builtin:bugfix");
  expect(await dialog.getByRole("textbox", { name: "Request" }).count()).toBe(0);
  for (const field of await dialog.getByRole("textbox").all()) {
    if ((await field.inputValue()) === "") await field.fill("the failing login");
  }
  await deck.expectNoSidewaysScroll();
  await deck.expectAccessible("workflow-new-phone");
  await dialog.getByRole("button", { name: "Create workflow" }).click();
  await deck.page.getByRole("heading", { level: 1, name: "Login fails" }).waitFor();
});

test("[DW18] a mission is created with its phases; its tasks name agent and owner", async () => {
  const deck = await house.open("/deck/missions");
  await deck.page.getByRole("button", { name: "New mission" }).click();
  const dialog = deck.page.getByRole("dialog", { name: "New mission" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Passkeys");
  await dialog.getByRole("textbox", { name: "Objective" }).fill("People can sign in with passkeys.");
  await dialog.getByRole("combobox", { name: "Phases" }).selectOption("2");
  await deck.expectAccessible("mission-new");
  await dialog.getByRole("button", { name: "Create mission" }).click();
  await deck.page.getByRole("heading", { level: 1, name: "Passkeys" }).waitFor();
  const mission_id = new URL(deck.page.url()).pathname.split("/").at(-1);
  await house.call("start_task", { mission_id, name: "Store keys", goal: "x", phase: 1, agent_name: "Nadia" });
  await deck.see(/^Nadia · /);
  await deck.see("Phase 2");
});

test("[DW17] each line is a task, in order, once", () => {
  expect(tasksIn(" One \n\nTwo\nOne")).toEqual([
    { name: "One", description: "One", sequence: 1 },
    { name: "Two", description: "Two", sequence: 2 },
  ]);
});
