import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as pass } from "node:timers/promises";
import { type WebSocket, WebSocketServer } from "ws";
import { z } from "zod";
import type { Caller } from "../../contract/caller.ts";
import { failureOf } from "../../contract/envelope.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { House } from "../../engine/house.ts";
import { newId } from "../../engine/sources.ts";
import { followEvents } from "../../engine/view.ts";
import { parseJson } from "../json-guard.ts";
import { chooseProtocol } from "./identity.ts";
import { RateLimit } from "./rate-limit.ts";

const Subscribe = z.strictObject({
  subscribe: z.array(z.string().min(1).max(200)).min(1).max(1_000),
  after: z.string().min(1).max(200).optional(),
});

const largestMessage = 256 * 1024;
/** A reader that is further behind than this is let go; it comes back with its last cursor and misses nothing. */
const mostUnread = 8 * 1024 * 1024;
/** Who reads nothing does not read the goodbye either, and what is unread is kept until the connection is gone. */
const goodbyeMs = 2_000;
/** What is stored is read no faster than it is taken. */
const mostAhead = 1024 * 1024;
const takenEveryMs = 20;
const pingEveryMs = 30_000;
/** Each subscription reads the ledger; this is more than any deck sends. */
const subscriptions = { capacity: 100, perSecond: 10 };
/** One token's clients must not use up the connections of all others. */
const mostOfToken = 2_000;

export const tooManyConnections = (): Refusal =>
  new Refusal("RATE_LIMITED", "This token has too many open connections.", undefined, { retryAfterSeconds: 10 });

/** The ledger as it grows, over `/ws`. */
export class LiveEvents {
  readonly #house: House;
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: largestMessage,
    perMessageDeflate: false,
    handleProtocols: chooseProtocol,
  });
  readonly #clients = new Map<WebSocket, LiveClient>();
  readonly #ping: NodeJS.Timeout;

  constructor(house: House) {
    this.#house = house;
    this.#ping = setInterval(() => {
      for (const client of this.#clients.values()) client.checkAlive();
    }, pingEveryMs);
    this.#ping.unref();
  }

  get count(): number {
    return this.#clients.size;
  }

  accept(request: IncomingMessage, socket: Duplex, head: Buffer, viewer: Caller): void {
    const ofToken = [...this.#clients.values()].filter((client) => client.viewer.tokenId === viewer.tokenId);
    if (ofToken.length >= mostOfToken) throw tooManyConnections();
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      const client = new LiveClient(this.#house, webSocket, viewer);
      this.#clients.set(webSocket, client);
      webSocket.on("close", () => {
        client.stop();
        this.#clients.delete(webSocket);
      });
    });
  }

  endAllOf(tokenId: string): void {
    for (const [webSocket, client] of this.#clients) {
      if (client.viewer.tokenId === tokenId) sayGoodbye(webSocket, 4401, "token revoked");
    }
  }

  close(): void {
    clearInterval(this.#ping);
    for (const webSocket of this.#clients.keys()) sayGoodbye(webSocket, 1001, "server stops", 500);
    this.#server.close();
  }
}

class LiveClient {
  readonly viewer: Caller;
  readonly #house: House;
  readonly #socket: WebSocket;
  #stopFollowing: () => void = () => undefined;
  readonly #limit: RateLimit;
  #turn = 0;
  #replay = new AbortController();
  #isAlive = true;

  constructor(house: House, socket: WebSocket, viewer: Caller) {
    this.#house = house;
    this.#socket = socket;
    this.viewer = viewer;
    this.#limit = new RateLimit({ ...subscriptions, now: house.sources.now });
    socket.on("message", (data, isBinary) => void this.#receive(isBinary ? "" : data.toString()));
    socket.on("pong", () => {
      this.#isAlive = true;
    });
    socket.on("error", () => socket.terminate());
  }

  checkAlive(): void {
    if (!this.#isAlive) this.#socket.terminate();
    else this.#socket.ping();
    this.#isAlive = false;
  }

  stop(): void {
    this.#turn += 1;
    this.#replay.abort();
    this.#stopFollowing();
  }

  async #receive(text: string): Promise<void> {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#limit.take("") > 0) return sayGoodbye(this.#socket, 1008, "too many messages");
    try {
      const ask = Subscribe.safeParse(parseJson(text));
      if (!ask.success) {
        throw new Refusal(
          "INVALID_REQUEST",
          "That is not a subscription.",
          'Send {"subscribe": ["*"], "after": CURSOR?}.',
        );
      }
      await this.#follow(new Set(ask.data.subscribe), ask.data.after);
    } catch (error) {
      const failure = failureOf(error, newId(this.#house.sources, "call"));
      this.#send(JSON.stringify({ event: "error", data: failure }));
    }
  }

  /** A new subscription replaces the one before; entries of the old one that are still on their way are dropped. */
  async #follow(channels: ReadonlySet<string>, after: string | undefined): Promise<void> {
    this.stop();
    const turn = this.#turn;
    this.#replay = new AbortController();
    const { signal } = this.#replay;
    const stop = await followEvents(this.#house, {
      cursor: after,
      caller: this.viewer,
      channels,
      receive: (text) => {
        if (turn === this.#turn) this.#send(text);
      },
      ready: () => this.#untilTaken(signal),
      signal,
    }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
      return () => undefined;
    });
    if (turn === this.#turn) this.#stopFollowing = stop;
    else stop();
  }

  async #untilTaken(signal: AbortSignal): Promise<void> {
    const latest = performance.now() + pingEveryMs;
    while (!signal.aborted && this.#socket.bufferedAmount > mostAhead) {
      if (performance.now() > latest) return sayGoodbye(this.#socket, 1013, "too slow");
      await pass(takenEveryMs);
    }
  }

  #send(text: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > mostUnread) sayGoodbye(this.#socket, 1013, "too slow");
    else this.#socket.send(text);
  }
}

function sayGoodbye(socket: WebSocket, code: number, reason: string, withinMs = goodbyeMs): void {
  socket.close(code, reason);
  const timer = setTimeout(() => socket.terminate(), withinMs);
  socket.once("close", () => clearTimeout(timer));
}
