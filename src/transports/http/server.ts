import fastify, { type FastifyInstance } from "fastify";
import { failureOf } from "../../contract/envelope.ts";
import type { Catalogue } from "../../contract/listing.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { House } from "../../engine/house.ts";
import { newId } from "../../engine/sources.ts";
import { leaveUsage } from "../../engine/usage.ts";
import { largestFrame, parseJson } from "../json-guard.ts";
import { answerFailure, markStart } from "./answer.ts";
import { mountDeck } from "./deck.ts";
import { checkHostAndOrigin } from "./guards.ts";
import { Identity } from "./identity.ts";
import { LiveEvents } from "./live.ts";
import { mountMaintenance } from "./maintenance.ts";
import { mountMcp } from "./mcp.ts";
import { mountReads } from "./reads.ts";
import { mountSignIn } from "./sign-in.ts";
import { mountStatus } from "./status.ts";
import { mountTools, sendFailure } from "./tools.ts";
import { Upgrades } from "./upgrades.ts";

export interface HttpOptions {
  readonly house: House;
  readonly catalogue: Catalogue;
  readonly openApi: object;
  readonly host: string;
  readonly port: number;
  /** Names beside this machine's own addresses that the server answers to. */
  readonly allowedHosts: readonly string[];
  readonly deckDir: string;
  readonly repo: string;
}

export interface HttpServer {
  readonly url: string;
  close(): Promise<void>;
}

/** One port for everything: tools, reads, live events, MCP and the deck. */
export async function startHttp(options: HttpOptions): Promise<HttpServer> {
  const { house, catalogue } = options;
  const allowedHosts = new Set([...options.allowedHosts, options.host].map((host) => host.toLowerCase()));
  const app = makeApp(house, allowedHosts);
  const identity = new Identity(house);
  const live = new LiveEvents(house);
  const upgrades = new Upgrades(app, { house, identity, catalogue, allowedHosts, live });
  const mcp = mountMcp(app, { house, identity, catalogue });
  let url = "";
  mountTools(app, { house, identity, catalogue });
  mountReads(app, { house, identity });
  mountSignIn(app, { house, identity, baseUrl: () => url });
  mountMaintenance(app, { house, identity });
  mountStatus(app, {
    house,
    identity,
    repo: options.repo,
    connections: () => ({ mcp_sessions: mcp.sessionCount, pipes: upgrades.pipeCount, live: live.count }),
  });
  mountDeck(app, options.deckDir);
  app.get("/openapi.json", async (request) => {
    await identity.identify(request.raw);
    return options.openApi;
  });

  const stopWatching = await house.feed.follow(undefined, {
    receive(entries) {
      for (const entry of entries) {
        if (entry.kind !== "token.revoked") continue;
        live.endAllOf(entry.subject);
        void upgrades.endAllOf(entry.subject);
        void mcp.endSessionsOf(entry.subject);
      }
    },
  });
  await app.listen({ host: options.host, port: options.port });
  url = addressOf(app, options.host);
  return {
    url,
    async close() {
      stopWatching();
      live.close();
      await upgrades.close();
      await mcp.close();
      app.server.closeIdleConnections();
      setTimeout(() => app.server.closeAllConnections(), 2_000).unref();
      await app.close();
    },
  };
}

/** The HTTP layer without its routes: guards, limits and how failures are answered. */
export function makeApp(house: House, allowedHosts: ReadonlySet<string>): FastifyInstance {
  const app = fastify({
    bodyLimit: largestFrame,
    requestTimeout: 30_000,
    keepAliveTimeout: 60_000,
    forceCloseConnections: "idle",
    genReqId: () => newId(house.sources, "call"),
    http: { headersTimeout: 10_000, maxHeaderSize: 16_384 },
    routerOptions: { maxParamLength: 200 },
  } as never) as unknown as FastifyInstance;
  app.server.maxConnections = 10_000;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    try {
      if (request.headers["content-encoding"] !== undefined) throw unreadable("Compressed bodies are not read.", 415);
      done(null, body === "" ? undefined : parseJson(body as string));
    } catch (error) {
      if (request.url.startsWith("/api/"))
        leaveUsage(house, { tool: undefined, code: "INVALID_REQUEST", transport: "http" });
      done(error as Error);
    }
  });
  app.addHook("onRequest", async (request, reply) => {
    markStart(request);
    reply.headers(safetyHeaders);
    checkHostAndOrigin(request.raw, allowedHosts);
  });
  app.setErrorHandler((error, request, reply) => {
    const status = (error as { statusCode?: number }).statusCode;
    const known = error instanceof Refusal ? error : asRefusal(error, status);
    if (request.url.startsWith("/api/mcp")) return sendFailure(reply, failureOf(known, request.id), status);
    return answerFailure(house, request, reply, known, status);
  });
  app.setNotFoundHandler((request, reply) =>
    answerFailure(house, request, reply, new Refusal("NOT_FOUND", "Nothing answers at that address.")),
  );
  return app;
}

const unreadable = (message: string, statusCode: number): Error => Object.assign(new Error(message), { statusCode });

/** What the HTTP layer itself refuses: too large, not JSON, broken. Its words may name paths, so ours are used. */
function asRefusal(error: unknown, status: number | undefined): unknown {
  if (status === 413) return new Refusal("INVALID_REQUEST", `A body has at most ${largestFrame} bytes.`);
  if (status === 415) return new Refusal("INVALID_REQUEST", "Bodies are JSON: send content-type application/json.");
  if (status !== undefined && status >= 400 && status < 500) {
    return new Refusal("INVALID_REQUEST", "The request could not be read.");
  }
  return error;
}

const safetyHeaders = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "font-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; " +
    "require-trusted-types-for 'script'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store",
};

function addressOf(app: FastifyInstance, host: string): string {
  const address = app.server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
