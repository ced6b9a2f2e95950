import { expect, test } from "vitest";
import { serveDeck } from "./kit.ts";

const house = serveDeck();

test("[DT18, DT20] a task is planned with the keyboard alone and appears on the board of everyone who looks", async () => {
  const watcher = await house.open("/deck/board");
  const deck = await house.open("/deck/board");
  await deck.page.locator("main").focus();
  await deck.press("p");
  await deck.press("t");
  const title = deck.page.getByRole("textbox", { name: "Title" });
  await title.waitFor();
  await deck.expectAccessible("plan-task");
  expect(await deck.page.getByRole("button", { name: "Plan it" }).isDisabled()).toBe(true);
  await deck.page.keyboard.type("Print boarding passes in large type");
  await deck.press("Enter");
  await deck.see("“Print boarding passes in large type” is planned.");
  await watcher.see("Print boarding passes in large type");
});

test("[DT18] a workstream is planned from the palette, and everything that was said goes along", async () => {
  const deck = await house.open("/deck/board");
  await deck.press("Control+k");
  await deck.page.getByRole("combobox", { name: /^Find/ }).fill("plan a work");
  await deck.press("Enter");
  await deck.page.getByRole("textbox", { name: "Title" }).fill("Boarding passes for people who see badly");
  await deck.page.getByText("More about it").click();
  await deck.page.getByRole("textbox", { name: "Scope" }).fill("Print and screen");
  await deck.page.getByRole("textbox", { name: "Repository" }).fill("acme/boarding");
  await deck.page.getByRole("combobox", { name: "Priority" }).selectOption("high");
  await deck.shot("plan-workstream");
  await deck.page.getByRole("button", { name: "Plan it" }).click();
  await deck.see("is planned.");
  const { plannedWorkstreams } = await house.call<{ plannedWorkstreams: object[] }>("team_state");
  expect(plannedWorkstreams).toMatchObject([
    {
      title: "Boarding passes for people who see badly",
      scope: "Print and screen",
      repo: "acme/boarding",
      priority: "high",
    },
  ]);
});

test("[DT19, DT20] where work like it is known nothing is planned until a reason is typed", async () => {
  const bob = await house.person("bob");
  const title = "Retry failed webhook deliveries with exponential backoff";
  const known = {
    title,
    task_type: "feature",
    scope: '<img src=x onerror="window.hurt=1">',
    repo: "acme/hooks",
    target_files: ["src/send.ts"],
  };
  await house.call("covibe_task", { operation: "check", ...known }, bob);
  await house.call("covibe_task", { operation: "start", ...known }, bob);
  const countOf = async (): Promise<number> =>
    (await house.call<{ tasks: { name: string }[] }>("task_list")).tasks.filter(({ name }) => name === title).length;

  const deck = await house.open("/deck/board");
  await deck.page.getByRole("button", { name: "Plan", exact: true }).click();
  await deck.press("t");
  await deck.page.getByRole("textbox", { name: "Title" }).fill(title);
  await deck.page.getByText("More about it").click();
  await deck.page.getByRole("textbox", { name: /^Files/ }).fill("src/send.ts\n\n src/other.ts ");
  await deck.page.getByRole("button", { name: "Plan it" }).click();
  await deck.see("Nothing is planned yet: work like it is known already.");
  await deck.see("Same title");
  await deck.see('<img src=x onerror="window.hurt=1">');
  await deck.page.getByRole("table").getByText("bob").waitFor();
  await deck.expectAccessible("plan-known");
  expect(await countOf()).toBe(1);
  const allTheSame = deck.page.getByRole("button", { name: "Plan it all the same" });
  expect(await allTheSame.isDisabled()).toBe(true);
  await deck.page.getByRole("textbox", { name: "Why to plan it all the same" }).fill("   ");
  expect(await allTheSame.isDisabled()).toBe(true);
  await deck.page.keyboard.type("Ours is for the mobile app.");
  await deck.press("Tab");
  await deck.press("Tab");
  await deck.press("Enter");
  await deck.see("is planned.");
  expect(await countOf()).toBe(2);
  expect(await deck.page.evaluate(() => "hurt" in window)).toBe(false);
});

test("[DT20] the dialog fits a phone", async () => {
  const deck = await house.open("/deck/board", { width: 360, height: 740 });
  await deck.press("p");
  await deck.press("t");
  await deck.page
    .getByRole("textbox", { name: "Title" })
    .fill("Retry failed webhook deliveries with exponential backoff");
  await deck.press("Enter");
  await deck.see("Nothing is planned yet");
  await deck.expectNoSidewaysScroll();
  await deck.expectAccessible("plan-phone");
  await deck.page.getByRole("button", { name: "Change the plan" }).click();
  await deck.page.getByRole("textbox", { name: "Title" }).waitFor();
  await deck.press("Escape");
  await expect.poll(() => deck.page.getByRole("dialog").count()).toBe(0);
});
