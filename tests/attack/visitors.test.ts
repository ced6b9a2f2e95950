import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { isCallerOf } from "../../src/contract/caller.ts";
import { routesOf } from "../../src/contract/tool-routes.ts";
import { followLink, navigation, signInBrowser } from "../http/deck-session.ts";
import { type Ask, addDeveloper, addToken, ask, callTool } from "../http/raw.ts";
import { type OpenServer, openServer } from "../http/routes.ts";
import { pipeStatus } from "../mcp/pipe.ts";
import { expectNoTrace } from "./canary.ts";

/** Every route there is × everybody who may come. What is new on either side is tried without a line here. */

/** What anybody may ask: how the server is, the deck's files, signing in, and a new machine's two questions. */
const open = [
  /^(GET|HEAD) \/(health|login)?$/,
  /^(GET|HEAD) \/(deck\/\*|assets\/:part|[\w.-]+\.(svg|html|js|css|txt|webmanifest))$/,
  /^POST \/api\/setup\/device(\/poll)?$/,
];
const isOpen = (route: string): boolean => open.some((pattern) => pattern.test(route));

const pathOf = (route: string): string =>
  (route.split(" ")[1] ?? "").replace(":name", "agent_list").replace(/:\w+/, "x").replace("*", "board");

const guarded = (server: OpenServer): string[] => server.routes.filter((route) => !isOpen(route));

async function statusOf(server: OpenServer, route: string, visitor: Ask): Promise<number> {
  const [method = ""] = route.split(" ");
  const body = method === "POST" ? { body: { tool: "agent_list", ...(visitor.body as object) } } : {};
  return (await ask(server, method, pathOf(route), { ...visitor, ...body })).status;
}

test("[HT80] whoever has a browser's cookie and not the page's half is a stranger on every route", async () => {
  const server = await openServer();
  const { stolen, cookie } = await signInBrowser(server);
  const { cookie: fresh } = await followLink(server);
  const { origin } = new URL(server.url);
  const thieves: Record<string, Ask> = {
    "nobody at all": { token: null },
    "the cookie as it was sent to another port": { token: null, headers: { cookie, origin } },
    "the cookie with what a browser says": {
      token: null,
      headers: { cookie, origin, ...navigation, "sec-fetch-site": "same-origin" },
    },
    "the cookie with a page of one's own": {
      token: null,
      headers: { cookie, origin, "x-crewdeck-page": "q".repeat(43) },
    },
    "the cookie with an empty page": { token: null, headers: { cookie, origin, "x-crewdeck-page": "" } },
    "the cookie as a bearer": { token: stolen },
    "the cookie as a bearer with its page": { token: stolen, headers: { "x-crewdeck-page": "p".repeat(43) } },
    "the cookie in the body": { token: null, body: { token: stolen } },
    "a cookie whose page has not come yet": { token: null, headers: { cookie: fresh, origin } },
  };
  await expectNoTrace(server, async () => {
    for (const route of guarded(server)) {
      // The limit on wrong tokens has a test of its own.
      server.house.clock.advance(1_000);
      const seen = Object.entries(thieves).map(async ([who, visitor]) => [who, await statusOf(server, route, visitor)]);
      expect([route, await Promise.all(seen)]).toEqual([route, Object.keys(thieves).map((who) => [who, 401])]);
    }
  });
});

test("[HT80] the cookie opens no socket, pipe or terminal without the page's half, and with it the deck's", async () => {
  const server = await openServer();
  const { cookie, stolen, page } = await signInBrowser(server);
  const socket = (path: string, headers: Record<string, string>, protocols: string[]): Promise<string> =>
    new Promise((resolve) => {
      const client = new WebSocket(`${server.url.replace("http", "ws")}${path}`, protocols, { headers });
      client.once("open", () => resolve(`open as ${client.protocol}`));
      client.once("error", (error) => resolve(error.message));
      client.once("open", () => client.terminate());
    });
  const own = { cookie, origin: server.url };
  for (const path of ["/ws", "/ws/terminal/work-x"]) {
    for (const protocols of [[], ["crewdeck"], ["crewdeck", `crewdeck.page.${"q".repeat(43)}`]]) {
      expect([path, await socket(path, own, protocols)]).toEqual([path, "Unexpected server response: 401"]);
    }
    expect(await socket(path, { authorization: `Bearer ${stolen}` }, [])).toContain("401");
  }
  expect(await socket("/ws", own, ["crewdeck", `crewdeck.page.${page}`])).toBe("open as crewdeck");
  expect(await pipeStatus(server, { token: stolen })).toBe(401);
});

