import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { ask, callTool, isWholeAnswer, sendBytes } from "../http/raw.ts";
import { type OpenServer, openServer } from "../http/routes.ts";
import { pipeStatus } from "../mcp/pipe.ts";
import { expectNoTrace } from "./canary.ts";

const register = { name: "Intruder", runtime: "custom" };
/** The same call in the shape of whichever route it is sent to. */
const anyCall = { ...register, tool: "agent_register", arguments: register };
const foreign = [
  "https://evil.example",
  "http://127.0.0.1",
  "http://localhost:1",
  "null",
  "file://",
  "chrome-extension://x",
  "",
];

const posts = (server: OpenServer): string[] =>
  server.routes
    .filter((route) => route.startsWith("POST "))
    .map((route) => route.slice(5).replace(":name", "agent_register"));

async function cookieOf(server: OpenServer): Promise<string> {
  const answer = await ask(server, "POST", "/api/login", { token: null, body: { token: server.token } });
  return answer.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
}

describe("other origins", () => {
  test("[SE20] every route refuses a page of another origin, with a cookie or with a token", async () => {
    const server = await openServer();
    const cookie = await cookieOf(server);
    await expectNoTrace(server, async () => {
      for (const origin of foreign) {
        for (const path of posts(server)) {
          const withCookie = await ask(server, "POST", path, {
            token: null,
            headers: { cookie, origin },
            body: register,
          });
          const withToken = await ask(server, "POST", path, { headers: { origin }, body: register });
          expect([origin, path, withCookie.status, withToken.status]).toEqual([origin, path, 403, 403]);
        }
        expect((await ask(server, "GET", "/api/agents", { token: null, headers: { cookie, origin } })).status).toBe(
          403,
        );
      }
    });
  });

  test("[SE20] a cookie without any origin changes nothing", async () => {
    const server = await openServer();
    const cookie = await cookieOf(server);
    await expectNoTrace(server, async () => {
      for (const path of posts(server)) {
        const { status } = await ask(server, "POST", path, { token: null, headers: { cookie }, body: anyCall });
        // MCP does not even look at cookies, and signing in wants a token.
        expect([path, status]).toEqual([path, path === "/mcp" || path === "/api/login" ? 401 : 403]);
      }
    });
  });

  test("[SE26] no answer allows another origin to read it, preflight or not", async () => {
    const server = await openServer();
    for (const path of posts(server)) {
      const headers = {
        origin: "https://evil.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization",
      };
      for (const method of ["OPTIONS", "POST"]) {
        const answer = await ask(server, method, path, { headers });
        expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
        expect(answer.status).toBe(403);
      }
    }
  });

  test("[SE21] nothing but JSON is read, on any route", async () => {
    const server = await openServer();
    const body = JSON.stringify(anyCall);
    const types = [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/json5",
      "",
    ];
    await expectNoTrace(server, async () => {
      for (const path of posts(server)) {
        for (const type of types) {
          const { status } = await ask(server, "POST", path, { body, headers: { "content-type": type } });
          expect([path, type, status]).toEqual([path, type, 415]);
        }
      }
    });
  });

  test("[SE22] no GET or HEAD changes the work", async () => {
    const server = await openServer();
    await callTool(server, "agent_register", register);
    const reads = server.routes.filter((route) => /^(GET|HEAD) /.test(route));
    expect(reads.length).toBeGreaterThan(15);
    await expectNoTrace(server, async () => {
      for (const route of reads) {
        const [method = "", path = ""] = route.split(" ");
        const query = "name=x&tool=agent_register&arguments={}&id=x&code=x&file=/tmp/x&status=offline";
        for (const url of [path, `${path}?${query}`])
          await ask(server, method, url, { headers: { accept: "text/event-stream" } });
      }
    });
  });

  test("[SE22] HEAD on a sign-in link does not use it up", async () => {
    const server = await openServer();
    const { url } = (await ask(server, "POST", "/api/login-link")).json<{ result: { url: string } }>().result;
    const link = url.slice(server.url.length);
    expect((await ask(server, "HEAD", link, { token: null })).headers["set-cookie"]).toBeUndefined();
    expect((await ask(server, "GET", link, { token: null })).headers.location).toBe("/");
  });

  test("[SE27] signing in leads to the deck and nowhere else", async () => {
    const server = await openServer();
    const places = [
      "//evil.example",
      "https://evil.example",
      "javascript:alert(1)",
      "/\\evil.example",
      "%0d%0aX-Evil:1",
    ];
    for (const place of places) {
      for (const name of ["next", "redirect", "return_to", "url", "code"]) {
        const answer = await ask(server, "GET", `/login?${name}=${encodeURIComponent(place)}`, { token: null });
        expect([answer.status, answer.headers.location]).toEqual([303, "/?signin=expired"]);
      }
    }
  });
});

