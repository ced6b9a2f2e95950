import { describe, expect, test } from "vitest";
import { hashSecret, isSecretOf } from "../../src/domain/person/secret.ts";
import { newId, realSources } from "../../src/engine/sources.ts";
import { letPass } from "../../src/testing/waiting.ts";
import { personTools } from "../../src/tools/catalog.ts";
import { stillClock } from "../domain/still-house.ts";
import { type Ask, addToken, ask, callTool } from "../http/raw.ts";
import { openServer } from "../http/routes.ts";
import { pipeStatus } from "../mcp/pipe.ts";
import { postMcp } from "../mcp/post.ts";
import { expectNoTrace, secretOf } from "./canary.ts";

const register = { name: "Intruder", runtime: "custom" };

/** The same call on every way in; answers the statuses. */
async function statusesOf(
  server: Awaited<ReturnType<typeof openServer>>,
  headers: Ask["headers"] = {},
): Promise<number[]> {
  const options = { token: null, headers };
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "agent_register", arguments: register } };
  return [
    (await ask(server, "POST", "/api/tools/agent_register", { ...options, body: register })).status,
    (await ask(server, "POST", "/api/mcp", { ...options, body: { tool: "agent_register", arguments: register } }))
      .status,
    (await postMcp(server, call, options)).status,
    (await ask(server, "GET", "/api/agents", options)).status,
    await pipeStatus(server, { token: null, headers: headers as Record<string, string> }),
  ];
}

describe("wrong tokens", () => {
  const forms: [string, (token: string) => string | readonly string[] | undefined][] = [
    ["no header", () => undefined],
    ["an empty header", () => ""],
    ["Bearer without a token", () => "Bearer"],
    ["Bearer and a blank", () => "Bearer "],
    ["another scheme", (token) => `Basic ${token}`],
    ["a scheme in lower case and quotes", (token) => `bearer "${token}"`],
    ["no scheme", (token) => token],
    ["two headers", (token) => [`Bearer ${token}`, `Bearer ${token}`]],
    ["two tokens in one header", (token) => `Bearer ${token}, Bearer ${token}`],
    ["one letter changed", (token) => `Bearer ${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`],
    ["the last letter missing", (token) => `Bearer ${token.slice(0, -1)}`],
    ["a letter more", (token) => `Bearer ${token}A`],
    ["a trailing tab and text", (token) => `Bearer ${token}\tx`],
    ["another id with the same secret", (token) => `Bearer ${token.replace(/tok./, "toku")}`],
    ["the secret alone", (token) => `Bearer ${secretOf(token)}`],
    ["upper case", (token) => `Bearer ${token.toUpperCase()}`],
  ];

  test.each(forms)("[SE1] %s is refused everywhere and leaves nothing", async (_what, form) => {
    const server = await openServer();
    const authorization = form(server.token);
    await expectNoTrace(server, async () => {
      const headers = authorization === undefined ? {} : { authorization };
      expect(await statusesOf(server, headers as Ask["headers"])).toEqual([401, 401, 401, 401, 401]);
    });
  });

  test("[SE1] a token with a NUL, a newline or a control character is refused in the body as well", async () => {
    const server = await openServer();
    await expectNoTrace(server, async () => {
      for (const end of ["\u0000", "\n", "\r\n", " ", "\u200b"]) {
        const body = { tool: "agent_register", arguments: register, token: `${server.token}${end}` };
        expect((await ask(server, "POST", "/api/mcp", { token: null, body })).status).toBe(401);
      }
      for (const token of [5, {}, [], true, null]) {
        const body = { tool: "agent_register", arguments: register, token };
        expect((await ask(server, "POST", "/api/mcp", { token: null, body })).status).toBe(401);
      }
    });
  });

  test("[SE1] the bodies of all refusals are the same but for id and time", async () => {
    const server = await openServer();
    const { tokenId, token } = await addToken(server);
    await callTool(server, "token_revoke", { id: tokenId });
    const bodies = new Set<string>();
    for (const given of [null, "x", `${server.token}x`, token, "cdk_tok_x"]) {
      const { error } = (await ask(server, "GET", "/api/me", { token: given })).json();
      bodies.add(JSON.stringify(error));
    }
    expect(bodies.size).toBe(1);
  });

  test("[SE3] a token in the address is not accepted and its text is kept nowhere", async () => {
    const server = await openServer();
    await expectNoTrace(server, async () => {
      for (const path of [`/api/agents?token=${server.token}`, `/api/me?access_token=${server.token}`]) {
        expect((await ask(server, "GET", path, { token: null })).status).toBe(401);
      }
      const path = `/api/tools/${server.token}`;
      expect((await ask(server, "POST", path, { token: null, body: {} })).status).toBe(401);
      await ask(server, "POST", path, { body: {} });
    });
    const secret = secretOf(server.token);
    const usage = JSON.stringify(await server.house.entries("usage"));
    expect(usage).toContain("token");
    expect(usage).not.toContain(secret.slice(0, 8));
  });

  test("[SE4] a revoked token stays revoked when the clock is set back", async () => {
    const server = await openServer();
    const { token, tokenId } = await addToken(server);
    const status = async () => (await ask(server, "GET", "/api/me", { token })).status;
    expect(await status()).toBe(200);
    await callTool(server, "token_revoke", { id: tokenId });
    for (const ms of [0, -86_400_000, -86_400_000, 10 * 86_400_000]) {
      server.house.clock.advance(ms);
      expect(await status()).toBe(401);
    }
  });

  test("[SE5] secrets are compared as hashes of one length, and timing tells nothing worth failing for", async () => {
    const server = await openServer();
    const secret = secretOf(server.token);
    expect(isSecretOf(secret, hashSecret(secret))).toBe(true);
    for (const wrong of ["", "x", `${secret}x`, secret.slice(1)])
      expect(isSecretOf(wrong, hashSecret(secret))).toBe(false);

    const wrongLast = `${server.token.slice(0, -1)}${server.token.endsWith("A") ? "B" : "A"}`;
    const unknown = server.token.replace(/tok./, "toku");
    const { authenticator } = server.house.house;
    const sums = { wrongLast: 0, unknown: 0 };
    const rounds = 2_000;
    const pairs: ["wrongLast" | "unknown", string][] = [
      ["wrongLast", wrongLast],
      ["unknown", unknown],
    ];
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, token] of round % 2 === 0 ? pairs : pairs.toReversed()) {
        const begun = performance.now();
        await authenticator.identify(token).catch(() => undefined);
        sums[name] += performance.now() - begun;
      }
    }
    const micro = (sum: number) => ((sum / rounds) * 1_000).toFixed(0);
    process.stdout.write(
      `wrong secret ${micro(sums.wrongLast)} µs, unknown token ${micro(sums.unknown)} µs on average\n`,
    );
  });
});

