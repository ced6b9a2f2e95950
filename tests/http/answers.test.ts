import { describe, expect, test } from "vitest";
import { errors } from "../../src/contract/errors.ts";
import { schemaVersion, toolVersion } from "../../src/contract/versions.ts";
import { deriveOpenApi } from "../../src/main/openapi.ts";
import { safetyHeaders } from "../../src/transports/http/safety-headers.ts";
import { ask, isWholeAnswer, sendBytes } from "./raw.ts";
import { openServer } from "./routes.ts";
import { useServer } from "./server.ts";

const server = useServer();

const meta = {
  schemaVersion,
  toolVersion,
  ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  requestId: expect.stringMatching(/^call_[0-9a-z]{35}$/),
  durationMs: expect.any(Number),
};

describe("answers", () => {
  test("[HT1] a success is ok with its result and what the answer says about itself", async () => {
    const answer = await ask(server, "POST", "/api/tools/agent_list", { body: {} });
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(answer.json()).toEqual({ ok: true, result: { agents: [] }, _meta: meta });
  });

  test("[HT1, HT2] a failure is not ok and has code, class, message, hint and details", async () => {
    const answer = await ask(server, "POST", "/api/tools/agent_get", { body: {} });
    expect(answer.status).toBe(400);
    expect(answer.json()).toEqual({
      ok: false,
      error: {
        code: "INVALID_REQUEST",
        namespaceCode: "crewdeck.invalid_request",
        message: "`id` is required.",
        hint: errors.INVALID_REQUEST.hint,
        details: [
          {
            instancePath: "",
            schemaPath: "#/required",
            keyword: "required",
            params: { missingProperty: "id" },
            message: "must have required property 'id'",
          },
        ],
      },
      _meta: meta,
    });
  });

  test("[HT2] an error without details has none", async () => {
    const answer = await ask(server, "POST", "/api/tools/agent_get", { body: { id: "ag_nobody" } });
    expect(answer.status).toBe(404);
    expect(answer.json()).toMatchObject({ error: { code: "AGENT_NOT_FOUND", namespaceCode: "crewdeck.not_found" } });
    expect(answer.json()["error"]).not.toHaveProperty("details");
  });

  test("[HT5] HEAD answers the headers of GET and no body", async () => {
    for (const path of ["/", "/health", "/status", "/api/agents", "/api/events"]) {
      const [head, get] = [await ask(server, "HEAD", path), await ask(server, "GET", path)];
      expect({ path, status: head.status, text: head.text }).toEqual({ path, status: get.status, text: "" });
      expect(head.headers["content-type"]).toBe(get.headers["content-type"]);
    }
  });

  test.each([
    ["GET", "/nothing-here"],
    ["GET", "/api/tools/agent_list"],
    ["PUT", "/api/tools/agent_list"],
    ["PATCH", "/api/events"],
    ["DELETE", "/health"],
    ["OPTIONS", "/api/me"],
    ["POST", "/"],
    ["GET", "/ws"],
    ["GET", "/mcp/pipe"],
  ])("[HT5] %s %s is 404 in the envelope", async (method, path) => {
    const answer = await ask(server, method, path);
    expect(answer.status).toBe(404);
    expect(answer.json()).toMatchObject({ ok: false, error: { code: "NOT_FOUND" }, _meta: meta });
  });
});

