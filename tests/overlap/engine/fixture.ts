import type { OverlapDoc } from "../../../src/domain/overlap/engine/doc.ts";
import { workOf } from "./docs.ts";

export interface Pair {
  readonly name: string;
  readonly asked: OverlapDoc;
  readonly existing: OverlapDoc;
}

type Said = string | readonly [title: string, more: Partial<OverlapDoc>];

const pair = (one: Said, other: Said): Pair => {
  const [asked, existing] = [one, other].map((said, at) => {
    const [title, more] = typeof said === "string" ? [said, {}] : said;
    return workOf(title, { ...more, id: `${title} (${at})` });
  }) as [OverlapDoc, OverlapDoc];
  return { name: asked.title, asked, existing };
};

/** The same title but for what does not matter. */
export const identical: readonly Pair[] = [
  pair("Add rate limiting to the public API", "add rate limiting to public API."),
  pair("[High] Fix memory leak in the websocket handler", "Fix memory leaks in the WebSocket handler"),
  pair("Migrate invoices to the new ledger table", "Migrate invoices to the new ledger table"),
  pair("Task: cache rendered invoice PDFs", "Caching rendered invoice PDFs"),
];

/** The same work in other words. */
export const reworded: readonly Pair[] = [
  pair("WebSocket handler leaks memory on disconnect", "Fix memory leak in websocket handler"),
  pair("Switch users table primary key from integer to UUID", "Migrate user table to UUID primary keys"),
  pair("Make payment service handlers asynchronous", "Refactor payment service to use async handlers"),
  pair("Record admin actions in an audit log", "Add audit log for admin actions"),
  pair("Email sending should retry with exponential backoff", "Add retry with backoff to email sender"),
  pair("Check signature of incoming webhooks", "Validate webhook signatures before processing"),
  pair("Settings page: dark theme switch", "Add dark mode toggle to settings page"),
  pair("Calendar shows events in the wrong time zone", "Fix timezone bug in calendar view"),
  pair("Implement OAuth sign-in for the API", "Add OAuth login to the API"),
  pair("Search results flicker while typing", [
    "Debounce the search box",
    {
      description:
        "Search results flicker while the user is typing because every key sends a request. Wait 200 ms after the last key before the search request goes out.",
    },
  ]),
  pair(
    [
      "Throttle requests per client",
      { scope: "API gateway: token bucket per client, answer 429", files: ["src/gateway/limit.ts"] },
    ],
    [
      "Rate limits for the gateway",
      { scope: "Token bucket for each client in the API gateway, 429 when empty", files: ["src/gateway/limit.ts"] },
    ],
  ),
  pair("Drop the legacy session table", "Remove legacy sessions table from database"),
];

/** Work that looks the same and is not. */
export const traps: readonly Pair[] = [
  pair("Review PR 389 of the billing team", "Review PR 390 of the billing team"),
  pair("Import contacts from CSV", "Export contacts to CSV"),
  pair("Implement token refresh for mobile sessions", "Write tests for token refresh of mobile sessions"),
  pair("Document the webhook retry policy in the README", "Implement the webhook retry policy"),
  pair("Fix crash on startup on Linux when offline", "Fix crash on startup on Windows when offline"),
  pair("Enable strict mode in the billing compiler", "Disable strict mode in the billing compiler"),
  pair("Port strstr to the core string module", "Port strnstr to the core string module"),
  pair("Upgrade Postgres driver to 8.13", "Upgrade Postgres driver to 8.14"),
  pair("Phase 2: move uploads to object storage", "Phase 3: move uploads to object storage"),
  pair("Encrypt backups with the customer key", "Decrypt backups with the customer key"),
  pair("Add client for the search service", "Add server for the search service"),
  pair("Fix bug", "Fix bug"),
  pair("Update code", "Update code"),
  pair(["Search index for orders", { action: "create" }], ["Search index for orders", { action: "remove" }]),
  pair(["Retry of failed payments", { component: "backend" }], ["Retry of failed payments", { component: "frontend" }]),
  pair(["Login rate limits per tenant", { action: "audit" }], ["Login rate limits per tenant", { action: "fix" }]),
  pair("Add avatar upload to the profile page", "Add e-mail verification to the profile page"),
  pair("Refactor the auth module", "Refactor the billing module"),
  pair("Add index on orders.customer_id", "Add index on invoices.created_at"),
  pair("Investigate slow dashboard queries", "Investigate flaky dashboard screenshots"),
  pair("Add health check endpoint", "Add metrics endpoint"),
  pair("Translate the checkout page to French", "Speed up the checkout page"),
  pair(["Nightly report of usage per team", {}], ["Nightly report of usage per team", { status: "done" }]),
  pair(["Lock files while editing", { sessionId: "s1" }], ["Lock files while editing", { sessionId: "s1" }]),
];

/** Other work of the same team, so that there is something to be mistaken about. */
export const others: readonly OverlapDoc[] = [
  "Add pagination to the task list endpoint",
  "Fix login page layout on small screens",
  "Send welcome e-mail after sign-up",
  "Move API documentation to the new site",
  "Clean up old feature flags",
  "Add websocket reconnect with jitter",
  "Users table: add last_seen column",
  "Payment service: log declined cards",
  "Settings page: remember the last tab",
  "Calendar view: week numbers",
  "Search box: keyboard shortcut",
  "Gateway: forward request ids",
].map((title) => workOf(title));
