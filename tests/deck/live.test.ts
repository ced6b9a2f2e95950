import { expect, test } from "vitest";
import { type DeckPage, serveDeck } from "./kit.ts";
import { plan } from "./scene.ts";

const house = serveDeck();

const gone = /ERR_|WebSocket|Failed to load resource/;

/** The ledger as one page shows it: every event's subject and words, newest first. */
async function shownNames(deck: DeckPage, prefix: string): Promise<string[]> {
  const lines = await deck.page.locator(".event-line").allTextContents();
  return lines.flatMap((line) => new RegExp(`${prefix}\\d+`).exec(line)?.[0] ?? []);
}

const registerMany = async (prefix: string, from: number, count: number): Promise<void> => {
  for (let place = from; place < from + count; place += 1) {
    await house.call("agent_register", { name: `${prefix}${place}`, runtime: "custom" });
  }
};

const numbered = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, place) => `${prefix}${count - 1 - place}`);

test("[DK10] what happens is on every open screen a moment later", async () => {
  const pages = [await house.open("/deck/activity?about=agent"), await house.open("/deck/activity?about=agent")];
  const delays: number[] = [];
  for (let place = 0; place < 20; place += 1) {
    const at = performance.now();
    await house.call("agent_register", { name: `Swift${place}`, runtime: "custom" });
    await Promise.all(pages.map((deck) => deck.see(`Swift${place}`)));
    delays.push(performance.now() - at);
  }
  delays.sort((one, other) => one - other);
  process.stdout.write(
    `call to screen, two browsers: p50 ${delays[10]?.toFixed(0)} ms, p95 ${delays[18]?.toFixed(0)} ms\n`,
  );
  for (const deck of pages) expect(await shownNames(deck, "Swift")).toEqual(numbered("Swift", 20));
});

test("[DK11] after the network was gone nothing is missing and nothing is there twice", async () => {
  const deck = await house.open("/deck/activity?about=agent");
  deck.allow(gone);
  await registerMany("Net", 0, 3);
  await deck.see("Net2");
  await deck.goOffline(true);
  await deck.page.evaluate(() => dispatchEvent(new Event("online")));
  await registerMany("Net", 3, 5);
  await deck.see(/reconnecting…|stale/);
  await deck.goOffline(false);
  await deck.page.evaluate(() => dispatchEvent(new Event("online")));
  await deck.see("Net7");
  await deck.page.locator('.live[data-state="live"]').waitFor();
  expect(await shownNames(deck, "Net")).toEqual(numbered("Net", 8));
});

test("[DK11, DK4, DK15] a server that ends and comes back: stale meanwhile, then live, each event once", async () => {
  const deck = await house.open("/deck/activity?about=agent");
  deck.allow(gone);
  const board = await house.open("/deck/board");
  board.allow(gone);
  await registerMany("Back", 0, 3);
  await deck.see("Back2");
  house.stopServer();
  await deck.page.locator('.live[data-state="stale"]').waitFor();
  await deck.see("This page may be out of date");
  await deck.expectAccessible("stale");
  await board.page.getByRole("link", { name: "Workflows" }).click();
  await board.see("Waiting for the server.");
  await house.startServer();
  await board.see("No workflows yet.");
  await board.page.getByRole("link", { name: "Board", exact: true }).click();
  await registerMany("Back", 3, 3);
  await deck.page.locator('.live[data-state="live"]').waitFor();
  await deck.see("Back5");
  await deck.page.getByText("This page may be out of date").waitFor({ state: "detached" });
  expect(await shownNames(deck, "Back")).toEqual(numbered("Back", 6));
  await plan(await house.agent("Planner"), "After the restart", "/srv/code/shop", [
    { name: "Seen after the restart", description: "By the same page." },
  ]);
  await board.see("Seen after the restart");
});

test("[DK15] a page asked for before anybody knew that the server is gone comes by itself when it is back", async () => {
  const deck = await house.open("/deck/board");
  deck.allow(gone, /missions-view|dynamically imported/);
  const unreachable = /\/missions-view-[^/]*\.js$|\/api\/me$/;
  await deck.page.route(unreachable, (route) => route.abort());
  await deck.page.getByRole("link", { name: "Missions" }).click();
  await deck.see("Waiting for the server.");
  await deck.page.unroute(unreachable);
  await deck.see("No missions yet.");
});

test("[DK16] a part that cannot be loaded although the server is there is said to be so, and asked for no more", async () => {
  const deck = await house.open("/deck/board");
  deck.allow(/usage-view|dynamically imported/);
  let asked = 0;
  await deck.page.route(/\/usage-view-[^/]*\.js$/, (route) => {
    asked += 1;
    return route.abort();
  });
  await deck.page.clock.install();
  await deck.page.getByRole("link", { name: "Usage and cost" }).click();
  await deck.see("Part of this page couldn’t be loaded.");
  const before = asked;
  await deck.page.clock.runFor(60_000);
  expect(asked).toBe(before);
  await deck.page.unroute(/\/usage-view-[^/]*\.js$/);
  await deck.page.getByRole("button", { name: "Try again" }).click();
  await deck.see("No usage in this period.");
});

test("[DK14] a place that the server does not know any more leads to everything being read anew", async () => {
  const deck = await house.open("/deck/agents");
  await house.call("agent_register", { name: "Before", runtime: "custom" });
  await deck.see("Before");
  await deck.page.evaluate(() => {
    const native = WebSocket.prototype.send;
    // As if a backup had been put back: the next place that is named lies beyond the end.
    WebSocket.prototype.send = function (text) {
      WebSocket.prototype.send = native;
      native.call(this, JSON.stringify({ ...JSON.parse(String(text)), after: btoa("1.zzzzzz").replaceAll("=", "") }));
    };
  });
  deck.allow(gone);
  await deck.goOffline(true);
  await house.call("agent_register", { name: "Meanwhile", runtime: "custom" });
  await deck.goOffline(false);
  await deck.page.evaluate(() => dispatchEvent(new Event("online")));
  await house.call("agent_register", { name: "Afterwards", runtime: "custom" });
  for (const name of ["Before", "Meanwhile", "Afterwards"]) await deck.see(name);
});
