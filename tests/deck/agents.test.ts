import { expect, test } from "vitest";
import { type DeckTest, serveDeck } from "./kit.ts";
import { begin, plan } from "./scene.ts";

const house = serveDeck();

test("[DK30] who comes, works, and leaves is seen without a reload", async () => {
  const deck = await house.open("/deck/agents");
  const ada = await house.agent("Ada");
  const row = deck.page.locator(".agent-row").filter({ hasText: "Ada" });
  await row.getByText("idle").waitFor();
  const { tasks } = await plan(ada, "Small", "/srv/code/shop", [{ name: "Paint the door", description: "Green." }]);
  await begin(ada, tasks["Paint the door"] ?? "");
  await row.getByText("working").waitFor();
  await row.getByText("Paint the door").waitFor();
  await ada.call("agent_unregister", { id: ada.id });
  await row.waitFor({ state: "detached" });
  await deck.page.getByRole("button", { name: "Show offline" }).click();
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

interface Told {
  readonly data: Record<string, string>;
}

/** Starts a session and reports a working copy for it; answers its id. */
async function beginSession(deck: DeckTest, ask: Record<string, unknown>, token?: string): Promise<string> {
  const start = { operation: "start", agent_type: "claude-code", repo: "acme/shop", branch: "pages", ...ask };
  const { data } = await deck.call<Told>("covibe_session", start, token);
  const session_id = String(data["session_id"]);
  const snapshot = { dirty_files: ["src/orders/list.ts", "src/orders/page.ts"], unpushed_files: ["README.md"] };
  await deck.call("covibe_session", { operation: "snapshot", session_id, head: "9fceb02d0a", ...snapshot }, token);
  return session_id;
}

const hostile = '<img src=x onerror="window.hurt=1"><script>window.hurt=1</script>';

test("[DT3, DT5, DT6] a session comes in live with what it has changed, holds and used; by keyboard it is opened, its claim released, it is ended", async () => {
  const deck = await house.open("/deck/agents");
  const session_id = await beginSession(house, {
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
  const row = deck.page.locator(".agent-row", { hasText: "Claude in the shop" });
  await row.getByText(/^claude-code · /).waitFor();
  await row.getByText("2 dirty · 1 unpushed").waitFor();
  await row.getByText(/^\$0\./).waitFor();
  await deck.page.getByRole("link", { name: "Claude in the shop" }).click();
  await deck.see("src/orders/list.ts");
  await deck.see("Half way through the pages");
  await deck.see("/srv/shop");
  await fetch(`${house.url}/api/tools/covibe_session`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${house.token}`,
      "x-crewdeck-made-by": "hook",
    },
    body: JSON.stringify({ operation: "heartbeat", session_id }),
  });
  await deck.page.locator(".agent-signal", { hasText: "hook" }).waitFor();
  await deck.page.locator(".agent-signal", { hasText: "call" }).waitFor();
  await deck.expectAccessible("agents-open");
  await deck.page.setViewportSize({ width: 360, height: 740 });
  await deck.shot("agents-open-phone");
  await deck.page.setViewportSize({ width: 1280, height: 800 });
  await deck.page.getByRole("button", { name: /^Release/ }).focus();
  await deck.press("Enter");
  await deck.see("Claim released.");
  await expect.poll(() => deck.page.getByRole("heading", { name: "Claims" }).count()).toBe(0);
  await deck.page.getByRole("button", { name: "End session" }).focus();
  await deck.press("Enter");
  await deck.page.getByRole("button", { name: "Confirm: end session" }).waitFor();
  await deck.press("Enter");
  await row.waitFor({ state: "detached" });
  await deck.press("Escape");
  await deck.page.getByRole("button", { name: "Show offline" }).click();
  await row.getByText("offline").waitFor();
  const { sessions } = await readSessions("?ended=true");
  expect(sessions).toMatchObject([{ id: session_id, status: "ended" }]);
});

test("[DT4] a session turns stale by the clock, without a reload and without an event", async () => {
  const session_id = await beginSession(house, { agent_name: "Codex that falls silent" });
  const deck = await house.open("/deck/agents");
  await deck.page.clock.install();
  await deck.goto("/deck/agents");
  const row = deck.page.locator(".agent-row", { hasText: "Codex that falls silent" });
  await row.waitFor();
  expect(await row.getAttribute("data-status")).toBe("idle");
  await deck.page.clock.fastForward("29:00");
  await deck.page.clock.runFor(6_000);
  expect(await row.getAttribute("data-status")).toBe("idle");
  await deck.page.clock.fastForward("02:00");
  await deck.page.clock.runFor(6_000);
  await expect.poll(() => row.getAttribute("data-status")).toBe("stale");
  await deck.see(/[0-9] stale/);
  await deck.shot("agents-stale");
  await house.call("covibe_session", { operation: "end", session_id });
});

test("[DT2, DT5] a private developer's session is @private on the API and on the page, and nobody else's can be ended", async () => {
  const quinn = await house.person("quinn", { private: true });
  const bob = await house.person("bob");
  const hidden = await beginSession(
    house,
    { agent_name: "Undercover", repo: "acme/undercover", branch: "undercover", worktree: "/undercover" },
    quinn,
  );
  const claim = { operation: "claim", session_id: hidden, repo: "acme/undercover", paths: ["undercover/**"] };
  await house.call("covibe_coordination", claim, quinn);
  await beginSession(house, { agent_name: "Bob's agent" }, bob);
  const listing = await readSessions("");
  expect(listing.sessions).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ id: hidden, developer: "@private", repo: null, snapshot: null, claims: [] }),
    ]),
  );
  expect(JSON.stringify(listing)).not.toMatch(/undercover|quinn/i);
  const deck = await house.open("/deck/agents");
  await deck.see("Bob's agent");
  await deck.see("@private");
  await deck.page.getByRole("link", { name: "@private" }).first().click();
  await deck.page.getByRole("complementary", { name: "Agent" }).getByText("Started").waitFor();
  expect(await deck.page.content()).not.toMatch(/undercover|quinn/i);
  await deck.page.getByRole("link", { name: "Bob's agent" }).click();
  await deck.page.getByRole("complementary", { name: "Agent" }).getByText("src/orders/list.ts").waitFor();
  expect(await deck.page.getByRole("button", { name: "End session" }).count()).toBe(0);
  await deck.expectAccessible("agents-private");
  const own = await house.open("/deck/agents", { token: quinn });
  await own.see("Undercover");
});

test("[DT6] the page fits a phone, and what agents wrote stays text", async () => {
  const session_id = await beginSession(house, { agent_name: hostile, branch: hostile });
  await house.call("covibe_session", { operation: "publish_context", session_id, title: hostile, summary: hostile });
  const deck = await house.open(`/deck/agents?session=${session_id}`, { width: 360, height: 740 });
  await deck.page.getByRole("heading", { name: hostile }).first().waitFor();
  await deck.expectNoSidewaysScroll();
  await deck.expectAccessible("agents-phone");
  await deck.page.getByRole("button", { name: "Close" }).click();
  await deck.page.locator(".agent-row").first().waitFor();
  await deck.expectNoSidewaysScroll();
  await deck.shot("agents-phone-list");
  expect(await deck.page.evaluate(() => "hurt" in window)).toBe(false);
});

test("[DT3] an address of the sessions' own page opens the agent", async () => {
  const session_id = await beginSession(house, { agent_name: "Bookmarked" });
  const deck = await house.open(`/deck/sessions?session=${session_id}`);
  await deck.page.getByRole("complementary", { name: "Agent" }).getByText("src/orders/list.ts").waitFor();
});

test("[DT3] a filter that hides every agent says so and is cleared", async () => {
  const deck = await house.open("/deck/agents?q=nobody-is-called-this");
  await deck.see("No agents match your filters.");
  await deck.page.getByRole("button", { name: "Clear filters" }).click();
  await deck.page.locator(".agent-row").first().waitFor();
});

test("[DT23] what an agent started in its session is what it works on, on its row and on the board", async () => {
  const session_id = await beginSession(house, { agent_name: "Nadia", agent_type: "codex" });
  const work = { session_id, title: "Paginate the orders list", task_type: "feature", repo: "acme/shop" };
  const check = await house.call<Told>("covibe_task", { operation: "check", ...work });
  await house.call("covibe_task", { operation: "start", ...work, check_id: check.data["check_id"] });
  const deck = await house.open("/deck/agents");
  const row = deck.page.locator(".agent-row", { hasText: "Nadia" });
  await row.getByText("working").waitFor();
  await row.getByText("Paginate the orders list").waitFor();
  await deck.goto("/deck/board");
  const card = deck.page.locator(".board-card", { hasText: "Paginate the orders list" });
  await card.getByText("Nadia").waitFor();
});

async function readSessions(query: string): Promise<{ sessions: Record<string, unknown>[] }> {
  const headers = { authorization: `Bearer ${house.token}` };
  const response = await fetch(`${house.url}/api/sessions${query}`, { headers });
  return ((await response.json()) as { result: { sessions: Record<string, unknown>[] } }).result;
}
