import type { FastifyInstance } from "fastify";
import { metaOf, okEnvelope } from "../../contract/envelope.ts";
import { schemaVersion, toolVersion } from "../../contract/versions.ts";
import type { House } from "../../engine/house.ts";
import { newId } from "../../engine/sources.ts";
import { statusOf } from "../../engine/status.ts";
import { answer } from "./answer.ts";
import type { Identity } from "./identity.ts";
import { metricsText } from "./metrics-text.ts";

interface StatusRoutes {
  readonly house: House;
  readonly identity: Identity;
  /** The folder the server was started in, as the index contract's `repo`. */
  readonly repo: string;
  connections(): Record<string, number>;
}

export function mountStatus(app: FastifyInstance, { house, identity, repo, connections }: StatusRoutes): void {
  app.get("/health", (request, reply) =>
    answer(house, request, reply, { uptimeMs: house.sources.now() - house.startedAt }),
  );

  app.get("/status", async (request, reply) => {
    await identity.identify(request.raw);
    return answer(house, request, reply, { repo, status: await statusOf(house, connections()) });
  });

  app.get("/status/stream", async (request, reply) => {
    await identity.identify(request.raw);
    const startedAt = house.sources.now();
    const requestId = newId(house.sources, "call");
    reply.hijack();
    reply.raw.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    const send = (event: string, result: unknown): void => {
      const meta = metaOf(requestId, startedAt, house.sources.now());
      reply.raw.write(`event: ${event}\ndata: ${JSON.stringify(okEnvelope(result, meta))}\n\n`);
    };
    send("start", { repo });
    send("result", { repo, status: await statusOf(house, connections()) });
    send("done", {});
    reply.raw.end();
  });

  app.get("/metrics", async (request, reply) => {
    await identity.identify(request.raw);
    return reply
      .type("text/plain; version=0.0.4")
      .send(metricsText(house, { ...connections(), info: { schemaVersion, toolVersion } }));
  });
}
