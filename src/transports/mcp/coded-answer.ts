import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { ErrorCode } from "../../contract/errors.ts";

/**
 * The SDK refuses some requests before a server of ours sees them, with a JSON-RPC error that has no code of the
 * registry. Such an answer is held until it is whole and then gets the code that its status stands for; every other
 * answer passes untouched.
 */
export function addCodeToRefusals(response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response);
  const write = response.write.bind(response) as (...args: unknown[]) => boolean;
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
  let refusal: { status: number; headers: OutgoingHttpHeaders; body: Buffer[] } | undefined;
  Object.assign(response, {
    writeHead(status: number, headers: OutgoingHttpHeaders = {}) {
      if (status < 400) return writeHead(status, headers);
      refusal = { status, headers, body: [] };
      return response;
    },
    write(...args: unknown[]) {
      if (!refusal) return write(...args);
      refusal.body.push(bytesOf(args[0]));
      return true;
    },
    end(...args: unknown[]) {
      if (!refusal) return end(...args);
      const { status, headers, body } = refusal;
      const text = withCode(Buffer.concat([...body, bytesOf(args[0])]).toString(), codeOf(status));
      writeHead(status, { ...withoutLength(headers), "content-length": Buffer.byteLength(text) });
      return end(text);
    },
  });
}

const bytesOf = (chunk: unknown): Buffer =>
  typeof chunk === "string" ? Buffer.from(chunk) : chunk instanceof Uint8Array ? Buffer.from(chunk) : Buffer.alloc(0);

const withoutLength = (headers: OutgoingHttpHeaders): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== "content-length"));

function codeOf(status: number): ErrorCode {
  if (status >= 500) return "INTERNAL";
  if (status === 404) return "NOT_FOUND";
  return status === 409 ? "CONFLICT" : "INVALID_REQUEST";
}

function withCode(text: string, code: ErrorCode): string {
  const answer = readObject(text);
  const error = answer?.["error"];
  if (!isObject(error)) return text;
  const data = isObject(error["data"]) ? error["data"] : {};
  return JSON.stringify({ ...answer, error: { ...error, data: { code, message: error["message"], ...data } } });
}

function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
