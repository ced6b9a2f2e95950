import { Refusal } from "../../contract/refusal.ts";
import { parseJson } from "../json-guard.ts";

export type RequestId = string | number;

export type Params = Readonly<Record<string, unknown>>;

export interface ClientRequest {
  readonly kind: "request";
  readonly id: RequestId;
  readonly method: string;
  readonly params: Params | undefined;
}

export interface Notice {
  readonly kind: "notice";
  readonly method: string;
  readonly params: Params | undefined;
}

/** An answer to something the other side asked. */
export interface Response {
  readonly kind: "response";
  readonly id: RequestId;
  readonly outcome: { readonly result: unknown } | { readonly error: unknown };
}

/** A line that is no message; it is answered with the protocol's own error and forgotten. */
export interface Malformed {
  readonly kind: "malformed";
  readonly id: RequestId | null;
  readonly code: number;
  readonly message: string;
}

export type Message = ClientRequest | Notice | Response;

export const rpcErrors = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  unsupportedVersion: -32022,
} as const;

export function readMessage(text: string): Message | Malformed {
  const value = readValue(text);
  if (value instanceof Refusal)
    return malformed(isJson(text) ? rpcErrors.invalidRequest : rpcErrors.parse, value.message);
  if (Array.isArray(value))
    return malformed(rpcErrors.invalidRequest, "Batches are not part of MCP; send one message a line.");
  if (!isObject(value)) return malformed(rpcErrors.invalidRequest, "A message is a JSON object.");
  const { jsonrpc, id, method, params } = value;
  const known = isId(id) ? id : null;
  if (jsonrpc !== "2.0") return malformed(rpcErrors.invalidRequest, 'A message says "jsonrpc": "2.0".', known);
  if (id !== undefined && known === null) {
    return malformed(rpcErrors.invalidRequest, "An id is a text or a whole number.");
  }
  if (method === undefined) return readResponse(value, known);
  if (typeof method !== "string") return malformed(rpcErrors.invalidRequest, "A method is a text.", known);
  if (params !== undefined && !isObject(params)) {
    return malformed(rpcErrors.invalidRequest, "The params of a message are an object.", known);
  }
  if (params?.["_meta"] !== undefined && !isObject(params["_meta"])) {
    return malformed(rpcErrors.invalidParams, "The _meta of a message is an object.", known);
  }
  return known === null ? { kind: "notice", method, params } : { kind: "request", id: known, method, params };
}

export const isObject = (value: unknown): value is Params =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A message as one line. Only what JSON-RPC knows is kept: a strict reader drops a message with anything else in it. */
export function toFrame(message: Message): string {
  switch (message.kind) {
    case "request":
      return JSON.stringify({ jsonrpc: "2.0", id: message.id, method: message.method, params: message.params });
    case "notice":
      return JSON.stringify({ jsonrpc: "2.0", method: message.method, params: message.params });
    case "response":
      return JSON.stringify({ jsonrpc: "2.0", id: message.id, ...message.outcome });
  }
}

export const resultFrame = (id: RequestId, result: unknown): string => JSON.stringify({ result, jsonrpc: "2.0", id });

export const errorFrame = (id: RequestId | null, code: number, message: string, data?: unknown): string =>
  JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } });

function readResponse(value: Params, id: RequestId | null): Response | Malformed {
  if (id !== null && "error" in value) return { kind: "response", id, outcome: { error: value["error"] } };
  if (id !== null && "result" in value) return { kind: "response", id, outcome: { result: value["result"] } };
  return malformed(rpcErrors.invalidRequest, "A message has a method, or answers a request.", id);
}

function readValue(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** What is JSON but refused (nesting, forbidden keys) is an invalid request, not a parse error. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const isId = (id: unknown): id is RequestId =>
  typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id));

const malformed = (code: number, message: string, id: RequestId | null = null): Malformed => ({
  kind: "malformed",
  id,
  code,
  message,
});
