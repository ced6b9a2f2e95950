import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import type { TestServer } from "./server.ts";

export interface LiveEvent {
  readonly event: string;
  readonly kind: string;
  readonly subject: string;
  readonly data: Record<string, unknown>;
  readonly cursor: string;
  readonly ts: string;
}

export interface Subscription {
  readonly subscribe?: readonly string[];
  readonly after?: string | undefined;
}

/** The other end of `/ws`: keeps what it hears and remembers its place. */
export class LiveClient {
  readonly heard: LiveEvent[] = [];
  readonly socket: WebSocket;
  /** The code the connection was closed with. */
  readonly closed: Promise<number>;
  readonly #waiting = new Set<() => void>();

  constructor(socket: WebSocket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("message", (data) => this.#take(JSON.parse(String(data)) as LiveEvent));
    socket.on("close", () => this.#wake());
    socket.on("error", () => undefined);
  }

  /** Connects, and subscribes to everything from now on unless told otherwise. */
  static async open(
    server: Pick<TestServer, "url" | "token">,
    { subscribe = ["*"], after }: Subscription = {},
    token = server.token,
  ): Promise<LiveClient> {
    const socket = new WebSocket(`${server.url.replace("http", "ws")}/ws`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const client = new LiveClient(socket);
    onTestFinished(() => socket.terminate());
    await new Promise<void>((resolve, reject) => {
      socket.once("open", () => resolve());
      socket.once("error", reject);
    });
    client.send({ subscribe, ...(after === undefined ? {} : { after }) });
    return client;
  }

  send(message: unknown): void {
    this.socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  get lastCursor(): string | undefined {
    return this.heard.at(-1)?.cursor;
  }

  /** Waits until something heard, or still to come, fits. */
  async until(isWanted: (event: LiveEvent) => boolean): Promise<LiveEvent> {
    for (;;) {
      const found = this.heard.find(isWanted);
      if (found) return found;
      if (this.socket.readyState === WebSocket.CLOSED) throw new Error("closed before the event came");
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  close(): Promise<number> {
    this.socket.close();
    return this.closed;
  }

  #take(event: LiveEvent): void {
    this.heard.push(event);
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
