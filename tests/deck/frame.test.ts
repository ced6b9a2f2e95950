import { test } from "vitest";
import { serveDeck } from "./kit.ts";

const house = serveDeck();

test("[DK1] the one-time link opens the deck, and an agent that registers appears without a reload", async () => {
  const deck = await house.open("/deck/agents");
  await deck.see("No agent has come yet.");
  await deck.expectAccessible("agents-empty");
  await house.agent("Ada", { workspace_path: "/srv/code/shop" });
  await deck.see("Ada");
  await deck.expectAccessible("agents");
});
