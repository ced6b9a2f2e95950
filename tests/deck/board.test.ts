import { expect, test } from "vitest";
import { serveDeck } from "./kit.ts";
import { playScene } from "./scene.ts";

const house = serveDeck();

test("[DK20] an empty board says how to begin, and fills without a reload", async () => {
  const deck = await house.open("/deck/board");
  await deck.see("Nothing is planned yet.");
  await deck.expectAccessible("board-empty");
  await playScene(house);
  await deck.page.getByRole("region", { name: "Blocked" }).getByText("Split words into trigrams").waitFor();
  expect(await deck.page.getByRole("region", { name: "Active", exact: true }).getByRole("article").count()).toBe(2);
  await deck.expectAccessible("board");
});
