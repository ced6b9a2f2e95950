import type { Readable, Writable } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { largestFrame, parseJson } from "../json-guard.ts";
import { LineReader } from "./line-reader.ts";
import { faultOf, readMessage } from "./message.ts";
import { OpenRequests } from "./open-requests.ts";
import { errorMessage, type Fault, rpcErrors } from "./rpc.ts";

export interface FrameEvents {
  /** A frame that could not be read as a message. */
  malformed(): void;
  /** Nothing more is read or written. */
  closed?(): void;
}

/** A client may send its calls, close its side and wait for the answers; but not for ever. */
const answersAfterEndMs = 5_000;

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
  readonly #open = new OpenRequests();
  #isClosed = false;

  constructor(input: Readable, output: Writable, events: FrameEvents) {
    this.#input = input;
    this.#output = output;
    this.#events = events;
    this.#lines = new LineReader(largestFrame, {
      line: (text) => this.#receive(text),
      tooLong: (id) =>
        this.#refuse({ code: rpcErrors.invalidRequest, message: `A frame has at most ${largestFrame} bytes.`, id }),
    });
  }

  async start(): Promise<void> {
    this.#input.on("data", (chunk: Buffer) => this.#lines.push(chunk));
    this.#input.on("end", () => this.#open.whenNone(answersAfterEndMs, () => void this.close()));
    this.#input.on("close", () => {
      if (!this.#input.readableEnded || this.#output.destroyed) void this.close();
    });
    this.#input.on("error", (error) => this.onerror?.(error));
    this.#output.on("error", () => void this.close());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    if (!this.#output.write(`${JSON.stringify(message)}\n`) && !this.#input.isPaused()) {
      // A client that does not read must not make us hold its answers: stop listening to it until it does.
      this.#input.pause();
      this.#output.once("drain", () => this.#input.resume());
    }
    this.#open.sent(message);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
    this.#output.end();
    this.#events.closed?.();
  }

  #receive(text: string): void {
    if (text.trim() === "") return;
    const reading = readFrame(text);
    if ("fault" in reading) {
      this.#refuse(reading.fault);
      return;
    }
    this.#open.received(reading.message);
    this.onmessage?.(reading.message);
  }

  #refuse(fault: Fault): void {
    this.#events.malformed();
    void this.send(errorMessage(fault));
  }
}

function readFrame(text: string): ReturnType<typeof readMessage> {
  try {
    return readMessage(parseJson(text));
  } catch (error) {
    return { fault: faultOf(error) };
  }
}
