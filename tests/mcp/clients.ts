import {
  Client,
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import type { TestServer } from "../http/server.ts";
import { RawPipe } from "./pipe.ts";

export type Era = "legacy" | "modern";

export interface ClientOptions {
  readonly era: Era;
  readonly name?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What follows `/mcp` in the address. */
  readonly query?: string;
}

/** The official client over streamable HTTP. */
export async function connectHttp(server: TestServer, options: ClientOptions): Promise<Client> {
  const { token = server.token, headers, query = "" } = options;
  const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp${query}`), {
    requestInit: { headers: { authorization: `Bearer ${token}`, ...headers } },
  });
  return connect(transport, options);
}

/** The official client over the pipe. */
export async function connectPipe(server: TestServer, options: ClientOptions): Promise<Client> {
  const { token = server.token, headers, query = "" } = options;
  const pipe = await RawPipe.open(server, { token, path: `/mcp/pipe${query}`, ...(headers ? { headers } : {}) });
  return connect(new PipeTransport(pipe), options);
}

export type Connect = (server: TestServer, options?: Omit<ClientOptions, "era">) => Promise<Client>;

const way = (name: string, connectBy: typeof connectHttp, era: Era): { name: string; era: Era; connect: Connect } => ({
  name,
  era,
  connect: (server, options) => connectBy(server, { ...options, era }),
});

/** Every way an MCP client can come in. */
export const ways = [
  way("HTTP with handshake", connectHttp, "legacy"),
  way("HTTP without handshake", connectHttp, "modern"),
  way("pipe with handshake", connectPipe, "legacy"),
  way("pipe without handshake", connectPipe, "modern"),
] as const;

async function connect(transport: Transport, { era, name = "test" }: ClientOptions): Promise<Client> {
  const client = new Client(
    { name, version: "1" },
    { versionNegotiation: { mode: era === "legacy" ? "legacy" : { pin: "2026-07-28" } } },
  );
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

class PipeTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #pipe: RawPipe;

  constructor(pipe: RawPipe) {
    this.#pipe = pipe;
  }

  async start(): Promise<void> {
    void this.#pipe.closed.then(() => this.onclose?.());
    const received = this.#pipe.received;
    received.push = (...messages) => {
      for (const message of messages) this.onmessage?.(message as JSONRPCMessage);
      return received.length;
    };
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#pipe.send(message);
  }

  async close(): Promise<void> {
    this.#pipe.close();
  }
}

/** The text of an answer's first content, read as JSON. */
export function payloadOf(result: { content?: unknown }): unknown {
  const [first] = (result.content ?? []) as { text?: string }[];
  return JSON.parse(first?.text ?? "undefined");
}
