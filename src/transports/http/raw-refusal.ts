import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { failedEnvelope, failureOf, metaOf } from "../../contract/envelope.ts";
import { errors } from "../../contract/errors.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { House } from "../../engine/house.ts";
import { newId } from "../../engine/sources.ts";
import { adviceHeaders } from "./answer.ts";
import { safetyHeaders } from "./safety-headers.ts";

/** Refuses on a bare socket, where no HTTP request was accepted: the same envelope and headers, then the end. */
export function refuseOnSocket(house: House, socket: Duplex, thrown: unknown, status?: number): void {
  const callId = newId(house.sources, "call");
  const failure = failureOf(thrown, callId);
  if (failure.code === "INTERNAL") house.log.error({ err: thrown, callId }, "a connection failed");
  const http = status ?? errors[failure.code].http;
  const now = house.sources.now();
  const body = JSON.stringify(failedEnvelope(failure, metaOf(callId, now, now)));
  const headers = {
    ...safetyHeaders,
    ...adviceHeaders(failure),
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${http} ${STATUS_CODES[http] ?? "Refused"}\r\n${lines.join("")}\r\n${body}`, () =>
    socket.destroy(),
  );
}

/** What the HTTP parser could not read, or did not get in time. */
export function refuseUnreadable(house: House, error: Error & { code?: string }, socket: Socket): void {
  // Where something was written before, an answer may be half way out, and a second one would end up inside it.
  if (error.code === "ECONNRESET" || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const refusal = new Refusal("INVALID_REQUEST", "The request could not be read.", "Send a plain HTTP request.");
  refuseOnSocket(house, socket, refusal, statuses[error.code ?? ""] ?? 400);
}

const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};
