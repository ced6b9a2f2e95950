import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { z } from "zod";
import { type Caller, isPerson } from "../../contract/caller.ts";
import { Refusal } from "../../contract/refusal.ts";
import { dispatch } from "../../engine/dispatch.ts";
import type { House } from "../../engine/house.ts";
import { parseJson } from "../json-guard.ts";
import { chooseProtocol } from "./identity.ts";

interface Terminal {
  readonly isReadOnly: boolean;
  write(text: string): void;
  resize(columns: number, rows: number): void;
  close(): void;
}

/** Opens the terminal of an instance; undefined where it has none any more. */
export type OpenTerminal = (
  id: string,
  events: { data(text: string): void; exit(code: number | null): void },
) => Promise<Terminal | undefined>;

const Size = {
  cols: z.number().int().min(2).max(1_000).optional(),
  rows: z.number().int().min(2).max(1_000).optional(),
};
const Message = z.discriminatedUnion("type", [
  z.object({ type: z.literal("connect"), ...Size }),
  z.object({ type: z.literal("resize"), ...Size }),
  z.object({ type: z.literal("input"), data: z.string().max(64 * 1024) }),
  z.object({ type: z.literal("ping") }),
]);

const largestMessage = 256 * 1024;
/** Who reads no more than this is let go; the next connection shows the screen anew. */
const mostUnread = 8 * 1024 * 1024;
const mostTerminals = 256;

/** `/ws/terminal/:instance`: what a program that we started shows, and keys for it. */
export class Terminals {
  readonly #house: House;
  readonly #open: OpenTerminal;
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: largestMessage,
    perMessageDeflate: false,
    handleProtocols: chooseProtocol,
  });
  readonly #clients = new Map<WebSocket, string>();

  constructor(house: House, open: OpenTerminal = async () => undefined) {
    this.#house = house;
    this.#open = open;
  }

  /** Only people, and only for what is theirs: the same rule as for reading the log. */
  async accept(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    { caller, id }: { caller: Caller; id: string },
  ): Promise<void> {
    if (!isPerson(caller)) throw new Refusal("FORBIDDEN", "Terminals are for people.", "Use a person's own token.");
    if (this.#clients.size >= mostTerminals) throw new Refusal("RATE_LIMITED", "Too many terminals are open.");
    const seen = await dispatch(this.#house, {
      tool: "instance_log",
      args: { id, lines: 1 },
      caller,
      transport: "http",
    });
    // An instance that there is none of is told like one without a terminal: in the words of this protocol.
    if (!seen.ok && seen.failure.code !== "INSTANCE_NOT_FOUND")
      throw new Refusal(seen.failure.code, seen.failure.message, seen.failure.hint);
    if (socket.destroyed) return;
    this.#server.handleUpgrade(request, socket, head, (client) => {
      this.#clients.set(client, caller.tokenId);
      client.on("close", () => this.#clients.delete(client));
      client.on("error", () => client.close());
      void this.#serve(client, seen.ok ? id : undefined).catch((error: unknown) => {
        this.#house.log.error({ err: error }, "a terminal could not be shown");
        client.resume();
        client.close(1011, "failed");
      });
    });
  }

  async #serve(client: WebSocket, id: string | undefined): Promise<void> {
    const send = (message: Record<string, unknown>): void => {
      if (client.bufferedAmount > mostUnread) client.close(1013, "too slow");
      else client.send(JSON.stringify(message));
    };
    // What is shown comes after the word that it will.
    const early: Record<string, unknown>[] = [];
    let say = (message: Record<string, unknown>): void => void early.push(message);
    const events = {
      data: (data: string) => say({ type: "data", data }),
      exit: (code: number | null) => say({ type: "exit", code }),
    };
    // Most clients say their size at once: it is heard when there is a terminal that can take it.
    client.pause();
    const terminal = id === undefined ? undefined : await this.#open(id, events);
    if (id === undefined || !terminal) {
      const message = id === undefined ? "No instance has that id." : "That instance has no terminal and no log.";
      client.resume();
      send({ type: "error", code: "SESSION_NOT_FOUND", message });
      client.close(4404, "no terminal");
      return;
    }
    client.on("close", () => terminal.close());
    if (client.readyState !== client.OPEN) return terminal.close();
    send({ type: "connected", session: id, read_only: terminal.isReadOnly });
    say = send;
    for (const message of early) send(message);
    client.on("message", (data) => {
      const message = Message.safeParse(parsed(String(data)));
      if (!message.success)
        return send({ type: "error", code: "INVALID_MESSAGE", message: "That is no message we know." });
      const said = message.data;
      if (said.type === "ping") return send({ type: "pong" });
      if (said.type === "input") {
        if (!terminal.isReadOnly) return terminal.write(said.data);
        return send({ type: "error", code: "READ_ONLY", message: "Nobody can type into this one." });
      }
      if (said.cols !== undefined && said.rows !== undefined) terminal.resize(said.cols, said.rows);
    });
    client.resume();
  }

  endAllOf(tokenId: string): void {
    for (const [client, token] of this.#clients) if (token === tokenId) client.close(4401, "token revoked");
  }

  close(): void {
    for (const client of this.#clients.keys()) client.close(1001, "server stops");
    this.#server.close();
  }
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
