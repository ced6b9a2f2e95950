import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { UseGroup } from "../../src/dashboard/data/usage.ts";
import { sayMoney } from "../../src/dashboard/parts/say-amount.ts";
import { daysOf, shareOf } from "../../src/dashboard/views/usage/usage-model.ts";
import { serveDeck } from "./kit.ts";

const house = serveDeck();

const report = (model: string, input: number, output: number, submitted_cost_usd?: number) =>
  house.call("covibe_ingest_agent_telemetry", {
    source: "claude",
    payload: { model, usage: { input_tokens: input, output_tokens: output }, id: `${model} ${input}` },
    ...(submitted_cost_usd === undefined ? {} : { submitted_cost_usd }),
  });

test("[DR0] without any report the page says how usage comes in", async () => {
  const deck = await house.open("/deck/usage");
  await deck.see("No usage in this period.");
  await deck.expectAccessible("usage-empty");
});

test("[DK17, DR0, DR1, DR2] usage is summed by model, doubtful figures are marked, and the table is saved", async () => {
  await report("claude-sonnet-4-5", 1_000_000, 200_000);
  await report("claude-sonnet-4-5", 2_000_000, 100_000, 999);
  const deck = await house.open("/deck/usage?trust=inferred");
  await deck.see("No figures match your filters.");
  await deck.page.getByRole("button", { name: "Clear filters" }).click();
  await deck.page.getByRole("row", { name: /claude-sonnet-4-5/ }).waitFor();
  await report("a-model-nobody-knows", 5_000, 1_000);
  await deck.page
    .getByRole("row", { name: /claude-sonnet-4-5/ })
    .getByText("1 mismatch")
    .waitFor();
  await deck.page
    .getByRole("row", { name: /a-model-nobody-knows/ })
    .getByText("1 without price")
    .waitFor();
  await deck.expectAccessible("usage");
  const saved = deck.page.waitForEvent("download");
  await deck.page.getByRole("button", { name: "Export CSV" }).click();
  const text = readFileSync(await (await saved).path(), "utf8");
  expect(text).toContain("claude-sonnet-4-5");
  await deck.page.getByRole("combobox", { name: "Group by" }).selectOption("developer");
  expect(deck.page.url()).toContain("by=developer");
  await deck.page.getByRole("rowheader").first().waitFor();
  await deck.page.getByRole("combobox", { name: "Group by" }).selectOption("channel");
  await deck.page.getByRole("rowheader", { name: "call" }).waitFor();
});

test("[DR6] cost over time is drawn by day and said in words", async () => {
  const deck = await house.open("/deck/usage");
  const chart = deck.page.getByRole("img", { name: /^Cost per day from \d{4}-\d\d-\d\d to/ });
  await chart.waitFor();
  expect(await chart.locator("rect").count()).toBe(31);
  await deck.page.getByRole("combobox", { name: "Time" }).selectOption("week");
  await expect.poll(() => chart.locator("rect").count()).toBe(8);
});

test("[DR6] days without use are days of nothing, and tokens stand in where nothing has a price", () => {
  const group = (key: string, cost_usd: number, total: number) => ({ key, cost_usd, total }) as UseGroup;
  const now = Date.parse("2026-03-03T12:00:00Z");
  expect(daysOf([group("2026-03-01", 2, 50), group("2026-03-03", 0, 9)], 2, now)).toEqual({
    isMoney: true,
    days: [
      { day: "2026-03-01", amount: 2 },
      { day: "2026-03-02", amount: 0 },
      { day: "2026-03-03", amount: 0 },
    ],
  });
  expect(daysOf([group("2026-03-02", 0, 9)], 1, now)).toMatchObject({
    isMoney: false,
    days: [{ amount: 9 }, { amount: 0 }],
  });
});

test("[DR4] the week is written at a press and shows what agents wrote as text", async () => {
  await house.call("covibe_task", {
    operation: "check",
    title: "<img src=x onerror=alert(1)> menu",
    task_type: "feature",
  });
  await house.call("covibe_task", {
    operation: "plan",
    title: "<img src=x onerror=alert(1)> menu",
    task_type: "feature",
  });
  const deck = await house.open("/deck/summary");
  await deck.see("No summary yet.");
  await deck.expectAccessible("summary-empty");
  await deck.page.getByRole("button", { name: "Generate summary" }).click();
  await deck.page
    .getByRole("article")
    .getByText(/onerror=alert/)
    .first()
    .waitFor();
  expect(await deck.page.locator("article img").count()).toBe(0);
  await deck.page.getByRole("button", { name: "Find duplicates" }).click();
  await deck.page.getByRole("complementary", { name: "Audit of parallel work" }).waitFor();
  await deck.expectAccessible("summary");
});

test.each([
  { dollars: 0, words: "$0" },
  { dollars: 0.0042, words: "$0.0042" },
  { dollars: 0.4196, words: "$0.42" },
  { dollars: 12.345, words: "$12.35" },
  { dollars: 4321.9, words: "$4,322" },
])("[DR3] $dollars dollars are said as $words", ({ dollars, words }) => {
  expect(sayMoney(dollars)).toBe(words);
});

test("[DR3] bars are as long as their share of the dearest, or of the most tokens where nothing has a price", () => {
  const group = (cost_usd: number, total: number): UseGroup => ({
    key: `${cost_usd} ${total}`,
    label: null,
    spans: 1,
    input: 0,
    output: 0,
    cache_read: 0,
    cache_creation: 0,
    reasoning: 0,
    total,
    cost_usd,
    unpriced: 0,
    mismatches: 0,
  });
  const priced = [group(4, 10), group(1, 1_000)];
  expect(priced.map((one) => shareOf(one, priced))).toEqual([100, 25]);
  const free = [group(0, 10), group(0, 40)];
  expect(free.map((one) => shareOf(one, free))).toEqual([25, 100]);
});
