import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { failedEnvelope, metaOf, okEnvelope } from "../../contract/envelope.ts";
import type { Call, Reply } from "../../engine/call.ts";
import { dispatch } from "../../engine/dispatch.ts";
import type { House } from "../../engine/house.ts";
import { answerReply, transportOf } from "./answer.ts";
import { streamEvents } from "./event-stream.ts";
import { isFromHere } from "./guards.ts";
import { abortOnHangUp } from "./hang-up.ts";
import type { Identity } from "./identity.ts";
import { folderOf } from "./mcp-connection.ts";

interface SearchRoutes {
  readonly house: House;
  readonly identity: Identity;
}

/** The tool under the addresses that the index contract gives it, with its repository beside what was found (IX20). */
export function mountSearch(app: FastifyInstance, { house, identity }: SearchRoutes): void {
  app.post("/search", async (request, reply) => {
    const result = await dispatch(house, await callOf(identity, request, reply));
    return answerReply(reply, result.ok ? { ...result, value: withRepo(result.value) } : result);
  });

  app.post("/search/stream", async (request, reply) => {
    const call = await callOf(identity, request, reply);
    const startedAt = house.sources.now();
    const meta = (result?: Reply) => metaOf(result?.callId ?? request.id, startedAt, house.sources.now());
    return streamEvents(reply, async (send) => {
      const tell = (phase: string, message: string): void => send("progress", okEnvelope({ phase, message }, meta()));
      send("start", okEnvelope({}, meta()));
      tell("search", "Searching");
      const onProgress: Call["onProgress"] = ({ message }) => tell("index", message ?? "");
      const result = await dispatch(house, { ...call, onProgress });
      if (result.ok) send("result", okEnvelope(withRepo(result.value), meta(result)));
      else send("error", failedEnvelope(result.failure, meta(result)));
      send("done", okEnvelope({}, meta(result)));
    });
  });
}

async function callOf(identity: Identity, request: FastifyRequest, reply: FastifyReply): Promise<Call> {
  const caller = await identity.identify(request.raw);
  return {
    tool: "search",
    args: request.body,
    caller,
    transport: transportOf(request),
    signal: abortOnHangUp(reply),
    folder: isFromHere(request.raw) ? folderOf(request.raw) : undefined,
  };
}

const withRepo = (search: unknown) => ({ repo: (search as { readonly repo: string }).repo, search });
