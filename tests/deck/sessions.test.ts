import { expect, test } from "vitest";
import { type DeckTest, serveDeck } from "./kit.ts";

const house = serveDeck();

interface Told {
  readonly data: Record<string, string>;
}

/** Starts a session and reports a working copy for it; answers its id. */
async function begin(deck: DeckTest, ask: Record<string, unknown>, token?: string): Promise<string> {
  const start = { operation: "start", agent_type: "claude-code", repo: "acme/shop", branch: "pages", ...ask };
  const { data } = await deck.call<Told>("covibe_session", start, token);
  const session_id = String(data["session_id"]);
  const snapshot = { dirty_files: ["src/orders/list.ts", "src/orders/page.ts"], unpushed_files: ["README.md"] };
  await deck.call("covibe_session", { operation: "snapshot", session_id, head: "9fceb02d0a", ...snapshot }, token);
  return session_id;
}

const hostile = '<img src=x onerror="window.hurt=1"><script>window.hurt=1</script>';

test("[DT3, DT6] without a session the page says how the first one begins", async () => {
  const deck = await house.open("/deck/sessions");
  await deck.see("No session is here.");
  await deck.expectAccessible("sessions-empty");
});

test("[DT3, DT5, DT6] a session comes in live with what it has changed, holds and used; by keyboard it is opened, its claim released, it is ended", async () => {
  const deck = await house.open("/deck/sessions");
  await deck.see("No session is here.");
  const session_id = await begin(house, {
    agent_name: "Claude in the shop",
    model: "claude-sonnet-4-5",
    worktree: "/srv/shop",
  });
  await house.call("covibe_coordination", {
    operation: "claim",
    session_id,
    repo: "acme/shop",
    paths: ["src/orders/**"],
  });
  await house.call("covibe_ingest_agent_telemetry", {
    source: "anthropic",
    session_id,
    payload: { model: "claude-sonnet-4-5", usage: { input_tokens: 120_000, output_tokens: 8_000 } },
  });
  const context = { title: "Half way through the pages", summary: "The list has pages; the filter does not." };
  await house.call("covibe_session", { operation: "publish_context", session_id, ...context });
  await deck.see("Claude in the shop");
  await deck.see("2 dirty · 1 unpushed");
  await deck.see("holds 1 claim");
  await deck.see(/128K · \$0\./);
  await deck.press("Enter");
  await deck.see("src/orders/list.ts");
  await deck.see("Half way through the pages");
  await deck.see("/srv/shop");
  await deck.expectAccessible("sessions-open");
  await deck.page.getByRole("button", { name: /^Release/ }).focus();
  await deck.press("Enter");
  await deck.see("Others may take the code now.");
  await expect.poll(() => deck.page.getByText("holds 1 claim").count()).toBe(0);
  await deck.page.getByRole("button", { name: "End the session" }).focus();
  await deck.press("Enter");
  await deck.page.getByRole("button", { name: "Really end it" }).waitFor();
  await deck.press("Enter");
  await deck.see("No session is here.");
  await deck.press("Escape");
  await deck.page.getByRole("button", { name: "Show ended ones" }).click();
  await deck.see("Claude in the shop");
  const { sessions } = await readSessions("?ended=true");
  expect(sessions).toMatchObject([{ id: session_id, status: "ended" }]);
});

test("[DT4] a session turns stale by the clock, without a reload and without an event", async () => {
  const session_id = await begin(house, { agent_name: "Codex that falls silent" });
  const deck = await house.open("/deck/sessions");
  await deck.page.clock.install();
  await deck.goto("/deck/sessions");
  const row = deck.page.locator(".session-row", { hasText: "Codex that falls silent" });
  await row.waitFor();
  expect(await row.getAttribute("data-status")).toBe("active");
  await deck.page.clock.fastForward("29:00");
  await deck.page.clock.runFor(6_000);
  expect(await row.getAttribute("data-status")).toBe("active");
  await deck.page.clock.fastForward("02:00");
  await deck.page.clock.runFor(6_000);
  await expect.poll(() => row.getAttribute("data-status")).toBe("stale");
  await deck.see(/1 silent/);
  await deck.shot("sessions-stale");
  await house.call("covibe_session", { operation: "end", session_id });
});

test("[DT2, DT5] a private developer's session is @private on the API and on the page, and nobody else's can be ended", async () => {
  const quinn = await house.person("quinn", { private: true });
  const bob = await house.person("bob");
  const hidden = await begin(
    house,
    { agent_name: "Undercover", repo: "acme/undercover", branch: "undercover", worktree: "/undercover" },
    quinn,
  );
  const claim = { operation: "claim", session_id: hidden, repo: "acme/undercover", paths: ["undercover/**"] };
  await house.call("covibe_coordination", claim, quinn);
  await begin(house, { agent_name: "Bob's agent" }, bob);
  const listing = await readSessions("");
  expect(listing.sessions).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ id: hidden, developer: "@private", repo: null, snapshot: null, claims: [] }),
    ]),
  );
  expect(JSON.stringify(listing)).not.toMatch(/undercover|quinn/i);
  const deck = await house.open("/deck/sessions");
  await deck.see("Bob's agent");
  await deck.see("@private");
  await deck.page.getByRole("link", { name: "@private" }).click();
  await deck.page.getByRole("complementary", { name: "Session" }).getByText("Started").waitFor();
  expect(await deck.page.content()).not.toMatch(/undercover|quinn/i);
  await deck.page.getByRole("link", { name: "Bob's agent" }).click();
  await deck.page.getByRole("complementary", { name: "Session" }).getByText("src/orders/list.ts").waitFor();
  expect(await deck.page.getByRole("button", { name: "End the session" }).count()).toBe(0);
  await deck.expectAccessible("sessions");
  const own = await house.open("/deck/sessions", { token: quinn });
  await own.see("Undercover");
});

test("[DT6] the page fits a phone, and what agents wrote stays text", async () => {
  const session_id = await begin(house, { agent_name: hostile, branch: hostile });
  await house.call("covibe_session", { operation: "publish_context", session_id, title: hostile, summary: hostile });
  const deck = await house.open(`/deck/sessions?session=${session_id}`, { width: 360, height: 740 });
  await deck.page.getByRole("heading", { name: hostile }).first().waitFor();
  await deck.expectNoSidewaysScroll();
  await deck.expectAccessible("sessions-phone");
  await deck.page.getByRole("button", { name: "Close" }).click();
  await deck.page.locator(".session-row").first().waitFor();
  await deck.expectNoSidewaysScroll();
  await deck.shot("sessions-phone-list");
  expect(await deck.page.evaluate(() => "hurt" in window)).toBe(false);
});

test("[DT3] agents lead to sessions and back", async () => {
  const deck = await house.open("/deck/agents");
  await deck.page.getByRole("main").getByRole("link", { name: "Sessions" }).click();
  await deck.page.waitForURL(/\/deck\/sessions$/);
});

async function readSessions(query: string): Promise<{ sessions: Record<string, unknown>[] }> {
  const headers = { authorization: `Bearer ${house.token}` };
  const response = await fetch(`${house.url}/api/sessions${query}`, { headers });
  return ((await response.json()) as { result: { sessions: Record<string, unknown>[] } }).result;
}
