import { connect, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { letPass } from "../../src/testing/waiting.ts";
import { ask, isWholeAnswer, sendBytes } from "../http/raw.ts";
import { type OpenServer, openServer } from "../http/routes.ts";
import { useServer } from "../http/server.ts";
import { expectNoTrace } from "./canary.ts";

const shared = useServer();
const body = '{"name":"Smuggled","runtime":"custom"}';

const headOf = (server: Pick<OpenServer, "token">, lines: readonly string[]): string =>
  [
    "POST /api/tools/agent_register HTTP/1.1",
    "Host: 127.0.0.1",
    `Authorization: Bearer ${server.token}`,
    "Content-Type: application/json",
    ...lines,
    "",
    "",
  ].join("\r\n");

describe("requests that can be read in two ways", () => {
  const forms: [string, (server: OpenServer) => string][] = [
    [
      "a length and chunks",
      (server) => `${headOf(server, ["Content-Length: 5", "Transfer-Encoding: chunked"])}0\r\n\r\n`,
    ],
    ["two lengths", (server) => `${headOf(server, ["Content-Length: 38", "Content-Length: 0"])}${body}`],
    ["two lengths in one header", (server) => `${headOf(server, ["Content-Length: 38, 38"])}${body}`],
    ["a length with a sign", (server) => `${headOf(server, ["Content-Length: +38"])}${body}`],
    ["a length in hex", (server) => `${headOf(server, ["Content-Length: 0x26"])}${body}`],
    ["a broken chunk size", (server) => `${headOf(server, ["Transfer-Encoding: chunked"])}ZZ\r\n${body}\r\n0\r\n\r\n`],
    [
      "a negative chunk size",
      (server) => `${headOf(server, ["Transfer-Encoding: chunked"])}-1\r\n${body}\r\n0\r\n\r\n`,
    ],
    ["an unknown transfer coding", (server) => `${headOf(server, ["Transfer-Encoding: chunked, x"])}0\r\n\r\n`],
    ["a blank before the colon", (server) => `${headOf(server, ["Content-Length : 38"])}${body}`],
    ["a bare newline in a header", (server) => `${headOf(server, ["X: a\nContent-Length: 38"])}${body}`],
    ["a bare carriage return", (server) => `${headOf(server, ["X: a\rContent-Length: 38"])}${body}`],
    ["a NUL in a header", (server) => `${headOf(server, ["X: a\u0000b", "Content-Length: 38"])}${body}`],
    ["a folded header", (server) => `${headOf(server, ["X: a", " Content-Length: 38"])}${body}`],
    ["a header of 20 KiB", (server) => `${headOf(server, [`X: ${"x".repeat(20_480)}`, "Content-Length: 38"])}${body}`],
    [
      "ten thousand headers",
      (server) =>
        `${headOf(
          server,
          Array.from({ length: 10_000 }, () => "X: y"),
        )}`,
    ],
    ["another version of HTTP", (server) => headOf(server, []).replace("HTTP/1.1", "HTTP/9.9")],
    ["no version", (server) => headOf(server, []).replace(" HTTP/1.1", "")],
  ];

  test.each(forms)("[SE30] %s is refused and the connection is closed", async (_what, form) => {
    const server = await openServer();
    await expectNoTrace(server, async () => {
      const { text, wasClosed } = await sendBytes(server, form(server));
      expect([text.slice(0, 12), wasClosed]).toEqual([expect.stringMatching(/^HTTP\/1\.1 4\d\d$/), true]);
      expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    });
  });

  test("[SE30] what follows a refused request on the same connection is not read", async () => {
    const server = await openServer();
    const smuggled = `${headOf(server, [`Content-Length: ${body.length}`])}${body}`;
    await expectNoTrace(server, async () => {
      const first = headOf(server, ["Content-Length: 6", "Transfer-Encoding: chunked"]);
      await sendBytes(server, `${first}0\r\n\r\n${smuggled}`);
    });
  });

  test("[SE30] a well-formed request in the same bytes is served, so that the above means something", async () => {
    const server = await openServer();
    const { text } = await sendBytes(
      server,
      `${headOf(server, [`Content-Length: ${body.length}`, "Connection: close"])}${body}`,
    );
    expect(text).toContain("HTTP/1.1 200 OK");
  });
});

describe("bodies that lie", () => {
  test("[SE32] a body of 100 MiB is refused by its announcement", async () => {
    const server = await openServer();
    const { text } = await sendBytes(server, headOf(server, [`Content-Length: ${100 * 1024 * 1024}`]), isWholeAnswer);
    expect(text).toContain("HTTP/1.1 413");
  });

  test("[SE32] a compressed body is refused before it is read", async () => {
    const server = await openServer();
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    for (const encoding of ["gzip", "deflate", "br", "identity", "x"]) {
      const { text } = await sendBytes(
        server,
        headOf(server, [`Content-Length: ${bomb.length}`, `Content-Encoding: ${encoding}`]),
        isWholeAnswer,
      );
      expect(text).toContain("HTTP/1.1 415");
    }
  });

  test("[SE32] what is sent beyond the announced length is no request", async () => {
    const server = await openServer();
    await expectNoTrace(server, async () => {
      const { text, wasClosed } = await sendBytes(server, `${headOf(server, ["Content-Length: 2"])}{}${body}`);
      expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400"]);
      expect(wasClosed).toBe(true);
    });
  });
});

describe("slow senders", () => {
  const openSocket = (): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(shared.url);
      const socket = connect({ host: hostname, port: Number(port) }, () => resolve(socket));
      socket.once("error", reject);
      socket.on("error", () => undefined);
      socket.resume();
    });

  /** Writes a byte now and then until the server has had enough; answers after how many milliseconds that was. */
  async function drip(head: string): Promise<number> {
    const socket = await openSocket();
    const begun = performance.now();
    const closed = new Promise<void>((resolve) => void socket.once("close", () => resolve()));
    socket.write(head);
    const timer = setInterval(() => socket.write("x"), 500);
    await closed;
    clearInterval(timer);
    return performance.now() - begun;
  }

  test("[SE31] drops of a head or of a body and thousands of silent sockets are ended, and others are served", async () => {
    const begun = performance.now();
    const silent: Socket[] = [];
    while (silent.length < 3_000) {
      silent.push(...(await Promise.all(Array.from({ length: 100 }, openSocket))));
      // Connections are accepted in turn: once this is answered, those before it have been accepted too.
      await ask(shared, "GET", "/health");
    }
    const gone = Promise.all(
      silent.map(async (socket) => {
        if (!socket.closed) await new Promise((resolve) => void socket.once("close", resolve));
      }),
    );
    const drips = Promise.all([
      drip("POST /api/mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "),
      drip(headOf(shared, ["Content-Length: 100000"])),
    ]);
    for (let count = 0; count < 20; count += 1) {
      expect((await ask(shared, "GET", "/api/me")).status).toBe(200);
      await letPass(100, "the calls are spread over the time that the slow ones take");
    }
    const took = (await drips).map((ms) => Math.round(ms / 1_000));
    await gone;
    const silentFor = Math.round((performance.now() - begun) / 1_000);
    process.stdout.write(
      `slow head and body ended after ${took.join(" and ")} s; 3000 silent sockets after ${silentFor} s at most\n`,
    );
    expect((await ask(shared, "GET", "/api/me")).status).toBe(200);
  });
});
