import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { proofHeaders, proofOf } from "../../adapters/server-proof.ts";
import type { Caller } from "../../contract/caller.ts";
import {
  type Failure,
  failedEnvelope,
  failureOf,
  type HttpEnvelope,
  type Meta,
  metaOf,
  okEnvelope,
} from "../../contract/envelope.ts";
import { Refusal } from "../../contract/refusal.ts";
import { schemaVersion, toolVersion } from "../../contract/versions.ts";
import { dispatch } from "../../engine/dispatch.ts";
import type { House } from "../../engine/house.ts";
import { statusOf } from "../../engine/status.ts";
import { answer, transportOf } from "./answer.ts";
import type { Identity } from "./identity.ts";
import { metricsText } from "./metrics-text.ts";
import { type Query, readQuery } from "./query.ts";

interface StatusRoutes {
  readonly house: House;
  readonly identity: Identity;
  /** The folder the server was started in, as the index contract's `repo`. */
  readonly repo: string;
  connections(): Record<string, number>;
  /** What the home's note says of this server, if there is a note. */
  readonly secret: string | undefined;
}

const refusalOf = ({ code, message, hint }: Failure): Refusal => new Refusal(code, message, hint);

export function mountStatus(app: FastifyInstance, { house, identity, repo, connections, secret }: StatusRoutes): void {
  app.get("/health", (request, reply) => {
    const challenge = request.headers[proofHeaders.challenge];
    const { localPort } = request.raw.socket;
    if (secret !== undefined && typeof challenge === "string" && localPort !== undefined) {
      reply.header(proofHeaders.proof, proofOf(secret, challenge, localPort));
    }
    return answer(house, request, reply, { uptimeMs: house.sources.now() - house.startedAt });
  });

  /** The server's status with that of an index; without `repoPath` a folder that is no repository has none (AR7). */
  const readStatus = async (request: FastifyRequest, caller: Caller): Promise<{ repo: string; status: object }> => {
    const { repoPath } = readQuery(request.query as Query, { repoPath: { type: "string" } });
    const args = repoPath === undefined ? { repoPath: repo } : { repoPath };
    const index = await dispatch(house, { tool: "index_status", args, caller, transport: transportOf(request) });
    if (!index.ok && repoPath !== undefined) throw refusalOf(index.failure);
    const value = index.ok ? (index.value as { readonly repo: string }) : null;
    const status = { ...(await statusOf(house, connections())), index: value };
    return { repo: value?.repo ?? repo, status };
  };

  app.get("/status", async (request, reply) => {
    const caller = await identity.identify(request.raw);
    return answer(house, request, reply, await readStatus(request, caller));
  });

  app.get("/status/stream", async (request, reply) => {
    const caller = await identity.identify(request.raw);
    const startedAt = house.sources.now();
    const meta = (): Meta => metaOf(request.id, startedAt, house.sources.now());
    const event = (name: string, envelope: HttpEnvelope): string =>
      `event: ${name}\ndata: ${JSON.stringify(envelope)}\n\n`;
    async function* events(): AsyncGenerator<string> {
      const { repoPath = repo } = request.query as { repoPath?: string };
      yield event("start", okEnvelope({ repo: repoPath }, meta()));
      try {
        yield event("result", okEnvelope(await readStatus(request, caller), meta()));
      } catch (error) {
        if (!(error instanceof Refusal)) {
          house.log.error({ err: error, callId: request.id }, "the status could not be read");
        }
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
