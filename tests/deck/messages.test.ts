import { expect, test } from "vitest";
import { serveDeck } from "./kit.ts";
import { playScene } from "./scene.ts";

const house = serveDeck();

test("[DK50] nobody has written, then a thread appears and a person answers in it", async () => {
  const deck = await house.open("/deck/messages");
  await deck.see("No messages yet.");
  await deck.expectAccessible("messages-empty");
  const { ada, bob } = await playScene(house);
  await deck.page.getByRole("link", { name: /Queue names/ }).click();
  await deck.see("Do you rename the");
  await deck.page.getByLabel("Reply to Ada").fill("Leave the queue alone, **please**.");
  await deck.press("Control+Enter");
  await deck.page.locator(".letters strong").filter({ hasText: "please" }).waitFor();
  await deck.expectAccessible("messages");
  const { messages } = await ada.call<{ messages: { body: string }[] }>("message_list", { agent_id: ada.id });
  expect(messages.map(({ body }) => body)).toEqual(["Leave the queue alone, **please**."]);
  const mailbox = await bob.call<{ unread_count: number }>("message_list", { agent_id: bob.id });
  expect(mailbox.unread_count).toBe(1);
});

test("[DK51] a person writes to everyone who is here, and what is answered to them counts as unread until they look", async () => {
  const deck = await house.open("/deck/messages");
  await deck.see("Queue names");
  await deck.press("c");
  await deck.page.getByLabel("To", { exact: true }).selectOption("*");
  await deck.page.getByLabel("Subject").fill("Freeze");
  await deck.page.getByLabel("Message", { exact: true }).fill("Main is frozen until noon.");
  await deck.page.getByLabel("Priority").selectOption("urgent");
  await deck.expectAccessible("messages-write");
  await deck.page.getByRole("button", { name: "Send" }).last().click();
  await deck.page.getByRole("link", { name: /Freeze/ }).waitFor();
  await deck.goto("/deck/board");
  const dora = await house.agent("Dora");
  const { agents } = await dora.call<{ agents: { id: string; metadata: { person?: boolean } }[] }>("agent_list");
  const person = agents.find(({ metadata }) => metadata.person === true)?.id;
  const letter = {
    sender_id: dora.id,
    recipient_id: person,
    message_type: "query",
    subject: "May I?",
    body: "Deploy?",
  };
  const { id } = await dora.call<{ id: string }>("message_send", letter);
  await deck.goto("/deck/messages");
  await deck.see("1 for you");
  const badge = deck.page.getByRole("navigation").getByText("1 unread");
  await badge.waitFor();
  await deck.page.getByRole("link", { name: /May I/ }).click();
  await deck.page.getByText("1 for you").waitFor({ state: "detached" });
  await badge.waitFor({ state: "detached" });
  expect(await house.call("message_get", { id, mark_read: false })).toMatchObject({ status: "read" });
});
