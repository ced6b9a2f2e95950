import type { Readable, Writable } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { largestFrame, parseJson } from "../json-guard.ts";
import { LineReader } from "./line-reader.ts";

const parseError = -32700;
const invalidRequest = -32600;

export interface FrameEvents {
  /** `$/cancelRequest`, which the SDK does not know: the call is ended and answered CANCELLED (C6). */
  cancel(requestId: string | number): void;
  /** A frame that could not be read as a message. */
  malformed(): void;
}

/**
 * MCP over any pair of streams, one JSON message a line. What is not a message is answered here with the protocol's
 * own error and the connection lives on; everything else goes to the SDK.
 */
export class FrameTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #events: FrameEvents;
  readonly #lines: LineReader;
  #isClosed = false;

  constructor(input: Readable, output: Writable, events: FrameEvents) {
    this.#input = input;
    this.#output = output;
    this.#events = events;
    this.#lines = new LineReader(largestFrame, {
      line: (text) => this.#receive(text),
      tooLong: () => this.#refuse(invalidRequest, `A frame has at most ${largestFrame} bytes.`),
    });
  }

  async start(): Promise<void> {
    this.#input.on("data", (chunk: Buffer) => this.#lines.push(chunk));
    this.#input.on("end", () => void this.close());
    this.#input.on("close", () => void this.close());
    this.#input.on("error", (error) => this.onerror?.(error));
    this.#output.on("error", () => void this.close());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    if (!this.#output.write(`${JSON.stringify(message)}\n`)) {
      // A client that does not read must not make us hold its answers: stop listening to it until it does.
      this.#input.pause();
      this.#output.once("drain", () => this.#input.resume());
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
    this.#output.end();
  }

  #receive(text: string): void {
    if (text.trim() === "") return;
    let message: unknown;
    try {
      message = parseJson(text);
    } catch (error) {
      this.#refuse(parseError, error instanceof Error ? error.message : "That is not valid JSON.");
      return;
    }
    if (!isMessage(message)) {
      this.#refuse(invalidRequest, "That is not a JSON-RPC 2.0 message.", idOf(message));
      return;
    }
    if (message.method === "$/cancelRequest") {
      const id = (message.params as { id?: unknown } | undefined)?.id;
      if (typeof id === "string" || typeof id === "number") this.#events.cancel(id);
      return;
    }
    this.onmessage?.(message as unknown as JSONRPCMessage);
  }

  #refuse(code: number, message: string, id: string | number | null = null): void {
    this.#events.malformed();
    const error = { code, message, data: { code: "INVALID_REQUEST", message } };
    void this.send({ jsonrpc: "2.0", id, error } as unknown as JSONRPCMessage);
  }
}

interface LooseMessage {
  readonly method?: unknown;
  readonly params?: unknown;
}

/** The shape of JSON-RPC 2.0, no more: a request, a notification or a response. */
function isMessage(value: unknown): value is LooseMessage {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const { jsonrpc, id, method, params } = value as Record<string, unknown>;
  if (jsonrpc !== "2.0") return false;
  const hasId = typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id));
  if (id !== undefined && !hasId) return false;
  if (method === undefined) return hasId && ("result" in value || "error" in value);
  return typeof method === "string" && (params === undefined || (typeof params === "object" && params !== null));
}

function idOf(value: unknown): string | number | null {
  if (typeof value !== "object" || value === null) return null;
  const { id } = value as { id?: unknown };
  return typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id)) ? id : null;
}