describe("what tokens may do", () => {
  const administrative = personTools.filter(({ callers }) => !callers.includes("agent"));

  test("[SE6] an agent's token administers nothing, over any transport", async () => {
    const server = await openServer();
    const { token } = await addToken(server, { agent_type: "claude-code" });
    expect(administrative.length).toBeGreaterThanOrEqual(6);
    await expectNoTrace(server, async () => {
      for (const { name } of administrative) {
        const args = { handle: "mallory", id: "x" };
        const direct = await ask(server, "POST", `/api/tools/${name}`, { token, body: args });
        const plain = await ask(server, "POST", "/api/mcp", { token, body: { tool: name, arguments: args } });
        const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
        const mcp = await postMcp(server, call, { token });
        expect([name, direct.status, plain.status, mcp.message.error?.data?.["code"]]).toEqual([
          name,
          403,
          403,
          "NOT_FOUND",
        ]);
      }
      for (const path of ["/api/backup", "/api/login-link"]) {
        expect((await ask(server, "POST", path, { token, body: { file: "/tmp/x" } })).status).toBe(403);
      }
    });
  });

  test("[SE7] a thousand wrong tokens a second do not slow down others", async () => {
    // A clock that stands still: on a slow machine the limit would let more through than it would refuse.
    const server = await openServer({ sources: stillClock() });
    let refused = 0;
    const attack = async () => {
      for (let count = 0; count < 100; count += 1) {
        const { status } = await ask(server, "GET", "/api/me", { token: `cdk_${Math.random()}` });
        if (status === 429) refused += 1;
        expect([401, 429]).toContain(status);
      }
    };
    const attackers = Promise.all(Array.from({ length: 10 }, attack));
    const waits: number[] = [];
    for (let count = 0; count < 50; count += 1) {
      const begun = performance.now();
      expect((await ask(server, "POST", "/api/tools/agent_list", { body: {} })).status).toBe(200);
      waits.push(performance.now() - begun);
      await letPass(5, "honest calls are spread over the attack");
    }
    await attackers;
    expect(refused).toBe(900);
    const slowest = Math.max(...waits).toFixed(0);
    process.stdout.write(`${refused} of 1000 guesses were answered 429; the slowest honest call took ${slowest} ms\n`);
  });

  test("[SE9] ids have at least 128 random bits and do not repeat", () => {
    const ids = Array.from({ length: 10_000 }, () => newId(realSources, "agent"));
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^ag_[0-9a-hjkmnp-tv-z]{26}$/);
    // 26 letters of an alphabet of 32 are 130 bits, if every letter can stand at every place.
    for (let place = 3; place < 29; place += 1) expect(new Set(ids.map((id) => id[place])).size).toBe(32);
  });
});