describe("routes", () => {
  const pathOf = (route: string): string => route.split(" ")[1] ?? "";
  const deckFiles = ["/", "/deck/*", "/icon.svg", "/assets/:part"];
  const isDeckFile = (path: string): boolean => deckFiles.includes(path);
  /** The page's own script: what else lies beside it has no address that a test could know. */
  const readScript = async (): Promise<string> =>
    /src="(\/assets\/[\w-]+\.js)"/.exec((await ask(server, "GET", "/", { token: null })).text)?.[1] ?? "";
  /** Not tools and not for scripts: they have no place in the published description. */
  const undocumented = [
    "login",
    "api/login",
    "api/login-link",
    "api/login/page",
    "api/logout",
    "api/me",
    "api/backup",
    "api/thresholds",
    "api/verify",
    "mcp",
  ];

  test("[CT24] a server that runs from source publishes what the definitions give", async () => {
    const { headers, text } = await ask(server, "GET", "/openapi.json");
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(text).toBe(deriveOpenApi());
  });

  test("[HT6] every other route is documented, and every documented route exists", async () => {
    const { routes } = await openServer();
    const published = (await ask(server, "GET", "/openapi.json")).json<{ paths: Record<string, object> }>();
    const documented = Object.entries(published.paths).flatMap(([path, verbs]) =>
      Object.keys(verbs).map((verb) => `${verb.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`),
    );
    const tools = documented.filter((route) => route.startsWith("POST /api/tools/"));
    const served = routes.filter((route) => {
      const path = pathOf(route);
      return !route.startsWith("HEAD") && !isDeckFile(path) && !undocumented.includes(path.slice(1));
    });

    expect(tools.length).toBeGreaterThan(10);
    const others = documented.filter((route) => !tools.includes(route));
    expect([...others, "GET /openapi.json", "POST /api/tools/:name"].sort()).toEqual(served.sort());
  });

  test("[HT3] every route but the open ones refuses without a valid token, all with the same words", async () => {
    const strict = await openServer();
    const { routes, house } = strict;
    const open = ["/health", "/login", "/api/setup/device", "/api/setup/device/poll"];
    const isOpen = (path: string): boolean => isDeckFile(path) || open.includes(path);
    const guarded = routes.filter((route) => !isOpen(pathOf(route)) && !route.startsWith("HEAD"));
    expect(guarded.length).toBeGreaterThan(15);
    const words = new Set<string>();
    for (const route of guarded) {
      const [method = "", url = ""] = route.split(" ");
      house.clock.advance(1_000); // Whoever fails more than twenty times a second is slowed down.
      for (const token of [null, "cdk_wrong"]) {
        const body = method === "POST" ? { tool: "agent_list" } : undefined;
        const answer = await ask(strict, method, url.replace(":name", "agent_list"), { token, body });
        const { error, data } = answer.json<{ error?: { code: string; message: string }; data?: { code: string } }>();
        expect({ route, status: answer.status, code: error?.code ?? data?.code }).toEqual({
          route,
          status: 401,
          code: "UNAUTHORIZED",
        });
        expect(answer.headers["www-authenticate"]).toBe('Bearer realm="crewdeck"');
        words.add(error?.message ?? String(answer.json()["message"]));
      }
    }
    expect([...words]).toEqual(["The call carries no valid token."]);
  });

  test.each(["Bearer", "bearer", "BEARER"])("[HT3] %s is the scheme of a token", async (scheme) => {
    const headers = { authorization: `${scheme} ${server.token}` };
    expect((await ask(server, "GET", "/api/agents", { token: null, headers })).status).toBe(200);
  });

  test("[HT3] what needs no token is answered without one", async () => {
    const { routes } = await openServer();
    expect(routes).toEqual(expect.arrayContaining(deckFiles.map((path) => `GET ${path}`)));
    const script = await readScript();
    for (const path of [...deckFiles.map((file) => file.replace("/assets/:part", script)), "/health"]) {
      expect({ path, status: (await ask(server, "GET", path, { token: null })).status }).toEqual({ path, status: 200 });
    }
    expect((await ask(server, "GET", "/assets/other.js", { token: null })).status).toBe(404);
    expect((await ask(server, "GET", "/login?code=x", { token: null })).status).toBe(303);
  });

  test("[HT7] every place inside the deck is answered with its page, packed for who can unpack it", async () => {
    const start = await ask(server, "GET", "/", { token: null });
    const place = await ask(server, "GET", "/deck/tasks/tk_1?as=list", { token: null });
    expect(start.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(place.text).toBe(start.text);
    const script = await readScript();
    const packed = await ask(server, "GET", script, { token: null, headers: { "accept-encoding": "gzip" } });
    expect(packed.headers).toMatchObject({ "content-encoding": "gzip", vary: "accept-encoding" });
    expect((await ask(server, "GET", script, { token: null })).headers["content-encoding"]).toBeUndefined();
  });

  test("[HT4] every route's answer carries the safety headers, granted or refused", async () => {
    const { routes } = await openServer();
    const script = await readScript();
    for (const route of [...routes, "GET /assets/other.js", "GET /nothing", "POST /api/tools/unknown"]) {
      const [method = "", url = ""] = route.split(" ");
      for (const token of [server.token, null]) {
        const body = method === "POST" ? {} : undefined;
        const address = url.replace(":name", "agent_list").replace("/assets/:part", script);
        const { headers } = await ask(server, method, address, { token, body });
        // A stream of MCP tells proxies more than not to store it; a file with its hash in its name never changes.
        const kept = expect.stringMatching(address === script ? /immutable/ : /no-(store|cache)/);
        expect({ route, headers }).toMatchObject({ route, headers: { ...safetyHeaders, "cache-control": kept } });
      }
    }
  });

  test.each([
    ["a path that cannot be decoded", "GET /%zz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 400],
    ["no HTTP at all", "nonsense\r\n\r\n", 400],
    ["headers over 16 KiB", `GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`, 431],
    [
      "an upgrade nobody answers",
      "GET /other HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n",
      404,
    ],
  ])("[HT2, HT4] %s is refused in the envelope with the safety headers", async (_what, bytes, status) => {
    const { text } = await sendBytes(server, bytes, isWholeAnswer);
    const [head = "", body = ""] = text.split("\r\n\r\n");
    expect(head).toContain(`HTTP/1.1 ${status} `);
    for (const [name, value] of Object.entries(safetyHeaders)) expect(head).toContain(`${name}: ${value}`);
    expect(JSON.parse(body)).toMatchObject({ ok: false, error: { message: expect.any(String) }, _meta: meta });
  });
});
