import { expect, test } from "vitest";
import { serveDeck } from "./kit.ts";

const house = serveDeck();

test("[DK1] the one-time link opens the deck, and an agent that registers appears without a reload", async () => {
  const deck = await house.open("/deck/agents");
  await deck.see("No agents yet. Connect one in a minute:");
  await deck.expectAccessible("agents-empty");
  await house.agent("Ada", { workspace_path: "/srv/code/shop" });
  await deck.see("Ada");
  await deck.expectAccessible("agents");
});

test("[DK2] a token signs in, a wrong one is told what to do, signing out leads back to the door", async () => {
  const deck = await house.openSignedOut("/deck/activity");
  deck.allow(/401/);
  const token = deck.page.getByLabel("Or sign in with a token");
  await token.fill("cdk_wrong");
  await deck.press("Enter");
  await deck.see("crewdeck token create");
  await deck.expectAccessible("sign-in");
  await token.fill(house.token);
  await deck.press("Enter");
  await deck.page.getByRole("heading", { name: "Activity" }).waitFor();
  await deck.page.getByRole("button", { name: /^You/ }).click();
  await deck.page.getByRole("menuitem", { name: "Sign out" }).click();
  await deck.see("Or sign in with a token");
});

test("[DK2] a link that was used says so, and a revoked sign-in ends at the door at once", async () => {
  const expired = await house.openSignedOut("/?signin=expired");
  expired.allow(/401/);
  await expired.see("has expired or was already used");
  const deck = await house.open("/deck/agents");
  deck.allow(/401/);
  const { tokens } = await house.call<{ tokens: { id: string; label: string; revoked_at: string | null }[] }>(
    "token_list",
  );
  for (const { id, label, revoked_at } of tokens) {
    if (label === "deck" && revoked_at === null) await house.call("token_revoke", { id });
  }
  await deck.see("Or sign in with a token");
});

test("[DK3] every view has an address that opens it anew; one that leads nowhere says so", async () => {
  const deck = await house.open();
  const fresh = await house.open();
  const links = await deck.page.getByRole("navigation", { name: "Views" }).getByRole("link").all();
  expect(links.length).toBeGreaterThan(3);
  for (const link of links) {
    const [address, title] = [await link.getAttribute("href"), await link.textContent()];
    await fresh.goto(address ?? "");
    await fresh.page.getByRole("heading", { level: 1, name: title ?? "" }).waitFor();
    expect(await fresh.page.title()).toContain(`${title} · Crewdeck`);
  }
  await deck.goto("/deck/nowhere/at/all");
  await deck.see("Page not found");
  await deck.expectAccessible("not-found");
});

test("[DK5] colours follow the system until somebody chooses, and the choice stays", async () => {
  const deck = await house.open("/deck/agents");
  const paper = () => deck.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const choose = async (name: string): Promise<void> => {
    await deck.page.getByRole("button", { name: /^You/ }).click();
    await deck.page.getByRole("menuitem", { name }).click();
  };
  await deck.page.emulateMedia({ colorScheme: "light" });
  const light = await paper();
  await deck.page.emulateMedia({ colorScheme: "dark" });
  const dark = await paper();
  expect(dark).not.toBe(light);
  await choose("Light");
  expect(await paper()).toBe(light);
  await deck.page.reload();
  await deck.page.waitForSelector(".frame");
  expect(await paper()).toBe(light);
  await choose("System theme");
  expect(await paper()).toBe(dark);
});

test("[DK4] a view that cannot be read says why and what to do, and tries again", async () => {
  const deck = await house.open("/deck/agents");
  deck.allow(/503|Failed to load/);
  const isAgents = (url: URL): boolean => url.pathname === "/api/crew";
  const error = { code: "BUSY", message: "Too much is going on.", hint: "Wait a little." };
  await deck.page.route(isAgents, (route) => route.fulfill({ status: 503, json: { ok: false, error } }));
  await deck.goto("/deck/agents");
  await deck.see("Too much is going on.");
  await deck.see("Wait a little.");
  await deck.expectAccessible("error");
  await deck.page.unroute(isAgents);
  await deck.page.getByRole("button", { name: "Try again" }).click();
  await deck.page.getByRole("button", { name: "Try again" }).waitFor({ state: "detached" });
});

test("[DK4] while something is read the view says so", async () => {
  const deck = await house.open("/deck/board");
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await deck.page.route(
    (url) => url.pathname === "/api/crew",
    async (route) => {
      await held;
      await route.continue();
    },
  );
  await deck.goto("/deck/agents");
  await deck.see("Loading agents…");
  await deck.expectAccessible("loading");
  letGo();
  await deck.page.getByText("Loading agents…").waitFor({ state: "detached" });
});
