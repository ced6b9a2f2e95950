import { isJSONRPCRequest, type JSONRPCMessage } from "@modelcontextprotocol/server";
import { NotJson, UnsafeJson } from "../json-guard.ts";
import { type Fault, isObject, type RequestId, rpcErrors } from "./rpc.ts";

type Reading = { readonly message: JSONRPCMessage } | { readonly fault: Fault };

/**
 * Reads a JSON value as a message of JSON-RPC 2.0. The SDK drops in silence what does not fit, and the client waits for
 * ever; here it is refused. Members that JSON-RPC does not know are left out for the same reason.
 */
export function readMessage(value: unknown): Reading {
  if (Array.isArray(value))
    return refuse(rpcErrors.invalidRequest, "Batches are not read; send one message at a time.");
  if (!isObject(value)) return refuse(rpcErrors.invalidRequest, "A message is a JSON object.");
  const { jsonrpc, id, method, params } = value;
  const known = isId(id) ? id : null;
  if (jsonrpc !== "2.0") return refuse(rpcErrors.invalidRequest, 'A message says "jsonrpc": "2.0".', known);
  if (id !== undefined && known === null) return refuse(rpcErrors.invalidRequest, "An id is a text or a whole number.");
  if (method === undefined) return readResponse(value, known);
  if (typeof method !== "string") return refuse(rpcErrors.invalidRequest, "A method is a text.", known);
  const unfit = unfitParams(params);
  if (unfit !== undefined) return refuse(rpcErrors.invalidParams, unfit, known);
  const rest = { method, ...(params === undefined ? {} : { params }) };
  if (known === null) return { message: { jsonrpc, ...rest } as JSONRPCMessage };
  const request = { jsonrpc, id: known, ...rest };
  return isJSONRPCRequest(request)
    ? { message: request }
    : refuse(rpcErrors.invalidParams, "The _meta of the message does not fit MCP.", known);
}

/** What could not even be parsed. */
export function faultOf(thrown: unknown): Fault {
  if (thrown instanceof UnsafeJson) {
    const { message, value } = thrown;
    return { code: rpcErrors.invalidRequest, message, id: isObject(value) && isId(value["id"]) ? value["id"] : null };
  }
  return {
    code: rpcErrors.parse,
    message: thrown instanceof NotJson ? thrown.message : "That cannot be read.",
    id: null,
  };
}

function readResponse(value: Record<string, unknown>, id: RequestId | null): Reading {
  for (const outcome of ["result", "error"] as const) {
    if (id === null || !(outcome in value)) continue;
    return { message: { jsonrpc: "2.0", id, [outcome]: value[outcome] } as unknown as JSONRPCMessage };
  }
  return refuse(rpcErrors.invalidRequest, "A message has a method, or answers a request.", id);
}

function unfitParams(params: unknown): string | undefined {
  if (params === undefined) return undefined;
  if (!isObject(params)) return "The params of a message are an object.";
  const { _meta: meta } = params;
  if (meta === undefined) return undefined;
  if (!isObject(meta)) return "The _meta of a message is an object.";
  const { progressToken } = meta;
  if (progressToken !== undefined && !isId(progressToken)) return "A progress token is a text or a whole number.";
  return undefined;
}

const refuse = (code: number, message: string, id: RequestId | null = null): Reading => ({
  fault: { code, message, id },
});

const isId = (id: unknown): id is RequestId =>
  typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id));
