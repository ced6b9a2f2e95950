import { expect, test } from "vitest";
import { askConflicts } from "../../src/companion/hook/ask-conflicts.ts";
import { findRepository } from "../../src/companion/repository.ts";
import { contactsOf, matrixOf, rebaseCommand } from "../../src/dashboard/views/collisions/collisions-model.ts";
import { until } from "../../src/testing/waiting.ts";
import { commitIn, lines, openScene } from "../forecast/scene.ts";
import { serveDeck } from "./kit.ts";

const house = serveDeck();

test("[FC19, FC35, HK18] worktrees that conflict are listed, by who meets whom, with both sides, the timeline and the way out, and a hook says so before an edit", async () => {
  const deck = await house.open("/deck/collisions");
  await deck.see("No collisions.");
  await deck.expectAccessible("collisions-none");
  const scene = openScene({ "src/pay.ts": lines() });
  const dana = await house.person("dana");
  const enter = async (name: string, token?: string) => {
    const worktree = scene.worktree(name);
    commitIn(worktree, { "src/pay.ts": lines({ 5: `const rate = "${name}";` }) });
    const start = { operation: "start", agent_name: name, repo: "shop", worktree };
    const { data } = await house.call<{ data: { session_id: string } }>("covibe_session", start, token);
    return { worktree, session_id: data.session_id };
  };
  const cards = await enter("cards");
  await enter("refunds", dana);
  await enter("taxes", dana);
  await enter("tips");
  const cell = deck.page.getByRole("button", { name: "Conflict between cards and refunds" });
  await cell.first().click();
  await deck.see('const rate = "refunds";');
  await deck.see("Noticed");
  await deck.expectAccessible("collisions");
  const asked = { paths: ["src/pay.ts"], session_id: cards.session_id };
  const target = { origin: house.url, token: house.token };
  const hook = { signal: new AbortController().signal, passesNotices: true };
  const repository = findRepository(cards.worktree) ?? expect.fail();
  let said: readonly string[] = [];
  // What waits for the agent comes first, and says it.
  await until(async () => {
    ({ notices: said } = await askConflicts(target, repository, asked, hook));
    return said.length > 0 && said.every((line) => !line.includes(" since "));
  });
  expect(said).toContain("Your changes in src/pay.ts conflict with dana's changes.");
  expect((await askConflicts(target, repository, { ...asked, paths: ["src/tax.ts"] }, hook)).notices).toEqual([]);
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
  // Both agents of this one are the reader's own.
  await deck.page.getByRole("button", { name: "Conflict between cards and tips" }).first().click();
  await deck.page.getByRole("button", { name: "Ask tips" }).click();
  await deck.page.getByRole("button", { name: "Ask", exact: true }).click();
  await deck.see("Question sent to tips.");
  await deck.page.setViewportSize({ width: 360, height: 740 });
  await deck.shot("collisions-phone");
  expect(await deck.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});

const nobody = { path: null, agent_id: null, agent: null, developer: null, task_id: null };
const end = (path: string | null, who: string | null = null, developer: string | null = null) => ({
  ...nobody,
  path,
  developer,
  agent: who,
  agent_id: who && `ag_${who}`,
  task_id: who && `task_${who}`,
});

test("[FC19] the command to rebase takes names as they are, and never goes into somebody else's worktree", () => {
  expect(rebaseCommand({ ends: [end("/w/it's $(x)")], base: "main;ls" }, "ada")).toBe(
    `git -C '/w/it'\\''s $(x)' rebase 'main;ls'`,
  );
  const [dana, ada] = [end("/w/a", "cards", "dana"), end("/w/b", "refunds", "ada")];
  expect(rebaseCommand({ ends: [dana, ada], base: null }, "ada")).toBe(
    `git -C '/w/b' rebase "$(git -C '/w/a' rev-parse HEAD)"`,
  );
  expect(rebaseCommand({ ends: [dana, ada], base: null }, "grace")).toBeUndefined();
  expect(rebaseCommand({ ends: [dana], base: "origin/main" }, "ada")).toBeUndefined();
});

test("[FC19] who runs both agents can ask either and hand one's task to the other; else the teammate", () => {
  const own = [end("/w/a", "cards", "ada"), end("/w/b", "refunds", "ada")];
  expect(contactsOf({ ends: own }, "ada")).toEqual([
    { name: "cards", handle: "ada", agentId: "ag_cards", taskId: "task_refunds" },
    { name: "refunds", handle: "ada", agentId: "ag_refunds", taskId: "task_cards" },
  ]);
  const mixed = [end("/w/a", "cards", "ada"), end("/w/b", "refunds", "dana")];
  expect(contactsOf({ ends: mixed }, "ada")).toEqual([
    { name: "dana", handle: "dana", agentId: null, taskId: "task_cards" },
  ]);
  expect(contactsOf({ ends: [end("/w/a", "cards", "ada")] }, "ada")).toEqual([]);
});

test("[FC19] worktrees of one name and private ones are rows of their own", () => {
  const meet = (id: string, one: ReturnType<typeof end>, other: ReturnType<typeof end>) => ({
    ...{ id, repository: "/r", verdict: "conflict" as const, base: null, places: [], since: "" },
    ends: [one, other],
  });
  const secret = end(null, null, "@private");
  const { rows, at } = matrixOf([
    meet("c1", end("/one/cards"), end("/two/cards")),
    meet("c2", end("/one/cards"), secret),
    meet("c3", end("/two/cards"), secret),
  ]);
  expect(rows.map(({ name }) => name)).toEqual(["@private", "@private", "one/cards", "two/cards"]);
  const cells = rows.map((_, row) => rows.map((__, column) => at(row, column)?.id ?? "-").join(" "));
  expect(cells).toEqual(["- - c2 -", "- - - c3", "c2 - - c1", "- c3 c1 -"]);
});
