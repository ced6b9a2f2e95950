import { expect, test } from "vitest";
import { serveDeck } from "./kit.ts";
import { begin, plan } from "./scene.ts";

const house = serveDeck();

test("[DK30] who comes, works, and leaves is seen without a reload", async () => {
  const deck = await house.open("/deck/agents");
  const ada = await house.agent("Ada");
  const row = deck.page.locator(".agent-row").filter({ hasText: "Ada" });
  await row.getByText("online").waitFor();
  const { tasks } = await plan(ada, "Small", "/srv/code/shop", [{ name: "Paint the door", description: "Green." }]);
  await begin(ada, tasks["Paint the door"] ?? "");
  await row.getByText("busy").waitFor();
  await row.getByText("Paint the door").waitFor();
  await ada.call("agent_unregister", { id: ada.id });
  await row.waitFor({ state: "detached" });
  await deck.page.getByRole("button", { name: "Show who has left" }).click();
  await row.getByText("offline").waitFor();
  await expect.poll(() => deck.page.url()).toContain("show=all");
});

test("[DK31] of a private developer others see @private and nothing else, they themselves everything", async () => {
  const secret = await house.person("mallory", { private: true });
  const { id } = await house.call<{ id: string }>("agent_register", { name: "Hidden Hand", runtime: "codex" }, secret);
  const others = await house.open("/deck/agents");
  await others.page.locator(".agent-row").filter({ hasText: "@private" }).first().waitFor();
  const own = await house.open("/deck/agents", { token: secret });
  await own.see("Hidden Hand");
  await others.goto("/deck/activity");
  await others.page.locator(".event-line").first().waitFor();
  await house.call("agent_heartbeat", { agent_id: id }, secret);
  const text = (await others.page.locator("body").textContent()) ?? "";
  expect(text).not.toContain("Hidden Hand");
  expect(text).not.toContain("mallory");
});
