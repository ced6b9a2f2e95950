import { type Answer, type Ask, ask } from "../http/raw.ts";
import type { TestServer } from "../http/server.ts";
import { type Message, modernMeta } from "./pipe.ts";

export interface Posted {
  readonly status: number;
  readonly headers: Answer["headers"];
  /** The last message of the answer, be it JSON or a stream. */
  readonly message: Message;
  readonly messages: readonly Message[];
}

/** One body to `/mcp`, as a client of the handshake era sends it. */
export async function postMcp(
  server: Pick<TestServer, "url" | "token">,
  body: unknown,
  options: Ask & { path?: string } = {},
): Promise<Posted> {
  const headers = { accept: "application/json, text/event-stream", ...options.headers };
  const answer = await ask(server, "POST", options.path ?? "/mcp", { ...options, headers, body });
  const messages = messagesIn(answer);
  return { status: answer.status, headers: answer.headers, messages, message: messages.at(-1) ?? { jsonrpc: "" } };
}

/** The same for the stateless era: each request says everything about itself, in its body and in its headers. */
export function postModern(
  server: Pick<TestServer, "url" | "token">,
  request: { id: string | number; method: string; params?: Record<string, unknown> },
  options: Ask = {},
): Promise<Posted> {
  const { name, _meta } = (request.params ?? {}) as { name?: unknown; _meta?: object };
  const params = { ...request.params, _meta: { ...modernMeta, ..._meta } };
  const headers = {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": request.method,
    ...(typeof name === "string" ? { "mcp-name": name } : {}),
    ...options.headers,
  };
  return postMcp(server, { jsonrpc: "2.0", ...request, params }, { ...options, headers });
}

function messagesIn({ headers, text }: Answer): Message[] {
  if (!String(headers["content-type"]).startsWith("text/event-stream"))
    return text === "" ? [] : [JSON.parse(text) as Message];
  return text
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .map((line) => JSON.parse(line.slice("data: ".length)) as Message);
}
