import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { FastifyInstance } from "fastify";
import { failedEnvelope, failureOf, metaOf } from "../../contract/envelope.ts";
import { errors } from "../../contract/errors.ts";
import type { Catalogue } from "../../contract/listing.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { House } from "../../engine/house.ts";
import { newId } from "../../engine/sources.ts";
import { checkHostAndOrigin } from "./guards.ts";
import type { Identity } from "./identity.ts";
import type { LiveEvents } from "./live.ts";
import { servePipe } from "./mcp.ts";

interface UpgradeOptions {
  readonly house: House;
  readonly identity: Identity;
  readonly catalogue: Catalogue;
  readonly allowedHosts: ReadonlySet<string>;
  readonly live: LiveEvents;
}

interface Pipe {
  readonly tokenId: string;
  readonly socket: Duplex;
  end(): Promise<void>;
}

/** Connections that stop being HTTP: `/ws` and the bridge's `/mcp/pipe`. Checked like any request before they change. */
export class Upgrades {
  readonly #options: UpgradeOptions;
  readonly #pipes = new Set<Pipe>();

  constructor(app: FastifyInstance, options: UpgradeOptions) {
    this.#options = options;
    app.server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on("error", () => socket.destroy());
      this.#accept(request, socket, head).catch((error: unknown) => this.#refuse(socket, error));
    });
  }

  get pipeCount(): number {
    return this.#pipes.size;
  }

  async endAllOf(tokenId: string): Promise<void> {
    const ended = [...this.#pipes].filter((pipe) => pipe.tokenId === tokenId);
    for (const pipe of ended) pipe.socket.destroy();
  }

  async close(): Promise<void> {
    for (const pipe of this.#pipes) {
      await pipe.end();
      pipe.socket.destroy();
    }
  }

  async #accept(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { house, identity, catalogue, allowedHosts, live } = this.#options;
    checkHostAndOrigin(request, allowedHosts);
    const path = request.url?.split("?")[0];
    if (path !== "/ws" && path !== "/mcp/pipe") throw new Refusal("NOT_FOUND", "Nothing answers at that address.");
    const caller = await identity.identify(request);
    if (path === "/ws") return live.accept(request, socket, head, caller);
    if (request.headers.upgrade !== "crewdeck-pipe") throw new Refusal("INVALID_REQUEST", "That is not a pipe.");
    if (head.length > 0) socket.unshift(head);
    const end = servePipe({ house, catalogue }, request, socket);
    const pipe: Pipe = { tokenId: caller.tokenId, socket, end };
    this.#pipes.add(pipe);
    socket.on("close", () => this.#pipes.delete(pipe));
    socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: crewdeck-pipe\r\n\r\n");
  }

  #refuse(socket: Duplex, error: unknown): void {
    const { house } = this.#options;
    const callId = newId(house.sources, "call");
    const failure = failureOf(error, callId);
    const { http } = errors[failure.code];
    const now = house.sources.now();
    const body = JSON.stringify(failedEnvelope(failure, metaOf(callId, now, now)));
    socket.end(
      `HTTP/1.1 ${http} ${STATUS_CODES[http] ?? "Refused"}\r\nContent-Type: application/json\r\nConnection: close\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  }
}
