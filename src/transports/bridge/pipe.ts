import type { IncomingMessage, request as requestType } from "node:http";
import type { Duplex } from "node:stream";
import { type ErrorCode, errors } from "../../contract/errors.ts";
import { Refusal } from "../../contract/refusal.ts";
import { LineReader } from "../mcp/line-reader.ts";
import { isObject } from "./message.ts";

interface PipeTarget {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface PipeEvents {
  line(text: string): void;
  /** The connection is gone; what was not answered may or may not have been done. */
  closed(): void;
  /** What was written has left; more may follow. */
  drained(): void;
}

/** One connection to the server on which both sides speak as on stdio. */
export interface Pipe {
  /** Answers false when the other side is slow: wait for `drained` before sending much more. */
  send(frame: string): boolean;
  pause(): void;
  resume(): void;
  close(): void;
}

const openLimitMs = 10_000;

/** Opens a pipe. A refusal by the server is a Refusal; anything else that goes wrong may be tried again. */
export async function openPipe(target: PipeTarget, events: PipeEvents): Promise<Pipe> {
  const url = new URL("/mcp/pipe", target.origin);
  const { request } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  return upgrade(request, url, target.headers, events);
}

function upgrade(
  request: typeof requestType,
  url: URL,
  headers: PipeTarget["headers"],
  events: PipeEvents,
): Promise<Pipe> {
  return new Promise((resolve, reject) => {
    const asking = request(url, {
      headers: { ...headers, connection: "Upgrade", upgrade: "crewdeck-pipe" },
      agent: false,
    });
    const timer = setTimeout(() => asking.destroy(new Error("the server did not answer")), openLimitMs);
    asking.once("error", reject);
    asking.once("upgrade", (_response, socket, head) => resolve(makePipe(socket, head, events)));
    asking.once("response", (response) => void readRefusal(response).then(reject, reject));
    asking.once("close", () => clearTimeout(timer)).once("upgrade", () => clearTimeout(timer));
    asking.end();
  });
}

function makePipe(socket: Duplex, head: Buffer, events: PipeEvents): Pipe {
  const lines = new LineReader(Number.POSITIVE_INFINITY, { line: events.line, tooLong: () => undefined });
  socket.on("data", (chunk: Buffer) => lines.push(chunk));
  socket.on("error", () => socket.destroy());
  socket.on("end", () => socket.destroy());
  socket.once("close", events.closed);
  socket.on("drain", events.drained);
  if (head.length > 0) queueMicrotask(() => lines.push(head));
  return {
    send(frame) {
      // What came in one packet goes on in one, so that a cancellation right behind its call still meets it.
      socket.cork();
      process.nextTick(() => socket.uncork());
      return socket.write(`${frame}\n`);
    },
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    close: () => void socket.destroy(),
  };
}

const longestRefusal = 64 * 1024;

async function readRefusal(response: IncomingMessage): Promise<Error> {
  let body = "";
  for await (const chunk of response.setEncoding("utf8")) {
    body += chunk;
    if (body.length > longestRefusal) break;
  }
  const error = errorIn(body);
  if (error) return error;
  const status = response.statusCode ?? 0;
  if (status === 401) return new Refusal("UNAUTHORIZED", "The server did not accept the token.");
  return new Error(`the server answered with status ${status}`);
}

function errorIn(body: string): Refusal | undefined {
  try {
    const envelope: unknown = JSON.parse(body);
    const error = isObject(envelope) ? envelope["error"] : undefined;
    if (!isObject(error) || !isErrorCode(error["code"])) return undefined;
    const { code, message, hint } = error;
    return new Refusal(code, String(message), typeof hint === "string" ? hint : undefined);
  } catch {
    return undefined;
  }
}

const isErrorCode = (code: unknown): code is ErrorCode => typeof code === "string" && Object.hasOwn(errors, code);
