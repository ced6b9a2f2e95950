import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { NodeStreamableHTTPServerTransport, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, isInitializeRequest, isLegacyRequest, type Server } from "@modelcontextprotocol/server";
import { Refusal } from "../../contract/refusal.ts";
import type { OpenConnection } from "../../engine/presence.ts";
import { largestFrame } from "../json-guard.ts";
import { addCodeToRefusals } from "./coded-answer.ts";

/** Who sends a request and what it may use; made anew for each request and each session. */
export interface EndpointOptions {
  /** One server for one session (legacy era) or one request (modern era), never shared between clients. */
  makeServer(request: IncomingMessage, era: "legacy" | "modern", open?: OpenConnection): Server;
  /** Opens what keeps the agents of a session alive until it is closed. */
  open?(ask: { isHeard(): boolean }): OpenConnection;
  /** Names the principal behind a request; a session answers only to the one who opened it. */
  principalOf(request: IncomingMessage): string;
  now(): number;
}

interface Session {
  readonly transport: NodeStreamableHTTPServerTransport;
  readonly server: Server;
  readonly principal: string;
  lastUsedAt: number;
  /** Answers still being written, a client's open event stream among them. */
  openAnswers: number;
}

const idleSessionMs = 30 * 60_000;
const mostSessions = 10_000;
/** Clients that never end their sessions must not use up everybody's: beyond this many their own oldest one goes. */
const mostOfPrincipal = 1_000;

/**
 * MCP over HTTP at one path, both eras. Clients with a handshake get a session of their own; the stateless era gets a
 * server for each request. Host, Origin, size and token are checked before a request comes here.
 */
export class McpEndpoint {
  readonly #options: EndpointOptions;
  readonly #sessions = new Map<string, Session>();
  readonly #stateless: ReturnType<typeof toNodeHandler>;
  readonly #handler: ReturnType<typeof createMcpHandler>;
  readonly #sweep: NodeJS.Timeout;

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.#handler = createMcpHandler(
      ({ era, authInfo }) => options.makeServer(authInfo?.extra?.["request"] as IncomingMessage, era),
      { maxRequestBodySize: largestFrame },
    );
    this.#stateless = toNodeHandler(this.#handler, { maxRequestBodySize: largestFrame });
    this.#sweep = setInterval(() => void this.endIdleSessions(), 60_000);
    this.#sweep.unref();
  }

  get sessionCount(): number {
    return this.#sessions.size;
  }

  /**
   * Finds who answers a request, and refuses before anything is written: the caller can then still answer in its own
   * way. What it returns writes the answer.
   */
  async accept(request: IncomingMessage, body: unknown): Promise<(response: ServerResponse) => Promise<void>> {
    const session = this.#sessionOf(request) ?? (await this.#openSessionFor(request, body));
    if (session) {
      return (response) => {
        this.#keepInUse(session, response);
        addCodeToRefusals(response);
        return session.transport.handleRequest(request, response, body);
      };
    }
    // The SDK hands the factory only what it calls auth info; the request rides in it.
    const carrier = Object.assign(request, { auth: authInfoFor(request) });
    return (response) => {
      addCodeToRefusals(response);
      return this.#stateless(carrier as never, response as never, body);
    };
  }

  /** Ends every session of a principal, for instance when its token was revoked. */
  async endSessionsOf(principal: string): Promise<void> {
    const ended = [...this.#sessions.values()].filter((session) => session.principal === principal);
    await Promise.all(ended.map((session) => session.server.close()));
  }

  /** A client that listens is there, however long it has nothing to say; only the others are forgotten. */
  async endIdleSessions(): Promise<void> {
    const before = this.#options.now() - idleSessionMs;
    const idle = [...this.#sessions.values()].filter(
      (session) => session.openAnswers === 0 && session.lastUsedAt < before,
    );
    await Promise.all(idle.map((session) => session.server.close()));
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    await Promise.all([...this.#sessions.values()].map((session) => session.server.close()));
    await this.#handler.close();
  }

  /** An unknown session is 404, so that the client opens a new one, as MCP says. A foreign one is unknown. */
  #sessionOf(request: IncomingMessage): Session | undefined {
    const id = request.headers["mcp-session-id"];
    if (typeof id !== "string") return undefined;
    const session = this.#sessions.get(id);
    if (session && session.principal === this.#options.principalOf(request)) return session;
    throw new Refusal("NOT_FOUND", "There is no such session.", "Open a new one with initialize.");
  }

  async #openSessionFor(request: IncomingMessage, body: unknown): Promise<Session | undefined> {
    if (!isInitializeRequest(body) || !(await isLegacy(request, body))) return undefined;
    await this.#makeRoomFor(this.#options.principalOf(request));
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void this.#sessions.set(id, session),
    });
    const open = this.#options.open?.({ isHeard: () => session.openAnswers > 0 });
    const server = this.#options.makeServer(request, "legacy", open);
    const session: Session = {
      transport,
      server,
      principal: this.#options.principalOf(request),
      lastUsedAt: this.#options.now(),
      openAnswers: 0,
    };
    server.onclose = () => {
      open?.close();
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
    };
    await server.connect(transport);
    return session;
  }

  async #makeRoomFor(principal: string): Promise<void> {
    const own = [...this.#sessions.values()].filter((session) => session.principal === principal);
    if (own.length >= mostOfPrincipal) {
      const idle = own.filter((session) => session.openAnswers === 0).sort((a, b) => a.lastUsedAt - b.lastUsedAt);
      await idle[0]?.server.close();
    }
    if (this.#sessions.size < mostSessions) return;
    throw new Refusal("RATE_LIMITED", "Too many sessions are open.", undefined, { retryAfterSeconds: 60 });
  }

  #keepInUse(session: Session, response: ServerResponse): void {
    session.openAnswers += 1;
    session.lastUsedAt = this.#options.now();
    response.once("close", () => {
      session.openAnswers -= 1;
      session.lastUsedAt = this.#options.now();
    });
  }
}

const isLegacy = (request: IncomingMessage, body: unknown): Promise<boolean> =>
  isLegacyRequest(new Request("http://localhost/mcp", { method: "POST", headers: headersOf(request) }), body);

function headersOf(request: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === "string") headers.set(name, value);
  }
  return headers;
}

const authInfoFor = (request: IncomingMessage) => ({ token: "", clientId: "", scopes: [], extra: { request } });
