import { expect, test } from "vitest";
import { makeRepository } from "../git/scratch.ts";
import { type DeckPage, serveDeck } from "./kit.ts";

const house = serveDeck();

const marksIn = (deck: DeckPage) => deck.page.locator(".search-hit mark");

test("[IX40] what a pattern matches stands out like words do, while one types", async () => {
  const { path } = makeRepository({
    "src/price.ts": "export function priceOfBasket(lines: number) {\n  return lines * 3;\n}\n",
    "src/slow.ts": `export const row = "${"a".repeat(120)}";\n`,
  });
  await house.call("build_index", { repoPath: path });
  const deck = await house.open(`/deck/search?repo=${encodeURIComponent(path)}`);
  const box = deck.page.getByRole("searchbox", { name: "Search code and records" });
  await box.fill("priceOfBasket");
  await marksIn(deck).first().waitFor();
  expect(await marksIn(deck).allTextContents()).toEqual(["priceOfBasket"]);
  await box.fill("/price\\w+\\(/ export");
  await marksIn(deck).filter({ hasText: "priceOfBasket(" }).waitFor();
  expect(await marksIn(deck).allTextContents()).toEqual(["export", "priceOfBasket("]);
  await deck.expectAccessible("search-pattern");
  // The browser's own patterns would try for longer than anybody lives, and the page would hang.
  await box.fill('/"(a+)+";/');
  await marksIn(deck).filter({ hasText: "aaaa" }).waitFor();
  expect(await marksIn(deck).allTextContents()).toEqual([`"${"a".repeat(120)}";`]);
  await box.fill("/(a+)+!/");
  await deck.see("No results");
});