describe("other hosts", () => {
  const hosts = [
    "evil.example",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "evil.example:80",
    "127.0.0.2",
    "10.0.0.1",
    "[::2]",
    "localhost@evil.example",
    "127.1",
    "0x7f000001",
    "2130706433",
    "0",
    "localhost.",
    "localhost:99999999",
    "127.0.0.1, evil.example",
    "local host",
  ];

  test.each(hosts)("[SE23] the host %j is refused before anything is looked up", async (host) => {
    const server = await openServer();
    await expectNoTrace(server, async () => {
      for (const path of ["/", "/health", "/api/agents", "/nothing"]) {
        expect([path, (await ask(server, "GET", path, { headers: { host } })).status]).toEqual([path, 403]);
      }
      expect(
        (await ask(server, "POST", "/api/tools/agent_register", { headers: { host }, body: register })).status,
      ).toBe(403);
      expect(await pipeStatus(server, { headers: { host } })).toBe(403);
    });
  });

  test("[SE23] our own names are answered, with any port and case", async () => {
    const server = await openServer();
    const { port } = new URL(server.url);
    for (const host of [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      "LOCALHOST",
      "[::1]:5",
      "deck.example",
      "Deck.Example:443",
    ]) {
      expect([host, (await ask(server, "GET", "/health", { headers: { host } })).status]).toEqual([host, 200]);
    }
  });

  test("[SE23] forwarded hosts are not believed, and absolute addresses are refused", async () => {
    const server = await openServer();
    const forwarded = { "x-forwarded-host": "127.0.0.1", forwarded: "host=127.0.0.1", host: "evil.example" };
    expect((await ask(server, "GET", "/health", { headers: forwarded })).status).toBe(403);
    const { host } = new URL(server.url);
    for (const target of [`http://${host}/health`, "http://evil.example/health", "*", "evil.example:80"]) {
      const { text } = await sendBytes(server, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect([target, text.split(" ")[1]]).toEqual([target, expect.stringMatching(/^40[034]$/)]);
    }
    const twice = `GET /health HTTP/1.1\r\nHost: ${host}\r\nHost: evil.example\r\n\r\n`;
    expect((await sendBytes(server, twice, isWholeAnswer)).text.split(" ")[1]).toBe("403");
    expect((await sendBytes(server, "GET /health HTTP/1.1\r\n\r\n", isWholeAnswer)).text.split(" ")[1]).toBe("400");
  });
});

describe("sockets", () => {
  const openSocket = (server: OpenServer, path: string, headers: Record<string, string>): Promise<string> =>
    new Promise((resolve) => {
      const socket = new WebSocket(`${server.url.replace("http", "ws")}${path}`, { headers });
      socket.once("open", () => {
        socket.terminate();
        resolve("open");
      });
      socket.once("error", (error) => resolve(error.message));
    });

  test("[SE24] a socket or pipe is refused before it opens", async () => {
    const server = await openServer();
    const auth = { authorization: `Bearer ${server.token}` };
    const cases: [Record<string, string>, string, number][] = [
      [{}, "", 401],
      [{ authorization: "Bearer x" }, "", 401],
      [{}, `?token=${server.token}`, 401],
      [{}, `?access_token=${server.token}`, 401],
      [{ ...auth, origin: "https://evil.example" }, "", 403],
      [{ ...auth, origin: "null" }, "", 403],
      [{ ...auth, host: "evil.example" }, "", 403],
    ];
    for (const [headers, query, status] of cases) {
      expect(await openSocket(server, `/ws${query}`, headers)).toBe(`Unexpected server response: ${status}`);
      expect(await pipeStatus(server, { token: null, headers, path: `/mcp/pipe${query}` })).toBe(status);
    }
    expect(await openSocket(server, "/ws", auth)).toBe("open");
    expect(await openSocket(server, "/ws/other", auth)).toBe("Unexpected server response: 404");
    expect(await pipeStatus(server, { headers: { upgrade: "other" } })).toBe(400);
  });

  test("[SE24] the deck's cookie opens the socket for the deck's own page only", async () => {
    const server = await openServer();
    const cookie = await cookieOf(server);
    expect(await openSocket(server, "/ws", { cookie, origin: server.url })).toBe("open");
    expect(await openSocket(server, "/ws", { cookie, origin: "https://evil.example" })).toContain("403");
  });

  test("[SE25] a frame that announces 200 MiB ends the connection before it comes", async () => {
    const server = await openServer();
    const { hostname, port } = new URL(server.url);
    const closed = await new Promise<Buffer>((resolve) => {
      const socket = connect({ host: hostname, port: Number(port) });
      const parts: Buffer[] = [];
      socket.write(
        `GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${server.token}\r\nConnection: Upgrade\r\n` +
          `Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}\r\n\r\n`,
      );
      socket.on("data", (chunk) => {
        parts.push(chunk);
        if (parts.length > 1) return;
        const head = Buffer.alloc(14);
        head.writeUInt8(0x81, 0);
        head.writeUInt8(0xff, 1);
        head.writeBigUInt64BE(200n * 1024n * 1024n, 2);
        socket.write(head);
      });
      socket.on("close", () => resolve(Buffer.concat(parts)));
    });
    expect(closed.subarray(-2).readUInt16BE() === 1009 || closed.includes(Buffer.from([0x03, 0xf1]))).toBe(true);
  });
});
