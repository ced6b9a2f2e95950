import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder } from "../git/scratch.ts";
import { serveDeck } from "./kit.ts";

const house = serveDeck();

/** A client that starts its server by itself, as the clients of people do. */
async function connectOver(server: { command: string; args: string[]; cwd: string }): Promise<Client> {
  const client = new Client({ name: "copied", version: "1.0.0" });
  onTestFinished(() => client.close());
  await client.connect(new StdioClientTransport(server));
  return client;
}

test("[DS1] the line that is copied for a client starts a bridge to this very server, from any folder", async () => {
  const deck = await house.open("/deck/settings");
  const shown = deck.page.locator(".command code");
  const line = (await shown.first().textContent()) ?? "";
  const [, bridge = ""] = line.split("claude mcp add crewdeck -- ");
  const client = await connectOver({ command: "bash", args: ["-c", `exec ${bridge}`], cwd: makeFolder() });
  const { structuredContent } = await client.callTool({
    name: "agent_register",
    arguments: { name: "Copied", runtime: "claude_code" },
  });
  expect(structuredContent).toMatchObject({ id: expect.stringMatching(/^ag_/) });
  await deck.goto("/deck/agents");
  await deck.see("Copied");

  await deck.goto("/deck/settings");
  const config = JSON.parse((await shown.nth(2).textContent()) ?? "") as {
    mcpServers: { crewdeck: { command: string; args: string[] } };
  };
  const cursor = await connectOver({ ...config.mcpServers.crewdeck, cwd: makeFolder() });
  expect((await cursor.callTool({ name: "agent_list", arguments: {} })).structuredContent).toMatchObject({
    agents: [{ name: "Copied" }],
  });
});

test("[DS1] a command that an empty page names runs as it is copied", async () => {
  const deck = await house.open("/deck/missions");
  const line = (await deck.page.locator(".command code").textContent()) ?? "";
  const { stdout } = await promisify(execFile)("bash", ["-c", line], { cwd: makeFolder() });
  expect(JSON.parse(stdout)).toMatchObject({ mission_id: expect.stringMatching(/^wf_/) });
  await deck.see("Dark mode");
});

test("[DS1, DS4] clients are connected by copied lines, other machines by their code", async () => {
  const deck = await house.open("/deck/settings");
  const companion = deck.page.getByRole("region", { name: "Set up every client" }).locator("code");
  await companion.last().waitFor();
  const lines = await companion.allTextContents();
  expect(lines.map((line) => /\b(setup --base-url|setup|doctor|watch)\b/.exec(line)?.[1])).toEqual([
    "setup",
    "setup --base-url",
    "doctor",
    "watch",
  ]);
  await deck.expectAccessible("settings-agents");
  const machine = await fetch(`${house.url}/api/setup/device`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ machine_name: "laptop", agents: ["codex"] }),
  });
  const { result } = (await machine.json()) as { result: { user_code: string } };
  await deck.page.getByRole("textbox", { name: "Code" }).fill("ZZZZ-ZZZZ");
  await deck.page.getByRole("button", { name: "Approve" }).click();
  await deck.see("No machine is waiting with that code.");
  await deck.goto("/deck/device");
  await deck.page.getByRole("textbox", { name: "Code" }).fill(result.user_code);
  await deck.page.getByRole("button", { name: "Approve" }).click();
  await deck.see("Machine approved.");
});

test("[DS7] each machine shows how its clients are set up and what they still need", async () => {
  const deck = await house.open("/deck/settings?tab=clients");
  await deck.see("No machine has reported its clients yet.");
  const none = deck.page.locator(".command code");
  expect((await none.allTextContents()).map((line) => /\b(setup|doctor)\b/.exec(line)?.[1])).toEqual([
    "setup",
    "doctor",
  ]);
  await deck.expectAccessible("settings-clients-empty");
  const ready = { entry: "set_up", hooks: "set_up", instructions: "set_up" };
  await house.call("machine_report", {
    machine: "laptop",
    repository: "acme/shop",
    companion_version: "0.1.0",
    clients: [
      { client: "claude-code", ...ready, trust: "given", listing: "named" },
      { client: "codex", ...ready, trust: "awaited", listing: null },
      { client: "gemini", ...ready, hooks: "broken", entry: "broken", trust: "unknown", listing: null },
      { client: "vscode", entry: "missing", hooks: null, instructions: null, trust: null, listing: null },
    ],
    checks: [
      { check: "hook", state: "works" },
      { check: "service", state: "installed" },
      { check: "watch", state: "stopped" },
      { check: "inbox", state: "waiting", count: 3 },
    ],
  });
  // It comes by itself.
  const machine = deck.page.getByRole("region", { name: "laptop" });
  await machine.getByText("hook works · watch starts with your session").waitFor();
  const shop = machine.getByRole("region", { name: "acme/shop" });
  expect(await shop.locator(".settings-client-row").allInnerTexts()).toEqual([
    expect.stringMatching(/^Claude Code\s+MCP entry\s+set up\s.*Approval\s+given\s+Own list\s+names it$/s),
    expect.stringMatching(/^Codex\s.*Approval\s+waits for you\s+Own list\s+—$/s),
    expect.stringMatching(/^Gemini CLI\s+MCP entry\s+unreadable\s.*Approval\s+not recorded/s),
    expect.stringMatching(/^VS Code\s+MCP entry\s+missing\s+Hooks\s+—/s),
  ]);
  const commands = (await machine.locator(".command code").allTextContents()).map((line) =>
    line.replace(/^.*?(?=\b(?:codex|setup|doctor|watch|telemetry)\b)/, "").replace(/ --home .*/, ""),
  );
  expect(commands).toEqual(["watch", "codex", "setup --client gemini", "setup --client vscode", "telemetry"]);
  await deck.expectAccessible("settings-clients");
  await deck.page.setViewportSize({ width: 360, height: 740 });
  await deck.expectNoSidewaysScroll();
  await deck.shot("settings-clients-phone");
  const other = await house.open("/deck/settings?tab=clients", { token: await house.person("nora") });
  await other.see("No machine has reported its clients yet.");
});

