import { expect, test } from "vitest";
import { type Answer, addToken, ask, callTool } from "./raw.ts";
import { type OpenServer, openServer } from "./routes.ts";
import { program } from "./server.ts";

const cookieIn = (answer: Answer): string => answer.headers["set-cookie"]?.[0] ?? "";
const pairIn = (answer: Answer): string => cookieIn(answer).split(";")[0] ?? "";

const linkOf = async (server: OpenServer): Promise<string> => {
  const { url } = (await ask(server, "POST", "/api/login-link")).json<{ result: { url: string } }>().result;
  expect(url).toMatch(new RegExp(`^${server.url}/login\\?code=[\\w-]{43}$`));
  return url.slice(server.url.length);
};

const withCookie = (cookie: string, more: Record<string, string> = {}) => ({
  token: null,
  headers: { cookie, ...more },
});

test("[HT40] a link works once and gives the browser a token of its own in a safe cookie", async () => {
  const server = await openServer();
  const link = await linkOf(server);
  const first = await ask(server, "GET", link, { token: null });
  expect([first.status, first.headers.location]).toEqual([303, "/"]);
  expect(cookieIn(first)).toMatch(/^crewdeck_session=cdk_[\w-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/);
  expect(cookieIn(first)).not.toContain(server.token);
  expect((await ask(server, "GET", "/api/me", withCookie(pairIn(first)))).status).toBe(200);

  const second = await ask(server, "GET", link, { token: null });
  expect([second.status, second.headers.location, second.headers["set-cookie"]]).toEqual([
    303,
    "/?signin=expired",
    undefined,
  ]);
});

test("[HT40] a link is good for ten minutes and no longer, and two links give two tokens", async () => {
  const server = await openServer();
  const [one, two, late] = [await linkOf(server), await linkOf(server), await linkOf(server)];
  server.house.clock.advance(10 * 60_000 - 1_000);
  const [first, second] = [await ask(server, "GET", one), await ask(server, "GET", two)];
  expect(pairIn(first)).not.toBe(pairIn(second));
  server.house.clock.advance(2_000);
  expect((await ask(server, "GET", late)).headers.location).toBe("/?signin=expired");
  expect((await ask(server, "GET", "/login")).headers.location).toBe("/?signin=expired");
});

test("[HT40] of many open links the oldest are given up", async () => {
  const server = await openServer();
  const links: string[] = [];
  for (let count = 0; count < 101; count += 1) links.push(await linkOf(server));
  expect((await ask(server, "GET", links[0] ?? "")).headers.location).toBe("/?signin=expired");
  expect((await ask(server, "GET", links[100] ?? "")).headers.location).toBe("/");
});

test("[HT41] a pasted token signs in with a token of the browser's own", async () => {
  const server = await openServer();
  const answer = await ask(server, "POST", "/api/login", { token: null, body: { token: server.token } });
  expect(answer.json()["result"]).toEqual({ handle: server.house.owner.handle });
  expect(cookieIn(answer)).not.toContain(server.token);
  expect((await ask(server, "GET", "/api/me", withCookie(pairIn(answer)))).status).toBe(200);
  for (const token of ["cdk_wrong", 5, null]) {
    expect((await ask(server, "POST", "/api/login", { token: null, body: { token } })).status).toBe(401);
  }
});

test("[HT41] an agent's token signs nobody in", async () => {
  const server = await openServer();
  const agent = await addToken(server, { agent_type: "codex" });
  const pasted = await ask(server, "POST", "/api/login", { token: null, body: { token: agent.token } });
  const link = await ask(server, "POST", "/api/login-link", { token: agent.token });
  for (const answer of [pasted, link]) {
    expect([answer.status, answer.headers["set-cookie"]]).toEqual([403, undefined]);
  }
});

test("[HT42] signing out revokes the browser's token and removes the cookie", async () => {
  const server = await openServer();
  const cookie = pairIn(await ask(server, "GET", await linkOf(server)));
  const out = await ask(server, "POST", "/api/logout", { ...withCookie(cookie, { origin: server.url }), body: {} });
  expect(out.status).toBe(200);
  expect(cookieIn(out)).toBe("crewdeck_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0");
  expect((await ask(server, "GET", "/api/me", withCookie(cookie))).status).toBe(401);
  const { tokens } = await callTool<{ tokens: { label: string; revoked_at: string | null }[] }>(server, "token_list");
  expect(tokens.find(({ label }) => label === "deck")?.revoked_at).toEqual(expect.any(String));
});

test("[HT43] me answers handle, role, privacy, whether the data are an example's and how the program is called", async () => {
  const server = await openServer();
  expect((await ask(server, "GET", "/api/me")).json()["result"]).toEqual({
    handle: server.house.owner.handle,
    role: "owner",
    private: false,
    demo: false,
    program,
  });
});

test("[HT44] the cookie reads by itself and changes only together with our own origin", async () => {
  const server = await openServer();
  const cookie = pairIn(await ask(server, "GET", await linkOf(server)));
  const register = (headers: Record<string, string>) =>
    ask(server, "POST", "/api/tools/agent_register", {
      ...withCookie(cookie, headers),
      body: { name: "A", runtime: "custom" },
    });
  expect((await ask(server, "GET", "/api/agents", withCookie(cookie))).status).toBe(200);
  expect((await register({})).status).toBe(403);
  expect((await register({ origin: server.url })).status).toBe(200);
});

test("[DS1] where the program lies is told to this machine's browsers, and to no other or through a proxy", async () => {
  const server = await openServer();
  const told = async (host: string) =>
    (await ask(server, "GET", "/api/me", { headers: { host } })).json<{ result: { program: unknown } }>().result
      .program;
  expect(await told(new URL(server.url).host)).toEqual(program);
  expect(await told("deck.example")).toEqual({ command: "crewdeck", options: "", bridge: ["crewdeck", "mcp"] });
});
