import { expect, test } from "vitest";
import { rebaseCommand } from "../../src/dashboard/views/collisions/collisions-model.ts";
import { commitIn, lines, openScene } from "../forecast/scene.ts";
import { serveDeck } from "./kit.ts";

const house = serveDeck();

test("[FC19, FC35] worktrees that conflict are listed, by who meets whom, with both sides, the timeline and the way out", async () => {
  const deck = await house.open("/deck/collisions");
  await deck.see("No collisions.");
  await deck.expectAccessible("collisions-none");
  const scene = openScene({ "src/pay.ts": lines() });
  const dana = await house.person("dana");
  const enter = async (name: string, token?: string): Promise<void> => {
    const worktree = scene.worktree(name);
    commitIn(worktree, { "src/pay.ts": lines({ 5: `const rate = "${name}";` }) });
    await house.call("covibe_session", { operation: "start", agent_name: name, repo: "shop", worktree }, token);
  };
  await enter("cards");
  await enter("refunds", dana);
  await enter("taxes", dana);
  const cell = deck.page.getByRole("button", { name: "Conflict between cards and refunds" });
  await cell.first().click();
  await deck.see('const rate = "refunds";');
  await deck.see("Noticed");
  await deck.expectAccessible("collisions");
  const open = scene.worktree("rounding");
  commitIn(open, { "src/round.ts": "export const roundToCents = 1;\nexport const roundToEuros = 2;\n" });
  commitIn(scene.path, { "src/round.ts": "export const roundToCents = 1;\n" }, "Round to cents");
  await house.call("covibe_session", { operation: "start", agent_name: "rounding", repo: "shop", worktree: open });
  const moot = deck.page.locator(".collisions-row", { hasText: "Still needed?" });
  await moot.getByRole("button").click();
  await deck.see("Look at the commit");
  await deck.see(/src\/round\.ts: [0-9a-f]{10} Round to cents/);
  await deck.expectAccessible("collisions-moot");
  await cell.first().click();
  await deck.page.getByRole("button", { name: "Ask dana" }).click();
  await deck.page.getByRole("button", { name: "Ask", exact: true }).click();
  await deck.see("Question sent to dana.");
  await deck.page.setViewportSize({ width: 360, height: 740 });
  await deck.shot("collisions-phone");
  expect(await deck.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});

test("[FC19] the command to rebase takes the names of folders and branches as they are", () => {
  const end = (path: string) => ({ path, agent_id: null, agent: null, developer: null, task_id: null });
  expect(rebaseCommand({ ends: [end("/w/it's $(x)")], base: "main;ls" })).toBe(
    `git -C '/w/it'\\''s $(x)' rebase 'main;ls'`,
  );
  expect(rebaseCommand({ ends: [end("/w/a"), end("/w/b")], base: null })).toBe(
    `git -C '/w/a' rebase "$(git -C '/w/b' rev-parse HEAD)"`,
  );
});
