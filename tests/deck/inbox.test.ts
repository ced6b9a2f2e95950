import { expect, test } from "vitest";
import { serveDeck } from "./kit.ts";

const house = serveDeck();

test("[DI1] an empty inbox says that nothing waits", async () => {
  const deck = await house.open("/deck/inbox");
  await deck.see("Nothing needs you.");
  await deck.expectAccessible("inbox-empty");
});

test("[DI2, DI3] a question comes in live, is counted in the tab and answered with the keyboard", async () => {
  const bob = await house.person("bob");
  const deck = await house.open("/deck/inbox");
  await deck.see("Nothing needs you.");
  const owner = await house.call<{ developers: { handle: string; role: string }[] }>("developer_list");
  const to = owner.developers.find(({ role }) => role === "owner")?.handle;
  const asked = await house.call<{ data: { ask_id: string } }>(
    "covibe_coordination",
    { operation: "ask", to, question: "May I change the price rules?" },
    bob,
  );
  await deck.see("May I change the price rules?");
  await expect.poll(() => deck.page.title()).toMatch(/^\(1\) Inbox/);
  await deck.expectAccessible("inbox");
  await deck.press("r");
  await deck.page.getByRole("textbox", { name: "Your answer" }).fill("Yes, after Friday.");
  await deck.press("Tab");
  await deck.press("Enter");
  await deck.see("Nothing needs you.");
  await expect.poll(() => deck.page.title()).toMatch(/^Inbox/);
  await deck.goto("/deck/board");
  const summary = () => house.call("covibe_coordination", { operation: "summary" }, bob);
  await expect.poll(async () => JSON.stringify(await summary())).toContain("Yes, after Friday.");
  expect(asked.data.ask_id).toMatch(/^msg_/);
});

test("[DI4, DI6] what waits for others is shown when it is asked for, and an issue is resolved in place", async () => {
  const agent = await house.agent("Ada");
  const { mission_id } = await agent.call<{ mission_id: string }>("start_mission", {
    name: "Passkeys",
    objective: "x",
  });
  const { task_id } = await agent.call<{ task_id: string }>("start_task", { mission_id, name: "Keys", goal: "x" });
  await agent.call("log_issue", {
    task_id,
    type: "unclear_requirement",
    description: "Which browsers must work?",
    resolution: "Waiting.",
    requires_human_review: true,
  });
  const deck = await house.open("/deck/inbox?of=everyone");
  await deck.see("Which browsers must work?");
  await deck.page.getByRole("button", { name: /^Resolve/ }).click();
  await deck.see("Nothing needs anyone.");
  await deck.page.getByRole("button", { name: "Undo" }).click();
  await deck.see("Which browsers must work?");
  expect((await house.call<{ items: object[] }>("inbox", { everyone: true })).items).toHaveLength(1);
  await deck.page.getByRole("button", { name: /^Resolve/ }).click();
  await deck.page.getByRole("button", { name: "Undo" }).waitFor({ state: "detached" });
  await expect.poll(() => house.call("inbox", { everyone: true })).toEqual({ items: [] });
});

test("[DI5] the browser tells of what begins to wait while the page is out of sight, once it was asked to", async () => {
  const carol = await house.person("carol");
  const { developers } = await house.call<{ developers: { handle: string; role: string }[] }>("developer_list");
  const to = developers.find(({ role }) => role === "owner")?.handle;
  const ask = (question: string) => house.call("covibe_coordination", { operation: "ask", to, question }, carol);
  const deck = await house.open("/deck/inbox");
  await deck.page.context().grantPermissions(["notifications"], { origin: house.url });
  await deck.page.addInitScript(watchNotifications);
  await deck.goto("/deck/inbox");
  const told = () => deck.page.evaluate(() => (window as unknown as Watched).told);
  await deck.page.getByRole("button", { name: "Notify me", pressed: false }).click();
  await deck.page.getByRole("button", { name: "Notify me", pressed: true }).waitFor();
  await ask("Seen as it comes?");
  await deck.see("Seen as it comes?");
  expect(await told()).toEqual([]);
  await deck.page.evaluate(() => {
    (window as unknown as Watched).isAway = true;
  });
  await ask("Is anybody there?");
  await expect.poll(told).toEqual([["carol asks", "Is anybody there?"]]);
});

interface Watched {
  told: [string, string][];
  isAway: boolean;
}

/** Writes down what the browser's own notifications say, and lets the test look away from the page. */
function watchNotifications(): void {
  const watched = window as unknown as Watched;
  watched.told = [];
  watched.isAway = false;
  Object.defineProperty(document, "visibilityState", { get: () => (watched.isAway ? "hidden" : "visible") });
  window.Notification = class extends Notification {
    constructor(title: string, options?: NotificationOptions) {
      super(title, options);
      watched.told.push([title, options?.body ?? ""]);
    }
  };
}
