import { expect, test } from "vitest";
import { settingsTabs } from "../../src/dashboard/views/settings/settings-tabs.ts";
import { type DeckPage, serveDeck } from "./kit.ts";
import { playScene } from "./scene.ts";

const house = serveDeck();

const field = (deck: DeckPage) => deck.page.getByLabel("Find tasks, notes, files");

test("[DK70] the palette leads to views, tasks, workflows and agents by a few letters", async () => {
  await playScene(house);
  const deck = await house.open("/deck/board");
  await deck.press("Control+k");
  await field(deck).fill("activ");
  await deck.press("Enter");
  await deck.page.getByRole("heading", { level: 1, name: "Activity" }).waitFor();
  await deck.press("Control+k");
  await field(deck).fill("price rules");
  await deck.page.getByRole("option", { name: /Cache the price rules/ }).waitFor();
  await deck.expectAccessible("palette");
  await deck.press("Enter");
  await deck.page.getByRole("heading", { level: 1, name: "Cache the price rules" }).waitFor();
  await deck.press("Control+k");
  await field(deck).fill("forgives typos");
  await deck.page.getByRole("option", { name: /Search that forgives typos.*workflow/ }).waitFor();
  await deck.press("Escape");
  await deck.press("Control+k");
  await field(deck).fill("cleo");
  await deck.page.getByRole("option", { name: /Cleo.*agent · opencode · \S+ · (online|busy)/ }).waitFor();
  await deck.press("Enter");
  await expect.poll(() => deck.page.url()).toContain("/agents?agent=");
  await deck.press("Control+k");
  await field(deck).fill("#1");
  await deck.page.getByRole("option", { name: /task · #1 / }).waitFor();
  await field(deck).fill("warm-up");
  await deck.page.getByRole("option", { name: /Queue names/ }).waitFor();
  for (const [tab, { title }] of Object.entries(settingsTabs)) {
    await field(deck).fill(title);
    await deck.page.locator(`[id="palette-settings-${tab}"]`).waitFor();
  }
  await field(deck).fill("backup");
  await deck.page.getByRole("option", { name: /^Store/ }).click();
  await expect.poll(() => deck.page.url()).toContain("/settings?tab=store");
});

test("[DK70] tasks are found by their description, notes by their text, files by their path, and actions by name", async () => {
  const deck = await house.open("/deck/board");
  await deck.press("Control+k");
  const found = async (typed: string, option: RegExp): Promise<void> => {
    await field(deck).fill(typed);
    await deck.page.getByRole("option", { name: option }).waitFor();
  };
  await found("slowest requests", /Measure where the time goes.*Profile the three slowest requests/);
  await found("existing queue", /Use the existing queue.*note/);
  await found("queue/jobs", /src\/queue\/jobs\.ts.*file/);
  await deck.expectAccessible("palette-content");
  await deck.press("Enter");
  await deck.page.getByRole("heading", { level: 1, name: "Move e-mails out of the request" }).waitFor();
  await deck.press("Control+k");
  await found("new mission", /New mission.*action/);
  await deck.press("Enter");
  await deck.page.getByRole("dialog", { name: "New mission" }).waitFor();
});

test("[DK70] every tool of the catalogue is in it, with a form from its schema; the server has the last word", async () => {
  const deck = await house.open("/deck/board");
  const authorization = `Bearer ${house.token}`;
  const answer = await (await fetch(`${house.url}/api/tools`, { headers: { authorization } })).json();
  const { tools } = (answer as { result: { tools: { name: string; title: string }[] } }).result;
  expect(tools.length).toBeGreaterThan(40);
  await deck.press("Control+k");
  for (const tool of tools) {
    await field(deck).fill(tool.name);
    await deck.page.locator(`[id="palette-${tool.name}"]`).waitFor();
  }
  await field(deck).fill("agent_register");
  await deck.press("Enter");
  await deck.page.getByLabel("Name").fill("From the palette");
  await deck.page.getByLabel("Runtime").selectOption("custom");
  await deck.page.getByLabel(/^Capabilities/).fill("typescript\nsql");
  await deck.expectAccessible("palette-tool");
  await deck.page.getByRole("button", { name: "Register an agent" }).click();
  await deck.see('"name": "From the palette"');
  const { agents } = await house.call<{ agents: { name: string; capabilities: string[] }[] }>("agent_list");
  expect(agents.find(({ name }) => name === "From the palette")?.capabilities).toEqual(["typescript", "sql"]);
});

test("[DK71] keys lead everywhere, the help names them, and text fields keep their letters", async () => {
  const deck = await house.open("/deck/board");
  await deck.press("?");
  await deck.page.getByRole("dialog").getByText("Activity", { exact: true }).waitFor();
  await deck.expectAccessible("help");
  await deck.press("Escape");
  for (const [letter, title] of [
    ["a", "Agents"],
    ["m", "Messages"],
    ["l", "Activity"],
    ["b", "Board"],
  ] as const) {
    // One right after the other: a pause between them would mean two keys.
    await Promise.all([deck.press("g"), deck.press(letter)]);
    await deck.page.getByRole("heading", { level: 1, name: title }).waitFor();
  }
  await deck.press("/");
  await deck.page.keyboard.type("ga?");
  expect(await deck.page.getByLabel("Find tasks").inputValue()).toBe("ga?");
  await deck.page.getByRole("heading", { level: 1, name: "Board" }).waitFor();
});

test("[DK71] the content can be reached past the navigation, and focus follows into a new view", async () => {
  const deck = await house.open("/deck/board");
  await deck.press("Tab");
  expect(await deck.page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to content");
  await deck.press("Enter");
  expect(await deck.page.evaluate(() => document.activeElement?.id)).toBe("main");
  await deck.page.getByRole("link", { name: "Agents" }).click();
  await expect.poll(() => deck.page.evaluate(() => document.activeElement?.id)).toBe("main");
});
