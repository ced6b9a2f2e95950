import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { until } from "../../src/testing/waiting.ts";
import { type DeckPage, serveDeck } from "./kit.ts";
import { playScene } from "./scene.ts";

const house = serveDeck();

async function exported(deck: DeckPage, format: string): Promise<string> {
  await deck.page.getByRole("button", { name: "Export" }).click();
  const [file] = await Promise.all([
    deck.page.waitForEvent("download"),
    deck.page.getByRole("menuitem", { name: format }).click(),
  ]);
  return readFileSync(await file.path(), "utf8");
}

test("[DK40] the ledger is shown in words, filtered by the address, and grows while one looks", async () => {
  const scene = await playScene(house);
  const deck = await house.open("/deck/activity");
  await deck.see("Ada wrote to Bob");
  await deck.see("failed, was active");
  await deck.expectAccessible("activity");
  await deck.page.getByLabel("About").selectOption("message");
  await expect.poll(() => deck.page.url()).toContain("about=message");
  await expect.poll(() => deck.page.locator(".event-line").count()).toBe(1);
  await scene.bob.call("message_send", {
    sender_id: scene.bob.id,
    recipient_id: scene.ada.id,
    message_type: "response",
    body: "No, it stays.",
  });
  await deck.see("Bob wrote to Ada");
  await deck.goto("/deck/activity?q=trigrams&about=task");
  await deck.see("Split words into trigrams");
  for (const line of await deck.page.locator(".event-line").allTextContents()) expect(line).toContain("trigrams");
});

test("[DK41] what is exported is what fits the filter, whole, and no cell begins like a formula", async () => {
  await house.call("agent_register", { name: "=HYPERLINK(1)", runtime: "custom" });
  const deck = await house.open("/deck/activity?about=agent&q=joined");
  await deck.see("=HYPERLINK(1)");
  const lines = (await exported(deck, "As JSON lines")).trim().split("\n");
  const events = lines.map((line) => JSON.parse(line) as { kind: string });
  expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set(["agent.registered"]));
  const rows = (await exported(deck, "As CSV")).trim().split("\r\n");
  expect(rows).toHaveLength(events.length + 1);
  expect(rows.at(-1)).toContain(",'=HYPERLINK(1),");
});

test("[DK42] of a long ledger only what is in view exists, older pages come by scrolling, and the place is kept", async () => {
  for (let place = 0; place < 450; place += 1) {
    await house.call("agent_register", { name: `Old ${place}`, runtime: "custom" });
  }
  const deck = await house.open("/deck/activity?about=agent");
  const list = deck.page.getByRole("region", { name: "Events" });
  await list.getByText("Old 449").waitFor();
  const oldest = list.getByText("Old 0", { exact: true });
  await until(async () => {
    await list.evaluate((box) => box.scrollBy(0, 2_000));
    return (await oldest.count()) > 0;
  });
  expect(await deck.page.locator(".event-line").count()).toBeLessThan(80);
  const before = await oldest.boundingBox();
  const size = async (): Promise<number> =>
    Number(await list.getByRole("listitem").first().getAttribute("aria-setsize"));
  const sizeBefore = await size();
  await house.call("agent_register", { name: "Newest", runtime: "custom" });
  await expect.poll(size).toBe(sizeBefore + 1);
  expect(await oldest.boundingBox()).toEqual(before);
});
