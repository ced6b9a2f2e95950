import { expect, test } from "vitest";
import { linkProofOf } from "../../src/adapters/server-proof.ts";
import { type Answer, addToken, ask, callTool } from "./raw.ts";
import { type OpenServer, openServer } from "./routes.ts";
import { program, testSecret } from "./server.ts";

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

test("[HT74] of one developer's many links the oldest are given up, and nobody else's", async () => {
  const server = await openServer();
  const mine = await linkOf(server);
  const { token } = await server.house.developer("grace");
  const theirs: string[] = [];
  for (let count = 0; count < 101; count += 1) theirs.push(await linkOf({ ...server, token }));
  const leadsTo = async (link = ""): Promise<unknown> => (await ask(server, "GET", link)).headers.location;
  expect(await leadsTo(theirs[90])).toBe("/?signin=expired");
  expect(await leadsTo(theirs[91])).toBe("/");
  expect(await leadsTo(mine)).toBe("/");
});

test("[HT74] a link ends with the token that asked for it", async () => {
  const server = await openServer();
  const { tokenId, token } = await addToken(server);
  const link = await linkOf({ ...server, token });
  await callTool(server, "token_revoke", { id: tokenId });
  const answer = await ask(server, "GET", link, { token: null });
  expect([answer.headers.location, answer.headers["set-cookie"]]).toEqual(["/?signin=expired", undefined]);
});

test("[HT75] a link from another site's page asks whom to sign in, and a click on our own page does", async () => {
  const server = await openServer();
  const link = await linkOf(server);
  const from = (site: string) => ({ token: null, headers: { "sec-fetch-site": site } });
  const asked = await ask(server, "GET", link, from("cross-site"));
  expect([asked.status, asked.headers["set-cookie"]]).toEqual([200, undefined]);
  expect(asked.text).toContain(`<a href="${link}">Sign in as ${server.house.owner.handle}</a>`);
  const forged = await ask(server, "GET", `${link}&here=${"A".repeat(43)}`, from("same-site"));
  expect([forged.status, forged.headers["set-cookie"]]).toEqual([200, undefined]);
  expect((await ask(server, "GET", link, from("same-origin"))).headers.location).toMatch(/^\/#signin=/);
});

test("[HT75] the page of this machine's own account signs in at once", async () => {
  const server = await openServer();
  const link = await linkOf(server);
  const code = link.slice("/login?code=".length);
  const proven = `${link}&here=${linkProofOf(testSecret, code)}`;
  const answer = await ask(server, "GET", proven, { token: null, headers: { "sec-fetch-site": "cross-site" } });
  expect([answer.status, answer.headers.location]).toEqual([303, expect.stringMatching(/^\/#signin=[\w-]{43}$/)]);
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