test("[HT83] every route admits exactly those it is for: agents, members, the owner", async () => {
  const server = await openServer();
  const { tools } = server.house.house;
  const tokens = {
    agent: (await addToken(server, { agent_type: "codex" })).token,
    member: (await addDeveloper(server, "grace")).token,
    owner: server.token,
  };
  const kinds = { agent: "agent", member: "person", owner: "owner" } as const;
  const ofTools = new Map(routesOf(tools.values()).map(({ tool, route }) => [`${route.method} ${route.path}`, tool]));
  const forOwner = new Set(["POST /api/backup", "POST /api/thresholds", "GET /api/verify", "HEAD /api/verify"]);
  const forPeople = new Set(["POST /api/login-link"]);
  // These look at other things than a bearer.
  const apart = new Set(["POST /api/login", "POST /api/login/page", "POST /api/logout"]);
  const callers = Object.fromEntries(
    await Promise.all(
      Object.entries(tokens).map(async ([who, token]) => [who, await server.house.house.authenticator.identify(token)]),
    ),
  );
  for (const route of guarded(server).filter((one) => !apart.has(one))) {
    for (const [who, token] of Object.entries(tokens) as [keyof typeof tokens, string][]) {
      const tool = ofTools.get(route.replace(/^HEAD/, "GET"));
      const may = tool
        ? isCallerOf(callers[who], tool.callers ?? ["agent"])
        : forOwner.has(route)
          ? kinds[who] === "owner"
          : !forPeople.has(route) || kinds[who] !== "agent";
      const status = await statusOf(server, route, { token });
      expect([route, who, status === 401, status === 403]).toEqual([route, who, false, !may]);
    }
  }
});

test("[HT81] a browser's sign-in is listed with its last use, ends after thirty days, and at once when it is revoked", async () => {
  const server = await openServer();
  const { whole } = await signInBrowser(server);
  const status = async (visitor: Ask): Promise<number> => (await ask(server, "GET", "/api/me", visitor)).status;
  expect(await status(whole)).toBe(200);
  const list = async () =>
    (
      await callTool<{ tokens: { id: string; browser: boolean; created_at: string; expires_at: string }[] }>(
        server,
        "token_list",
      )
    ).tokens;
  const [mine] = (await list()).filter(({ browser }) => browser);
  expect(Date.parse(mine?.expires_at ?? "") - Date.parse(mine?.created_at ?? "")).toBe(30 * 86_400_000);
  await callTool(server, "token_revoke", { id: mine?.id });
  expect(await status(whole)).toBe(401);

  const other = await signInBrowser(server, "o".repeat(43));
  server.house.clock.advance(30 * 86_400_000 - 1_000);
  expect(await status(other.whole)).toBe(200);
  server.house.clock.advance(2_000);
  expect(await status(other.whole)).toBe(401);
});

test("[HT80] the page adds its half once, with the code it was sent and with the cookie it belongs to", async () => {
  const server = await openServer();
  const { cookie, code } = await followLink(server);
  const { cookie: foreign } = await followLink(server);
  const add = async (ask_: { cookie: string; code: unknown; page: string }): Promise<number> =>
    (
      await ask(server, "POST", "/api/login/page", {
        token: null,
        headers: { cookie: ask_.cookie, origin: server.url, "x-crewdeck-page": ask_.page },
        body: { code: ask_.code },
      })
    ).status;
  const page = "a".repeat(43);
  expect(await add({ cookie, code: "x".repeat(43), page })).toBe(401);
  expect(await add({ cookie, code: null, page })).toBe(401);
  expect(await add({ cookie: foreign, code, page })).toBe(401);
  expect(await add({ cookie, code, page: "short" })).toBe(401);
  expect(await add({ cookie, code, page })).toBe(200);
  expect(await add({ cookie, code, page: "b".repeat(43) })).toBe(401);
  expect(await add({ cookie, code: page, page })).toBe(200);
});

test("[HT82] a program that signs in is no browser: its cookie works by itself, and still never as a bearer", async () => {
  const server = await openServer();
  const answer = await ask(server, "POST", "/api/login", { token: null, body: { token: server.token } });
  const cookie = answer.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  expect((await ask(server, "GET", "/api/state", { token: null, headers: { cookie } })).status).toBe(200);
  expect((await ask(server, "GET", "/api/state", { token: cookie.split("=")[1] ?? "" })).status).toBe(401);
  const inBrowser = await ask(server, "POST", "/api/login", {
    token: null,
    headers: navigation,
    body: { token: server.token },
  });
  expect([inBrowser.status, inBrowser.headers["set-cookie"]]).toEqual([400, undefined]);
});
