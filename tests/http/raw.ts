import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { patienceMs } from "../../src/testing/waiting.ts";
import type { TestServer } from "./server.ts";

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body read as JSON; fails the test when it is none. */
  json<T = Record<string, unknown>>(): T;
}

export interface Ask {
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent as JSON unless it is text or bytes already. */
  readonly body?: unknown;
  /** Another token than the owner's; null for none. */
  readonly token?: string | null;
}

/** One request exactly as it is asked for: unlike fetch it sends any Host, Origin or header. */
export function ask(
  server: Pick<TestServer, "url" | "token">,
  method: string,
  path: string,
  options: Ask = {},
): Promise<Answer> {
  const { body, token = server.token } = options;
  const isRaw = typeof body === "string" || body instanceof Uint8Array;
  const payload = body === undefined || isRaw ? body : JSON.stringify(body);
  const headers = {
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(payload === undefined
      ? {}
      : { "content-type": "application/json", "content-length": Buffer.byteLength(payload) }),
    ...options.headers,
  };
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    const request = httpRequest({ hostname, port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        const { statusCode = 0 } = response;
        resolve({ status: statusCode, headers: response.headers, text, json: () => JSON.parse(text) as never });
      });
    });
    request.on("error", reject);
    request.end(payload);
  });
}

/** Calls a tool over `/api/tools` and answers its result; a refusal fails the test. */
export async function callTool<T = Record<string, unknown>>(
  server: Pick<TestServer, "url" | "token">,
  tool: string,
  args: unknown = {},
  options: Ask = {},
): Promise<T> {
  const answer = await ask(server, "POST", `/api/tools/${tool}`, { ...options, body: args });
  const envelope = answer.json<{ ok: boolean; result: T }>();
  if (!envelope.ok) throw new Error(`${tool} was refused: ${answer.text}`);
  return envelope.result;
}

/** A developer with a token of their own. */
export async function addDeveloper(
  server: Pick<TestServer, "url" | "token">,
  handle: string,
  options: { private?: boolean; agentType?: string } = {},
): Promise<{ token: string; tokenId: string }> {
  await callTool(server, "developer_create", { handle, private: options.private ?? false });
  return addToken(server, { developer: handle, ...(options.agentType ? { agent_type: options.agentType } : {}) });
}

export async function addToken(
  server: Pick<TestServer, "url" | "token">,
  args: Record<string, unknown> = {},
): Promise<{ token: string; tokenId: string }> {
  const { id, token } = await callTool<{ id: string; token: string }>(server, "token_create", args);
  return { token, tokenId: id };
}

/** One answer with all of its body: for connections that the server keeps open for the next request. */
export function isWholeAnswer(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  const length = Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? 0);
  return end !== -1 && text.length - end - 4 >= length;
}

/** Sends bytes as they are and answers everything that comes back until the server closes, or until it is enough. */
export function sendBytes(
  server: Pick<TestServer, "url">,
  bytes: string | Uint8Array,
  isEnough: (text: string) => boolean = () => false,
): Promise<{ text: string; wasClosed: boolean }> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(bytes));
    const chunks: Buffer[] = [];
    const text = () => Buffer.concat(chunks).toString("latin1");
    const finish = (wasClosed: boolean) => {
      socket.destroy();
      resolve({ text: text(), wasClosed });
    };
    socket.setTimeout(patienceMs, () => finish(false));
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      if (isEnough(text())) finish(false);
    });
    socket.on("error", () => finish(true));
    socket.on("close", () => finish(true));
  });
}
