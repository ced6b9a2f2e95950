import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../src/testing/waiting.ts";
import { addToken, ask, callTool } from "../http/raw.ts";
import { type OpenServer, openServer } from "../http/routes.ts";

const mib = 1024 * 1024;
/** The JSON of a call, as long as is wanted. */
const bodyOf = (bytes: number, more: object = {}): string => {
  const bare = JSON.stringify({ tool: "agent_list", arguments: {}, ...more, pad: "" });
  return bare.replace('"pad":""', `"pad":"${"x".repeat(Math.max(0, bytes - bare.length))}"`);
};

function open(server: OpenServer): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => resolve(socket));
    socket.once("error", reject).on("error", () => undefined);
    onTestFinished(() => void socket.destroy());
  });
}

/** Sends all of a body but its last byte, and answers the status if one comes nevertheless. */
async function stall(server: OpenServer, path: string, bytes: number, token?: string): Promise<() => string> {
  const socket = await open(server);
  let answer = "";
  socket.on("data", (chunk) => {
    answer += String(chunk);
  });
  const auth = token === undefined ? "" : `Authorization: Bearer ${token}\r\n`;
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${auth}Content-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;
  await new Promise((resolve) => void socket.write(head + bodyOf(bytes).slice(0, -1), resolve));
  return () => answer.split(" ")[1] ?? "";
}

test("[SE53] strangers' bodies that stall take a few megabytes together, and callers with a token are served", async () => {
  const server = await openServer();
  const before = process.memoryUsage().external;
  const paths = ["/api/tools/agent_list", "/api/mcp", "/mcp", "/api/login", "/api/setup/device"];
  await Promise.all(Array.from({ length: 60 }, (_, count) => stall(server, paths[count % 5] ?? "", 8 * mib - 1)));
  const full = await Promise.all(Array.from({ length: 160 }, () => stall(server, "/api/login", 64 * 1024)));
  // Those for whom there is no room are told so; the others hold all of what strangers may.
  await until(() => full.filter((status) => status() === "429").length >= 30);
  expect(process.memoryUsage().external - before).toBeLessThan(60 * mib);
  expect(await callTool(server, "agent_list")).toEqual({ agents: [] });
});

test("[SE53] one token's bodies that stall leave room for the others", async () => {
  const server = await openServer();
  const { token } = await addToken(server);
  const greedy = await Promise.all(
    Array.from({ length: 12 }, () => stall(server, "/api/tools/agent_list", 8 * mib - 1, token)),
  );
  await until(() => greedy.some((status) => status() === "429"));
  const { status } = await ask(server, "POST", "/api/mcp", { body: bodyOf(7 * mib) });
  expect(status).toBe(200);
});

test.each([
  ["a large body without a token", "/api/tools/agent_list", mib, 401],
  ["a large body without a token for MCP", "/mcp", mib, 401],
  ["a body of less than 64 KiB without a token", "/api/tools/agent_list", 60 * 1024, 401],
  ["more than 64 KiB to sign in with", "/api/login", mib, 413],
  ["a mebibyte with the token inside", "/api/mcp", mib - 1, 200],
  ["more than that with the token inside", "/api/mcp", mib + 1, 413],
])("[SE53] %s", async (_what, path, bytes, expected) => {
  const server = await openServer();
  const answer = await ask(server, "POST", path, { token: null, body: bodyOf(bytes, { token: server.token }) });
  expect(answer.status).toBe(expected);
  if (expected === 413) expect(answer.text).toMatch(/at most (65536|1048576) bytes/);
});

test("[SE54] many connections that say nothing are let go, the oldest first, and none that has shown a token", async () => {
  const server = await openServer();
  const known = await open(server);
  let answer = "";
  known.on("data", (chunk) => {
    answer += String(chunk);
  });
  const asks = (): Promise<void> => {
    answer = "";
    known.write(`GET /api/me HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${server.token}\r\n\r\n`);
    return until(() => answer.includes('"ok":true'));
  };
  await asks();
  const silent: Socket[] = [];
  const more = async (count: number): Promise<void> => {
    for (const socket of await Promise.all(Array.from({ length: count }, () => open(server)))) {
      silent.push(socket.resume());
    }
    await ask(server, "GET", "/health");
  };
  for (let count = 0; count < 10; count += 1) await more(100);
  // Nobody is sent away in their first second, so the rest comes until somebody has been.
  await until(async () => {
    await more(10);
    return silent[0]?.closed === true;
  });
  expect(silent.at(-1)?.closed).toBe(false);
  await asks();
});
