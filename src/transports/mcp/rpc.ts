import type { JSONRPCMessage } from "@modelcontextprotocol/server";

/** What is known of JSON-RPC without the SDK, which is loaded with the first message and not with the server. */
export const rpcErrors = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  overloaded: -32001,
} as const;

export type RequestId = string | number;

/** Why something is no message, and whom to tell. */
export interface Fault {
  readonly code: number;
  readonly message: string;
  readonly id: RequestId | null;
}

export const errorMessage = ({ code, message, id }: Fault): JSONRPCMessage =>
  ({ jsonrpc: "2.0", id, error: { code, message, data: { code: "INVALID_REQUEST", message } } }) as JSONRPCMessage;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
