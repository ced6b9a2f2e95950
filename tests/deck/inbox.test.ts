import { expect, test } from "vitest";
import { serveDeck } from "./kit.ts";

const house = serveDeck();

test("[DI1] an empty inbox says that nothing waits", async () => {
  const deck = await house.open("/deck/inbox");
  await deck.see("Nothing needs you.");
  await deck.expectAccessible("inbox-empty");
});

test("[DI2, DI3, DI12] a question comes in live, is counted in the tab and answered with the keyboard", async () => {
  const bob = await house.person("bob");
  const deck = await house.open("/deck/inbox");
  await deck.see("Nothing needs you.");
  const owner = await house.call<{ developers: { handle: string; role: string }[] }>("developer_list");
  const to = owner.developers.find(({ role }) => role === "owner")?.handle;
  const agent = { agent_type: "codex", agent_name: "Bob’s agent", repo: "acme/shop", branch: "main" };
  const begun = { operation: "start", ...agent };
  const { session_id } = (await house.call<{ data: { session_id: string } }>("covibe_session", begun, bob)).data;
  const asked = await house.call<{ data: { ask_id: string } }>(
    "covibe_coordination",
    { operation: "ask", to, question: "May I change the price rules?", session_id },
    bob,
  );
  await deck.see("May I change the price rules?");
  await deck.see("Bob’s agent codex · bob");
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
