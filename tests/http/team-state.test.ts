import { expect, test } from "vitest";
import { bring, planned } from "../workflow/work.ts";
import { addDeveloper, ask, callTool } from "./raw.ts";
import { type OpenServer, openServer } from "./routes.ts";

const keys = [
  "activeWork",
  "plannedWork",
  "recentCompletions",
  "activeWorkstreams",
  "plannedWorkstreams",
  "risksDecisions",
  "recentSessions",
  "staleSessions",
  "overlapWarnings",
  "sessionContexts",
  "nextActions",
  "latestParallelAudits",
  "parallelAuditConflicts",
  "totals",
];

interface Result {
  readonly result: Record<string, unknown>;
}

/** Signs in as a browser does, and answers what it then sends along. */
async function signIn(server: OpenServer): Promise<{ token: null; headers: Record<string, string> }> {
  const answer = await ask(server, "POST", "/api/login", { token: null, body: { token: server.token } });
  const cookie = answer.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  return { token: null, headers: { cookie, origin: server.url } };
}

const tokens = async (server: OpenServer): Promise<number> =>
  (await callTool<{ tokens: unknown[] }>(server, "token_list")).tokens.length;

test("[TS50] the state has its keys in camel case, and the same in them as the agent's tool", async () => {
  const server = await openServer();
  const { house } = server;
  const work = await planned(house, [{ name: "Runs" }, { name: "Waits" }]);
  await bring(house, work.task("Runs"), "in_progress");
  await callTool(server, "covibe_session", { operation: "start", agent_name: "Ada" });
  house.clock.advance(31 * 60_000);
  const answer = await ask(server, "GET", "/api/state");
  const state = answer.json<Result>().result;
  expect(answer.status).toBe(200);
  expect(Object.keys(state)).toEqual(keys);
  expect(state["totals"]).toMatchObject({ activeWork: 1, plannedWork: 1, staleSessions: 1 });
  expect(await house.entries("feedback")).toEqual([]);
  const { data } = await house.call<{ data: Record<string, unknown> }>("covibe_team", { operation: "state" });
  expect(Object.values(state).slice(0, -1)).toEqual(Object.values(data).slice(0, -1));
});

test("[TS50] without a token there is no state", async () => {
  const server = await openServer();
  for (const path of ["/api/state", "/api/inbox", "/api/summary"]) {
    expect((await ask(server, "GET", path, { token: null })).status).toBe(401);
  }
  for (const path of ["/api/audit", "/api/summary", "/api/tasks", "/api/workstreams"]) {
    expect((await ask(server, "POST", path, { token: null, body: {} })).status).toBe(401);
  }
});

test("[TS51] a signed-in person audits and writes the week, and no token is made for it", async () => {
  const server = await openServer();
  const { house } = server;
  const browser = await signIn(server);
  const before = await tokens(server);
  const title = "Add pagination to the orders list endpoint";
  for (let count = 0; count < 2; count += 1) {
    const work = await planned(house, [{ name: title }]);
    await bring(house, work.task(title), "in_progress");
  }
  expect((await ask(server, "GET", "/api/summary", browser)).json<Result>().result).toEqual({ summary: null });
  const kinds = await house.eventsOf(async () => {
    const audit = await ask(server, "POST", "/api/audit", { ...browser, body: {} });
    expect(audit.json<Result>().result).toMatchObject({
      status: "warning",
      audit: { compared: 2, conflicts: [{ relation: "active_vs_active" }] },
    });
    const written = await ask(server, "POST", "/api/summary", browser);
    const read = await ask(server, "GET", "/api/summary", browser);
    expect(written.json<Result>().result).toEqual(read.json<Result>().result);
    expect(String((written.json<Result>().result["summary"] as Record<string, unknown>)["markdown"])).toContain(
      "## Parallel audits (1)",
    );
  });
  expect(kinds).toEqual(["parallel_work.audit", "weekly_summary.generated"]);
  expect(await tokens(server)).toBe(before);
});

test("[TS51] a page from elsewhere cannot make a signed-in browser do any of it", async () => {
  const server = await openServer();
  const browser = await signIn(server);
  const elsewhere = {
    token: null,
    headers: { cookie: browser.headers["cookie"] ?? "", origin: "https://evil.example" },
  };
  for (const path of ["/api/audit", "/api/summary", "/api/tasks", "/api/workstreams"]) {
    const kinds = await server.house.eventsOf(async () => {
      expect((await ask(server, "POST", path, { ...elsewhere, body: { title: "x", task_type: "bug" } })).status).toBe(
        403,
      );
    });
    expect(kinds).toEqual([]);
  }
});

test("[TS52] the inbox is what waits for the one who asks, or for everyone", async () => {
  const server = await openServer();
  const { token } = await addDeveloper(server, "grace");
  const question = { operation: "ask", to: "grace", question: "Which port?" };
  await callTool(server, "covibe_coordination", question);
  const inbox = async (path: string, by?: string) =>
    (await ask(server, "GET", path, by === undefined ? {} : { token: by })).json<{ result: { items: unknown[] } }>()
      .result.items;
  expect(await inbox("/api/inbox")).toEqual([]);
  expect(await inbox("/api/inbox", token)).toMatchObject([{ kind: "ask", title: "Which port?", from: "ada" }]);
  expect(await inbox("/api/inbox?everyone=true&limit=5")).toMatchObject([{ kind: "ask", developer: "grace" }]);
  expect((await ask(server, "GET", "/api/inbox?limit=101")).status).toBe(400);
});
