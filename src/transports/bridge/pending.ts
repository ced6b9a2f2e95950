import { type ClientRequest, isObject, type RequestId, toFrame } from "./message.ts";

/** A request the server has not answered yet, kept so that it can be sent again. */
export interface Pending {
  readonly id: RequestId;
  readonly isCall: boolean;
  readonly frame: string;
  /** How often it was sent; a call that takes the server down with it must not do so forever. */
  sends: number;
  /** The client asked for its end with `$/cancelRequest`; said again after the call when that is sent again. */
  cancelFrame: string | undefined;
  readonly progressToken: unknown;
  lastProgress: number;
}

const keyName = "crewdeck/idempotencyKey";

/** Every call gets a key, so that sending it again after a lost connection has no second effect (BR22). */
export function makePending(request: ClientRequest, makeKey: () => string): Pending {
  const isCall = request.method === "tools/call";
  const keyed = isCall ? withKey(request, makeKey) : request;
  return {
    id: request.id,
    isCall,
    frame: toFrame(keyed),
    sends: 0,
    cancelFrame: undefined,
    progressToken: metaOf(request)["progressToken"],
    lastProgress: Number.NEGATIVE_INFINITY,
  };
}

function withKey(request: ClientRequest, makeKey: () => string): ClientRequest {
  const meta = metaOf(request);
  const given = meta[keyName];
  if (typeof given === "string" && given !== "") return request;
  return { ...request, params: { ...request.params, _meta: { ...meta, [keyName]: makeKey() } } };
}

function metaOf({ params }: ClientRequest): Readonly<Record<string, unknown>> {
  const meta = params?.["_meta"];
  return isObject(meta) ? meta : {};
}
