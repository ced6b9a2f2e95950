import { request as httpRequest } from "node:http";
import type { Duplex } from "node:stream";
import type { TestServer } from "../http/server.ts";

export interface Message {
  readonly jsonrpc: string;
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { code: number; message: string; data?: Record<string, unknown> };
}

export interface PipeOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
  readonly token?: string | null;
}

export class PipeRefused extends Error {
  readonly status: number;
  readonly body: string;

  constructor(status: number, body: string) {
    super(`the pipe was refused with ${status}`);
    this.status = status;
    this.body = body;
  }
}

/** The other end of `/mcp/pipe`: writes frames as they are given, keeps what comes back in order. */
export class RawPipe {
  readonly socket: Duplex;
  readonly received: Message[] = [];
  /** Resolves when the server has ended the connection. */
  readonly closed: Promise<void>;
  readonly #waiting = new Set<() => void>();
  #rest = "";

  constructor(socket: Duplex, head: Buffer) {
    this.socket = socket;
    this.closed = new Promise((resolve) => socket.once("close", () => resolve()));
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#wake());
    socket.setEncoding("utf8");
    socket.on("data", (text: string) => this.#take(text));
    if (head.length > 0) this.#take(head.toString("utf8"));
  }

  static open(server: Pick<TestServer, "url" | "token">, options: PipeOptions = {}): Promise<RawPipe> {
    const { token = server.token, path = "/mcp/pipe" } = options;
    return new Promise((resolve, reject) => {
      const asking = httpRequest(`${server.url}${path}`, {
        headers: {
          connection: "Upgrade",
          upgrade: "crewdeck-pipe",
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...options.headers,
        },
        agent: false,
      });
      asking.once("error", reject);
      asking.once("upgrade", (_response, socket, head) => resolve(new RawPipe(socket, head)));
      asking.once("response", (response) => {
        let body = "";
        response.setEncoding("utf8").on("data", (part: string) => {
          body += part;
        });
        response.on("end", () => reject(new PipeRefused(response.statusCode ?? 0, body)));
      });
      asking.end();
    });
  }

  /** Text goes out as it is, with a newline; anything else as JSON. */
  send(frame: unknown): void {
    this.socket.write(`${typeof frame === "string" ? frame : JSON.stringify(frame)}\n`);
  }

  sendBytes(bytes: Uint8Array): void {
    this.socket.write(bytes);
  }

  /** Sends a request and waits for its answer. */
  async request(id: string | number, method: string, params?: unknown): Promise<Message> {
    this.send({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) });
    return this.answerTo(id);
  }

  notify(method: string, params?: unknown): void {
    this.send({ jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) });
  }

  async handshake(protocolVersion = "2025-11-25", clientName = "test"): Promise<Message> {
    const answer = await this.request("handshake", "initialize", {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: clientName, version: "1" },
    });
    this.notify("notifications/initialized");
    return answer;
  }

  callTool(id: string | number, name: string, args: unknown = {}, meta?: Record<string, unknown>): Promise<Message> {
    return this.request(id, "tools/call", { name, arguments: args, ...(meta ? { _meta: meta } : {}) });
  }

  answerTo(id: string | number | null): Promise<Message> {
    return this.until((message) => message.method === undefined && message.id === id);
  }

  /** Waits for the first message, received or still to come, that fits. */
  async until(isWanted: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = this.received.find(isWanted);
      if (found) return found;
      if (this.socket.destroyed) throw new Error("the pipe was closed before the message came");
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  close(): void {
    this.socket.destroy();
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.received.push(JSON.parse(line) as Message);
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

/** The status with which a pipe is refused, or 101. */
export async function pipeStatus(server: Pick<TestServer, "url" | "token">, options: PipeOptions): Promise<number> {
  try {
    (await RawPipe.open(server, options)).close();
    return 101;
  } catch (error) {
    if (error instanceof PipeRefused) return error.status;
    throw error;
  }
}

/** What every request of the stateless era says about itself. */
export const modernMeta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
} as const;
