import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { proofHeaders, proofOf } from "../../adapters/server-proof.ts";
import {
  failedEnvelope,
  failureOf,
  type HttpEnvelope,
  type Meta,
  metaOf,
  okEnvelope,
} from "../../contract/envelope.ts";
import { schemaVersion, toolVersion } from "../../contract/versions.ts";
import type { House } from "../../engine/house.ts";
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
  /** What the home's note says of this server, if there is a note. */
  readonly secret: string | undefined;
}

export function mountStatus(app: FastifyInstance, { house, identity, repo, connections, secret }: StatusRoutes): void {
  app.get("/health", (request, reply) => {
    const challenge = request.headers[proofHeaders.challenge];
    const { localPort } = request.raw.socket;
    if (secret !== undefined && typeof challenge === "string" && localPort !== undefined) {
      reply.header(proofHeaders.proof, proofOf(secret, challenge, localPort));
    }
    return answer(house, request, reply, { uptimeMs: house.sources.now() - house.startedAt });
  });

  app.get("/status", async (request, reply) => {
    await identity.identify(request.raw);
    return answer(house, request, reply, { repo, status: await statusOf(house, connections()) });
  });

  app.get("/status/stream", async (request, reply) => {
    await identity.identify(request.raw);
    const startedAt = house.sources.now();
    const meta = (): Meta => metaOf(request.id, startedAt, house.sources.now());
    const event = (name: string, envelope: HttpEnvelope): string =>
      `event: ${name}\ndata: ${JSON.stringify(envelope)}\n\n`;
    async function* events(): AsyncGenerator<string> {
      yield event("start", okEnvelope({ repo }, meta()));
      try {
        yield event("result", okEnvelope({ repo, status: await statusOf(house, connections()) }, meta()));
      } catch (error) {
        house.log.error({ err: error, callId: request.id }, "the status could not be read");
        yield event("error", failedEnvelope(failureOf(error, request.id), meta()));
      }
      yield event("done", okEnvelope({}, meta()));
    }
    return reply.type("text/event-stream; charset=utf-8").send(Readable.from(events()));
  });

  app.get("/metrics", async (request, reply) => {
    await identity.identify(request.raw);
    return reply
      .type("text/plain; version=0.0.4")
      .send(metricsText(house, { ...connections(), info: { schemaVersion, toolVersion } }));
  });
}
