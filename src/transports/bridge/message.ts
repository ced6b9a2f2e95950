import { Refusal } from "../../contract/refusal.ts";
import { parseJson, UnsafeJson } from "../json-guard.ts";

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
interface Response {
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

type Message = ClientRequest | Notice | Response;

export const rpcErrors = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  unsupportedVersion: -32022,
} as const;

/** Reads a line from the client, which may hold anything. */
export function readLine(text: string): Message | Malformed {
  try {
    return readMessage(parseJson(text));
  } catch (error) {
    if (error instanceof UnsafeJson) return malformed(rpcErrors.invalidRequest, error.message, idIn(error.value));
    return malformed(rpcErrors.parse, error instanceof Refusal ? error.message : "That cannot be read.");
  }
}

/** Reads a line from the server, whose answers may be larger than anything a client may send. */
export function readAnswer(text: string): Message | Malformed {
  try {
    return readMessage(JSON.parse(text));
  } catch {
    return malformed(rpcErrors.parse, "That is not valid JSON.");
  }
}

function readMessage(value: unknown): Message | Malformed {
  if (Array.isArray(value))
    return malformed(rpcErrors.invalidRequest, "Batches are not read; send one message a line.");
  if (!isObject(value)) return malformed(rpcErrors.invalidRequest, "A message is a JSON object.");
  const { jsonrpc, method, params } = value;
  const id = idIn(value);
  if (jsonrpc !== "2.0") return malformed(rpcErrors.invalidRequest, 'A message says "jsonrpc": "2.0".', id);
  if (value["id"] !== undefined && id === null) {
    return malformed(rpcErrors.invalidRequest, "An id is a text or a whole number.");
  }
  if (method === undefined) return readResponse(value, id);
  if (typeof method !== "string") return malformed(rpcErrors.invalidRequest, "A method is a text.", id);
  if (params !== undefined && !isObject(params)) {
    return malformed(rpcErrors.invalidParams, "The params of a message are an object.", id);
  }
  if (params?.["_meta"] !== undefined && !isObject(params["_meta"])) {
    return malformed(rpcErrors.invalidParams, "The _meta of a message is an object.", id);
  }
  return id === null ? { kind: "notice", method, params } : { kind: "request", id, method, params };
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

function idIn(value: unknown): RequestId | null {
  const id = isObject(value) ? value["id"] : undefined;
  return typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id)) ? id : null;
}

const malformed = (code: number, message: string, id: RequestId | null = null): Malformed => ({
  kind: "malformed",
  id,
  code,
  message,
});
