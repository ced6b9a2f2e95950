import { expect, test } from "vitest";
import { ask } from "../http/raw.ts";
import { useServer } from "../http/server.ts";
import { postMcp, postModern } from "./post.ts";

const server = useServer();
const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
const handshake = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };

interface Refused {
  readonly error: { readonly code: number; readonly message: string; readonly data: Record<string, unknown> };
}

test("[MC7] what is refused at /mcp before any server sees it has a code of the registry too", async () => {
  const opened = await postMcp(server, { ...ping, method: "initialize", params: handshake });
  const headers = { "mcp-session-id": String(opened.headers["mcp-session-id"]) };
  const accept = "application/json";
  const answers = [
    await ask(server, "POST", "/mcp", { headers: { ...headers, accept }, body: ping }),
    await ask(server, "GET", "/mcp", { headers: { ...headers, accept } }),
    await ask(server, "POST", "/mcp", {
      headers: { ...headers, accept: `${accept}, text/event-stream`, "mcp-protocol-version": "1999-01-01" },
      body: ping,
    }),
    await ask(server, "DELETE", "/mcp"),
  ];
  expect(answers.map(({ status }) => status)).toEqual([406, 406, 400, 405]);
  for (const { error } of answers.map((answer) => answer.json<Refused>())) {
    expect(error.data).toEqual({ code: "INVALID_REQUEST", message: error.message });
  }
});

test("[MC7] the stateless era's own refusals keep what they say and get the code", async () => {
  const headers = { "mcp-method": "tools/list" };
  const { status, message } = await postModern(server, { id: 7, method: "server/discover" }, { headers });
  expect(status).toBe(400);
  expect([message.id, message.error?.data]).toMatchObject([7, { code: "INVALID_REQUEST", mismatch: {} }]);
});
