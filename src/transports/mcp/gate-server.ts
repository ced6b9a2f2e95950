import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  ProtocolError,
  type Result,
  Server,
  type ServerContext,
  type ServerOptions,
  type Transport,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { failureOf } from "../../contract/envelope.ts";
import type { ErrorCode } from "../../contract/errors.ts";
import { Refusal } from "../../contract/refusal.ts";
import { violationsOf } from "../../contract/violations.ts";
import { serverInfo } from "./identity.ts";
import { isObject, rpcErrors } from "./rpc.ts";

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

interface GateEvents {
  /** A `tools/call` that names no tool or whose arguments are no object. */
  malformedCall(tool: string | undefined): void;
}

const CallParams = z.looseObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()).optional() });

/**
 * The SDK's server with our own words where its answers say too little or too much: every error carries a code of the
 * registry, params that do not fit are told apart from faults, and no exception's text leaves the house.
 */
export class GateServer extends Server {
  readonly #events: GateEvents;

  constructor(options: ServerOptions, events: GateEvents) {
    super(serverInfo, options);
    this.#events = events;
  }

  override connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(withCode(message), options);
    return super.connect(transport);
  }

  /** The SDK's own hook. What it wraps checks the params first and throws a plain error when they do not fit. */
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler);
    return async (request, context) => {
      if (method === "tools/call") this.#checkCall(request.params);
      try {
        return await wrapped(request, context);
      } catch (error) {
        if (error instanceof ProtocolError) throw error;
        if (method === "tools/call") throw new ProtocolError(rpcErrors.internal, "Something failed on our side.");
        throw unfit(`The params do not fit ${method}.`);
      }
    };
  }

  #checkCall(params: unknown): void {
    const given = params ?? {};
    const parsed = CallParams.safeParse(given);
    if (parsed.success) return;
    const name = isObject(given) ? given["name"] : undefined;
    this.#events.malformedCall(typeof name === "string" ? name : undefined);
    const details = violationsOf(parsed.error, given, CallParams);
    throw unfit("A call has the name of a tool, and arguments that are an object.", details);
  }
}

function unfit(message: string, details?: unknown): ProtocolError {
  const refusal = new Refusal("INVALID_REQUEST", message, undefined, details === undefined ? {} : { details });
  return new ProtocolError(rpcErrors.invalidParams, message, failureOf(refusal, ""));
}

const codes: Readonly<Record<number, ErrorCode>> = {
  [rpcErrors.methodNotFound]: "NOT_FOUND",
  [rpcErrors.internal]: "INTERNAL",
};

/** Programs tell errors apart by `data.code`; what the SDK refuses by itself has none. */
function withCode(message: JSONRPCMessage): JSONRPCMessage {
  if (!("error" in message)) return message;
  const { error } = message;
  if (isObject(error.data) && "code" in error.data) return message;
  const code = codes[error.code] ?? "INVALID_REQUEST";
  const data = { code, message: error.message, ...(isObject(error.data) ? error.data : {}) };
  return { ...message, error: { ...error, data } };
}