test("[DS2] a token is shown once, works, and is revoked after a second look", async () => {
  const deck = await house.open("/deck/settings?tab=tokens");
  await deck.page.getByRole("textbox", { name: "Label" }).fill("build server");
  await deck.page.getByRole("combobox", { name: "Expiry" }).selectOption("30");
  await deck.page.getByRole("button", { name: "Create token" }).click();
  const secret = (await deck.page.getByRole("dialog").locator("code").textContent()) ?? "";
  expect(secret).toMatch(/^cdk_/);
  await deck.page.getByRole("button", { name: "Close" }).click();
  expect(await deck.page.content()).not.toContain(secret);
  const row = deck.page.getByRole("row", { name: /build server/ });
  await row.getByText(/^in (29|30) d$/).waitFor();
  await row.getByRole("cell", { name: "never" }).waitFor();
  expect(await house.call("agent_list", {}, secret)).toEqual({ agents: expect.any(Array) });
  await deck.expectAccessible("settings-tokens");
  await deck.page.setViewportSize({ width: 360, height: 740 });
  await deck.expectNoSidewaysScroll();
  await deck.shot("settings-tokens-phone");
  await deck.page.setViewportSize({ width: 1280, height: 800 });
  await deck.page.getByRole("button", { name: "Revoke build server" }).click();
  await deck.page.getByRole("button", { name: "Confirm: revoke build server" }).click();
  await deck.page
    .getByRole("row", { name: /build server/ })
    .getByText("revoked", { exact: true })
    .waitFor();
  await expect(house.call("agent_list", {}, secret)).rejects.toThrow();
});

test("[DS3] a person is added and made private", async () => {
  const deck = await house.open("/deck/settings?tab=people");
  await deck.page.getByRole("textbox", { name: "Handle" }).fill("grace");
  await deck.page.getByRole("button", { name: "Add person" }).click();
  await deck.page.getByRole("checkbox", { name: "private grace" }).check();
  await expect
    .poll(async () => {
      const { developers } = await house.call<{ developers: { handle: string; private: boolean }[] }>("developer_list");
      return developers.find(({ handle }) => handle === "grace")?.private;
    })
    .toBe(true);
  await deck.expectAccessible("settings-people");
});

test("[DS5] the owner verifies and backs up; a member sees neither", async () => {
  const deck = await house.open("/deck/settings?tab=store");
  await deck.page.getByRole("button", { name: "Verify store" }).click();
  await deck.see(/Intact: chain verified over/);
  const file = join(makeFolder(), "copy.db");
  await deck.page.getByRole("textbox", { name: "Backup file on the server" }).fill(file);
  await deck.page.getByRole("button", { name: "Back up" }).click();
  await deck.see("Backup written and verified.");
  expect(existsSync(file)).toBe(true);
  await deck.expectAccessible("settings-store");
  const member = await house.open("/deck/settings?tab=store", { token: await house.person("linus") });
  await member.see("Ledger");
  expect(await member.page.getByRole("button", { name: "Verify store" }).count()).toBe(0);
});

test("[DS6] the owner changes a threshold in place; what contradicts another is refused", async () => {
  const deck = await house.open("/deck/settings?tab=thresholds");
  const field = deck.page.getByRole("spinbutton", { name: "overlap.escalateThreshold" });
  const save = deck.page.getByRole("button", { name: "Save overlap.escalateThreshold" });
  await field.waitFor();
  expect(await save.isDisabled()).toBe(true);
  await field.fill("0.2");
  await save.click();
  const figure = deck.page.getByRole("listitem").filter({ has: field });
  await figure.getByText("0.2", { exact: true }).waitFor();
  await deck.expectAccessible("settings-thresholds-owner");
  deck.allow(/400/);
  await field.fill("0.001");
  await save.click();
  await deck.see(/overlap.warnFloor .* is above overlap.escalateThreshold/);
});

test("[DS6] the thresholds in force are shown with their meaning, and their lines can be copied, on a phone too", async () => {
  const deck = await house.open("/deck/settings?tab=thresholds", { token: await house.person("margaret") });
  const { thresholds } = await house.call<{ thresholds: { key: string; value: number; meaning: string }[] }>(
    "settings_get",
  );
  expect(thresholds.length).toBeGreaterThan(0);
  for (const { key, value, meaning } of thresholds) {
    const figure = deck.page.getByRole("listitem").filter({ has: deck.page.getByRole("heading", { name: key }) });
    await figure.getByText(meaning).waitFor();
    await figure.getByText(String(value), { exact: true }).waitFor();
    const [part = "", name = ""] = key.split(".");
    const line = (await figure.locator(".command code").textContent()) ?? "";
    expect(JSON.parse(line)).toEqual({ [part]: { [name]: value } });
    await figure.getByRole("button", { name: `Copy ${line}` }).waitFor();
  }
  await deck.expectAccessible("settings-thresholds");
  const phone = await house.open("/deck/settings?tab=thresholds", { width: 360, height: 740 });
  await phone.see("overlap.escalateThreshold");
  await phone.expectNoSidewaysScroll();
  await phone.shot("settings-thresholds-phone");
});
