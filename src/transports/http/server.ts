import type { IncomingMessage } from "node:http";
import fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import type { Catalogue } from "../../contract/listing.ts";
import type { ProgramCall } from "../../contract/plain-routes.ts";
import type { House } from "../../engine/house.ts";
import { newId } from "../../engine/sources.ts";
import { parseJson } from "../json-guard.ts";
import { answerFailure, markStart } from "./answer.ts";
import { Bodies } from "./body.ts";
import { mountDeck } from "./deck.ts";
import { mountDevice } from "./device.ts";
import { asRefusal, mountFailures } from "./failures.ts";
import { checkHostAndOrigin } from "./guards.ts";
import { Identity } from "./identity.ts";
import { LiveEvents } from "./live.ts";
import { mountMaintenance } from "./maintenance.ts";
import { mountMcp } from "./mcp.ts";
import { refuseUnreadable } from "./raw-refusal.ts";
import { mountReads } from "./reads.ts";
import { safetyHeaders } from "./safety-headers.ts";
import { mountSearch } from "./search.ts";
import { mountSignIn } from "./sign-in.ts";
import { mountStatus } from "./status.ts";
import { Strangers } from "./strangers.ts";
import { type OpenTerminal, Terminals } from "./terminals.ts";
import { mountTools } from "./tools.ts";
import { Upgrades } from "./upgrades.ts";
import { mountUsage } from "./usage.ts";

interface HttpOptions {
  readonly house: House;
  readonly catalogue: Catalogue;
  /** The description of this surface as JSON; asked for when somebody reads it. */
  readonly openApi: () => string;
  readonly host: string;
  readonly port: number;
  /** Names beside this machine's own addresses that the server answers to. */
  readonly allowedHosts: readonly string[];
  readonly deckDir: string;
  /** The home holds an example team. */
  readonly isDemo?: boolean;
  /** How the program is called on this machine. */
  readonly program?: ProgramCall;
  readonly repo: string;
  readonly saveThreshold?: Parameters<typeof mountMaintenance>[1]["saveThreshold"];
  readonly verifyFile?: Parameters<typeof mountMaintenance>[1]["verifyFile"];
  /** Shows what the programs of instances put out. */
  readonly openTerminal?: OpenTerminal;
  /** By which callers on this machine know the server. */
  readonly secret?: string;
}

interface HttpServer {
  readonly url: string;
  /** Every route there is, as `METHOD /path`. */
  readonly routes: readonly string[];
  close(): Promise<void>;
}

/** One port for everything: tools, reads, live events, MCP and the deck. */
export async function startHttp(options: HttpOptions): Promise<HttpServer> {
  const { house, catalogue } = options;
  const allowedHosts = new Set([...options.allowedHosts, options.host].map((host) => host.toLowerCase()));
  const app = makeApp(house, allowedHosts);
  const routes: string[] = [];
  app.addHook("onRoute", ({ method, url }) => void routes.push(...[method].flat().map((verb) => `${verb} ${url}`)));
  const identity = new Identity(house, new Strangers(app.server));
  const live = new LiveEvents(house);
  const terminals = new Terminals(house, options.openTerminal);
  const upgrades = new Upgrades(app, { house, identity, catalogue, allowedHosts, live, terminals });
  const mcp = mountMcp(app, { house, identity, catalogue });
  let url = "";
  mountTools(app, { house, identity, catalogue });
  mountReads(app, { house, identity });
  mountUsage(app, { house, identity });
  mountDevice(app, { house });
  mountSignIn(app, {
    house,
    identity,
    baseUrl: () => url,
    isDemo: options.isDemo ?? false,
    program: options.program,
    secret: options.secret,
  });
  mountMaintenance(app, { house, identity, saveThreshold: options.saveThreshold, verifyFile: options.verifyFile });
  mountSearch(app, { house, identity });
  mountStatus(app, {
    house,
    identity,
    repo: options.repo,
    secret: options.secret,
    connections: () => ({ mcp_sessions: mcp.sessionCount, pipes: upgrades.pipeCount, live: live.count }),
  });
  mountDeck(app, options.deckDir);
  app.get("/openapi.json", async (request, reply) => {
    await identity.identify(request.raw);
    return reply.type("application/json; charset=utf-8").send(options.openApi());
  });

  const stopWatching = await house.feed.follow(undefined, {
    receive(entries) {
      for (const entry of entries) {
        if (entry.kind !== "token.revoked") continue;
        live.endAllOf(entry.subject);
        terminals.endAllOf(entry.subject);
        upgrades.endAllOf(entry.subject);
        void mcp.endAllOf(entry.subject);
      }
    },
  });
  await app.listen({ host: options.host, port: options.port });
  url = addressOf(app, options.host);
  return {
    url,
    routes,
    async close() {
      stopWatching();
      live.close();
      terminals.close();
      await answerWaiters(house);
      await upgrades.close();
      await mcp.close();
      app.server.closeIdleConnections();
      setTimeout(() => app.server.closeAllConnections(), 2_000).unref();
      await app.close();
    },
  };
}

const lastAnswersMs = 1_000;

/** Who waits for something is told where to go on while the connections are still there. */
async function answerWaiters({ waiting, usage }: House): Promise<void> {
  if (waiting.count === 0) return waiting.close();
  await waiting.close();
  await usage.settle(lastAnswersMs);
  await new Promise((resolve) => void setImmediate(resolve));
}

/** The HTTP layer without its routes: guards, limits and how failures are answered. */
export function makeApp(house: House, allowedHosts: ReadonlySet<string>): FastifyInstance {
  const app = fastify({
    requestTimeout: 25_000,
    keepAliveTimeout: 60_000,
    forceCloseConnections: "idle",
    genReqId: () => newId(house.sources, "call"),
    // Slow senders are looked for this often; with Node's own 30 s they would stay for a minute.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 5_000, maxHeaderSize: 16_384 },
    routerOptions: { maxParamLength: 200 },
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    clientErrorHandler: (error, socket) => refuseUnreadable(house, error, socket),
    frameworkErrors: (error, request, reply) =>
      void answerFailure(house, request, reply.headers(safetyHeaders), asRefusal(error, error.statusCode), 400),
  });
  app.server.maxConnections = 10_000;
  const bodies = new Bodies(house);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", async (request: FastifyRequest, body: IncomingMessage) => {
    const text = await bodies.read(body, request.routeOptions.url);
    return text === "" ? undefined : parseJson(text);
  });
  app.addHook("onRequest", async (request, reply) => {
    markStart(request);
    reply.headers(safetyHeaders);
    checkHostAndOrigin(request.raw, allowedHosts);
    if (request.headers["content-encoding"] !== undefined) throw compressed();
  });
  mountFailures(app, house);
  return app;
}

/** A tool's definition checks what it is given; with no compilers of its own Fastify loads half a megabyte less. */
function refuseSchemas(): never {
  throw new Error("a route with a schema for Fastify");
}

/** Before a byte of it is read: a small body can unpack to one that fills the memory. */
const compressed = (): Error => Object.assign(new Error("a compressed body"), { statusCode: 415 });

function addressOf(app: FastifyInstance, host: string): string {
  const address = app.server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
