import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { FastifyInstance } from "fastify";
import type { Catalogue } from "../../contract/listing.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { House } from "../../engine/house.ts";
import { checkHostAndOrigin } from "./guards.ts";
import { bearerOf, type Identity } from "./identity.ts";
import { type LiveEvents, tooManyConnections } from "./live.ts";
import { refuseOnSocket } from "./raw-refusal.ts";
import type { Terminals } from "./terminals.ts";

interface UpgradeOptions {
  readonly house: House;
  readonly identity: Identity;
  readonly catalogue: Catalogue;
  readonly allowedHosts: ReadonlySet<string>;
  readonly live: LiveEvents;
  readonly terminals: Terminals;
}

const terminalPath = "/ws/terminal/";

/** One token's clients must not use up the connections of all others. */
const mostPipesOfToken = 2_000;

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
      this.#accept(request, socket, head).catch((error: unknown) => refuseOnSocket(options.house, socket, error));
    });
  }

  get pipeCount(): number {
    return this.#pipes.size;
  }

  endAllOf(tokenId: string): void {
    for (const pipe of this.#pipes) if (pipe.tokenId === tokenId) pipe.socket.destroy();
  }

  async close(): Promise<void> {
    for (const pipe of this.#pipes) {
      await pipe.end();
      pipe.socket.destroy();
    }
  }

  async #accept(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { house, identity, catalogue, allowedHosts, live, terminals } = this.#options;
    checkHostAndOrigin(request, allowedHosts);
    const path = request.url?.split("?")[0];
    const terminal = path?.startsWith(terminalPath) ? path.slice(terminalPath.length) : "";
    if (terminal !== "") {
      const caller = await identity.identify(request);
      return terminals.accept(request, socket, head, { caller, id: terminal });
    }
    if (path !== "/ws" && path !== "/mcp/pipe") throw new Refusal("NOT_FOUND", "Nothing answers at that address.");
    if (path === "/ws") {
      const viewer = await identity.identify(request);
      return live.accept(request, socket, head, viewer);
    }
    const { servePipe } = await import("./pipe.ts");
    // Like /mcp: a browser's cookie opens no pipe.
    const caller = await identity.identifyToken(bearerOf(request), request);
    if (request.headers.upgrade !== "crewdeck-pipe") throw new Refusal("INVALID_REQUEST", "That is not a pipe.");
    // Who has left meanwhile will never be seen to leave.
    if (socket.destroyed) return;
    this.#checkRoomFor(caller.tokenId);
    if (head.length > 0) socket.unshift(head);
    const end = servePipe({ house, catalogue }, request, socket, caller);
    const pipe: Pipe = { tokenId: caller.tokenId, socket, end };
    this.#pipes.add(pipe);
    socket.on("close", () => this.#pipes.delete(pipe));
    socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: crewdeck-pipe\r\n\r\n");
  }

  #checkRoomFor(tokenId: string): void {
    const count = [...this.#pipes].filter((pipe) => pipe.tokenId === tokenId).length;
    if (count >= mostPipesOfToken) throw tooManyConnections();
  }
}
