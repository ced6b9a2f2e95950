import { expect, test } from "vitest";
import type { OutcomeGroup } from "../../src/dashboard/data/usage.ts";
import { sayOutcome } from "../../src/dashboard/views/usage/outcome-model.ts";
import { makeRepository } from "../git/scratch.ts";
import { configure, script } from "../mission/checks.ts";
import { serveDeck } from "./kit.ts";

const house = serveDeck();

/** A result that is reproduced, one that failed, and usage of which nobody can say what came of it. */
async function workAndReport(): Promise<void> {
  const agent = await house.agent("Ada");
  const { mission_id } = await agent.call<{ mission_id: string }>("start_mission", {
    name: "The keys",
    objective: "Nobody loses a key.",
  });
  const repository = makeRepository({ "src/a.ts": "one\n" });
  configure(repository.path, [script("passes", "process.exit(0)")]);
  repository.git("add", "-A");
  repository.git("commit", "-m", "checks");
  const { config_hash } = await house.call<{ config_hash: string }>("checks_show", { path: repository.path });
  await house.call("checks_allow", { path: repository.path, config_hash });
  const start = (name: string) =>
    agent.call<{ task_id: string }>("start_task", {
      mission_id,
      name,
      goal: "It is done.",
      areas: ["src"],
      repository_path: repository.path,
    });
  const { task_id: turned } = await start("Turn the keys");
  repository.write("src/b.ts", "two\n");
  await agent.call("complete_task", { task_id: turned, status: "success", outcome: { summary: "Done." } });
  const { task_id: lost } = await start("Lose the keys");
  await agent.call("task_update_status", { id: lost, status: "failed", error: "No." });
  let reports = 0;
  const report = (tokens: number, model: string, task_id?: string) => {
    reports += 1;
    const payload = { id: `msg_${reports}`, model, usage: { input_tokens: tokens, output_tokens: 0 } };
    return agent.call("covibe_ingest_agent_telemetry", { source: "claude", payload, task_id });
  };
  await report(2_000_000, "claude-sonnet-4-5", turned);
  await report(1_000_000, "claude-sonnet-4-5", lost);
  await report(500_000, "claude-sonnet-4-5");
  await report(4_000, "a-model-nobody-knows", turned);
}

test("[DR7, OU1, OU3, OU4] what a reproduced result cost is told by task, agent, model and week, with what nobody knows", async () => {
  await workAndReport();
  const deck = await house.open("/deck/usage");
  const section = deck.page.getByRole("region", { name: "Cost per reproduced result" });
  const cellsOf = (name: RegExp) => section.getByRole("row", { name }).getByRole("cell").allInnerTexts();
  await section.getByRole("row", { name: /Turn the keys/ }).waitFor();
  const total = async (name: string) => section.locator("dl > div").filter({ hasText: name }).locator("dd").innerText();
  expect(await total("Spent on work that came to nothing")).toBe("$3.00");
  expect(await total("Unknown")).toBe("50%");
  // Cost, tokens, reproduced, cost and tokens per result, came to nothing, unknown.
  expect(await cellsOf(/Turn the keys/)).toEqual(["$6.00", "2M", "1", "$6.00", "2M", "$0", "50%"]);
  expect(await cellsOf(/Lose the keys/)).toEqual(["$3.00", "1M", "0", "—", "—", "$3.00", "0%"]);
  expect(await cellsOf(/no task/)).toEqual(["$1.50", "500K", "0", "—", "—", "$0", "100%"]);
  await deck.expectAccessible("outcomes");

  const groupBy = async (choice: string) => {
    await section.getByRole("combobox", { name: "Group results by" }).selectOption(choice);
    expect(deck.page.url()).toContain(`outcomes=${choice}`);
  };
  await groupBy("model");
  await section.getByRole("row", { name: /claude-sonnet-4-5/ }).waitFor();
  expect(await cellsOf(/claude-sonnet-4-5/)).toEqual(["$10.50", "3.5M", "1", "$6.00", "2M", "$3.00", "33%"]);
  expect(await cellsOf(/a-model-nobody-knows/)).toEqual(["—", "4K", "0", "—", "—", "$0", "100%"]);
  await groupBy("agent");
  await section.getByRole("rowheader", { name: "no agent" }).waitFor();
  await groupBy("week");
  await section.getByRole("rowheader", { name: /^\d{4}-\d\d-\d\d$/ }).waitFor();
  await section.scrollIntoViewIfNeeded();
  await deck.shot("outcomes-week");
  await section.getByRole("combobox", { name: "Group results by" }).selectOption("");
  await deck.page.getByRole("link", { name: "Turn the keys" }).waitFor();
  await section.scrollIntoViewIfNeeded();
  await deck.shot("outcomes-task");

  await deck.page.setViewportSize({ width: 360, height: 740 });
  await section.scrollIntoViewIfNeeded();
  await deck.expectNoSidewaysScroll();
  await deck.shot("outcomes-phone");
  await deck.page.getByRole("link", { name: "Turn the keys" }).click();
  await deck.page.getByRole("heading", { name: "Turn the keys" }).waitFor();
});

const group = (more: Partial<OutcomeGroup>): OutcomeGroup => ({
  key: null,
  label: null,
  tokens: 0,
  cost_usd: 0,
  reproduced: 0,
  without_usage: 0,
  cost_per_reproduced_usd: null,
  tokens_per_reproduced: null,
  wasted_tokens: 0,
  wasted_usd: 0,
  unknown_share: 0,
  ...more,
});

test.each([
  { when: "nobody reported usage", more: { unknown_share: 1 }, said: { cost: "—", costEach: "—", unknown: "100%" } },
  { when: "nobody knows a price", more: { tokens: 5, wasted_tokens: 5 }, said: { cost: "—", wasted: "—" } },
  { when: "hardly anything is unknown", more: { unknown_share: 0.001 }, said: { unknown: "<1%" } },
  { when: "hardly anything is known", more: { unknown_share: 0.999 }, said: { unknown: ">99%" } },
])("[DR7, OU3] what is missing is no zero when $when", ({ more, said }) => {
  expect(sayOutcome(group(more))).toMatchObject(said);
});
