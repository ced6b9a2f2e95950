import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "../git/scratch.ts";
import { serveDeck } from "./kit.ts";

const house = serveDeck();

test("[DS1, DS4] clients are connected by copied lines, other machines by their code", async () => {
  const deck = await house.open("/deck/settings");
  await deck.see("claude mcp add crewdeck -- npx crewdeck mcp");
  await deck.expectAccessible("settings-agents");
  const machine = await fetch(`${house.url}/api/setup/device`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ machine_name: "laptop", agents: ["codex"] }),
  });
  const { result } = (await machine.json()) as { result: { user_code: string } };
  await deck.page.getByRole("textbox", { name: "Code" }).fill("ZZZZ-ZZZZ");
  await deck.page.getByRole("button", { name: "Approve" }).click();
  await deck.see("No machine waits under that code.");
  await deck.goto("/deck/device");
  await deck.page.getByRole("textbox", { name: "Code" }).fill(result.user_code);
  await deck.page.getByRole("button", { name: "Approve" }).click();
  await deck.see("The machine is let in.");
});

test("[DS2] a token is shown once, works, and is revoked after a second look", async () => {
  const deck = await house.open("/deck/settings?tab=tokens");
  await deck.page.getByRole("textbox", { name: "What it is for" }).fill("build server");
  await deck.page.getByRole("button", { name: "Make a token" }).click();
  const secret = (await deck.page.getByRole("dialog").locator("code").textContent()) ?? "";
  expect(secret).toMatch(/^cdk_/);
  expect(await house.call("agent_list", {}, secret)).toEqual({ agents: [] });
  await deck.page.getByRole("button", { name: "Close" }).click();
  expect(await deck.page.content()).not.toContain(secret);
  await deck.expectAccessible("settings-tokens");
  await deck.page.getByRole("button", { name: "Revoke build server" }).click();
  await deck.page.getByRole("button", { name: "Really revoke build server" }).click();
  await deck.page
    .getByRole("row", { name: /build server/ })
    .getByText("revoked", { exact: true })
    .waitFor();
  await expect(house.call("agent_list", {}, secret)).rejects.toThrow();
});

test("[DS3] a person is added and made private", async () => {
  const deck = await house.open("/deck/settings?tab=people");
  await deck.page.getByRole("textbox", { name: "Handle" }).fill("grace");
  await deck.page.getByRole("button", { name: "Add a person" }).click();
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
  await deck.page.getByRole("button", { name: "Verify the store" }).click();
  await deck.see(/Sound: the chain holds over/);
  const file = join(makeFolder(), "copy.db");
  await deck.page.getByRole("textbox", { name: "File of the copy, on the server's machine" }).fill(file);
  await deck.page.getByRole("button", { name: "Back up" }).click();
  await deck.see("The copy is written and verified.");
  expect(existsSync(file)).toBe(true);
  await deck.expectAccessible("settings-store");
  const member = await house.open("/deck/settings?tab=store", { token: await house.person("linus") });
  await member.see("Ledger");
  expect(await member.page.getByRole("button", { name: "Verify the store" }).count()).toBe(0);
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
