import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { until } from "../../src/testing/waiting.ts";
import { makeRepository } from "../git/scratch.ts";
import { serveDeck } from "./kit.ts";

const talker = fileURLToPath(new URL("talker.mjs", import.meta.url));
const agent = { command: [process.execPath, talker], mode: "tmux" };
/** Says what a turn has cost, as Claude Code does, and stays. */
const spent = { type: "result", usage: { input_tokens: 1_000, output_tokens: 200 }, total_cost_usd: 0.42 };
const spends = `console.log(${JSON.stringify(JSON.stringify(spent))}); setInterval(() => undefined, 1_000)`;
const claude = { command: [process.execPath, "-e", spends], mode: "headless" };
const house = serveDeck({ config: { agents: { talker: agent, claude }, review: { agent: "talker" } } });

test("[DA1, DA2, DA3, DA4, DA5, DA6] an agent that we started is watched, typed to, read about and stopped in the deck", async () => {
  const repository = makeRepository({ "a.txt": "one\n" });
  const ask = { path: repository.path, prompt: "Say *something*.", agent: "talker" };
  const started = await house.call<{ id: string; worktree_path: string }>("instance_start", ask);
  const { id } = started;

  const deck = await house.open("/deck/agents");
  await deck.page.locator(".running-tail", { hasText: `hello from ${id} ready` }).waitFor();
  await deck.expectAccessible("agents-running");
  await deck.page.setViewportSize({ width: 360, height: 740 });
  await deck.expectNoSidewaysScroll();
  await deck.shot("agents-running-phone");
  await deck.page.setViewportSize({ width: 1280, height: 800 });
  const typed: string[] = [];
  deck.page.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => {
      const message = JSON.parse(String(payload)) as { type?: string; data?: string };
      if (message.type === "input") typed.push(message.data ?? "");
    }),
  );
  await deck.page.locator(".running").getByRole("link", { name: id }).click();

  const screen = deck.page.locator(".xterm-rows");
  const shows = (text: string) =>
    until(async () => (await screen.innerText()).replaceAll("\u00a0", " ").includes(text));
  await shows(`hello from ${id} ready`);
  await deck.see("Read-only");
  const colour = await screen.getByText("hello from").evaluate((span) => getComputedStyle(span).color);
  expect(colour).toBe("rgb(240, 180, 101)");
  await deck.page.getByRole("region", { name: "Output" }).focus();
  await deck.page.keyboard.type("unheard");
  await deck.expectAccessible("instance");
  await deck.page.getByRole("button", { name: "Take keyboard" }).click();
  await deck.page.keyboard.type("ahoy; #(touch x)\n");
  await shows('ahoy; #(touch x)"');
  await deck.shot("instance-typing");
  await deck.press("Shift+Escape");
  await deck.page.getByRole("button", { name: "Take keyboard" }).waitFor();
  expect(typed.join("")).toBe("ahoy; #(touch x)\r");
  expect(await deck.page.evaluate(() => "pwned" in window)).toBe(false);

  deck.allow(/ERR_CONNECTION|WebSocket|Failed to load/);
  house.stopServer();
  await deck.see("Reconnecting…");
  await house.startServer();
  await deck.page.locator(".terminal-state", { hasText: "Live" }).waitFor();
  await shows('ahoy; #(touch x)"');

  await deck.page.setViewportSize({ width: 360, height: 740 });
  await deck.expectNoSidewaysScroll();
  await deck.shot("instance-phone");
  await deck.page.setViewportSize({ width: 1280, height: 800 });
  await deck.page.getByRole("tab", { name: "Changes" }).click();
  await deck.see("No commits yet.");
  repository.git("-C", started.worktree_path, "rm", "-q", "a.txt");
  repository.git("-C", started.worktree_path, "commit", "-q", "-m", "gone");
  await deck.page.getByRole("button", { name: "Refresh" }).click();
  await deck.see("1 file changed");
  await deck.expectAccessible("instance-changes");
  await deck.page.getByRole("tab", { name: "Reviews" }).click();
  await deck.see("No review yet.");
  await deck.page.getByRole("tab", { name: "Prompt" }).click();
  await deck.see("Say *something*.");
  const { review_instance_id: reviewer } = await house.call<{ review_instance_id: string }>("instance_review", { id });
  const review = await house.open(`/deck/instances/${reviewer}`);
  await review.page.getByRole("button", { name: "Stop", exact: true }).waitFor();
  expect(await review.page.getByRole("button", { name: "Abandon", exact: true }).count()).toBe(0);
  await deck.page.getByRole("button", { name: "Stop", exact: true }).click();
  await deck.page.getByRole("button", { name: "Confirm: stop agent" }).click();
  await deck.see("A person stopped it.");
  await until(async () => (await house.call("instance_get", { id }))["program_state"] === "ended");
});

test("[DA5, DA6] an agent's cost is shown against its budget, and its work is abandoned after a second look", async () => {
  const repository = makeRepository({ "a.txt": "one\n" });
  const ask = { path: repository.path, prompt: "Spend.", agent: "claude", budget_usd: 5 };
  const { id, branch_name: branch } = await house.call<{ id: string; branch_name: string }>("instance_start", ask);
  await until(async () => (await house.call("instance_get", { id }))["used"] !== null);
  const deck = await house.open(`/deck/instances/${id}`);
  const facts = deck.page.getByRole("complementary", { name: "Facts" });
  await facts.getByText("$0.42 · 1.2K tokens").waitFor();
  await facts.getByText("$5.00", { exact: true }).waitFor();
  await deck.page.getByRole("button", { name: "Abandon", exact: true }).click();
  expect(await house.call("instance_get", { id })).toMatchObject({ status: "started" });
  await deck.page.getByRole("button", { name: "Confirm: abandon work" }).click();
  await until(async () => (await house.call("instance_get", { id }))["status"] === "abandoned");
  await deck.page.getByRole("button", { name: "Abandon", exact: true }).waitFor({ state: "detached" });
  await until(async () => (await house.call("instance_get", { id }))["program_state"] === "ended");
  expect(repository.git("branch", "--list", branch)).toContain(branch);
});
