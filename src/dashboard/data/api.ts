import { addressOf } from "../../contract/address.ts";
import type { ToolEntry } from "../../contract/plain-routes.ts";
import type {
  AnswerOf,
  BodyAt,
  InputOf,
  QueryAt,
  ReadAt,
  ReadPath,
  ToolName,
  WritePath,
  WrittenAt,
} from "../../tools/calls.ts";
import { pageHeaders } from "./page-secret.ts";

/**
 * Calls to the server of this page. The cookie says who asks, together with this page's own half of the secret; the
 * browser adds the Origin that a change needs.
 */

/** A "no" of the server: what it is called, what it means and what to do next. */
export class ApiFailure extends Error {
  readonly code: string;
  readonly hint: string;
  readonly details: unknown;

  constructor(error: { code: string; message: string; hint?: string; details?: unknown }) {
    super(error.message);
    this.code = error.code;
    this.hint = error.hint ?? "";
    this.details = error.details;
  }
}

/** One of the addresses that read. What is in the path goes with the rest: `read("/api/tasks/:id", { id })`. */
export function read<Path extends ReadPath>(
  path: Path,
  query: QueryAt<Path>,
  signal?: AbortSignal,
): Promise<ReadAt<Path>> {
  return ask(addressOf(path, query), { method: "GET", ...(signal ? { signal } : {}) });
}

/** Any tool. A key makes a repeated call answer what the first one did. */
export function callTool<Name extends ToolName, const Args extends InputOf<Name>>(
  name: Name,
  args: Args,
  key?: string,
): Promise<AnswerOf<Name, Args>> {
  return send(toolAddress(name), args, key);
}

/** A tool of which only the catalogue knows what it takes. */
export const callListed = ({ name }: ToolEntry, args: object): Promise<unknown> => send(toolAddress(name), args);

export function post<Path extends WritePath>(path: Path, body: BodyAt<Path>): Promise<WrittenAt<Path>> {
  return send(path, body);
}

const toolAddress = (name: string): string => `/api/tools/${encodeURIComponent(name)}`;

function send<T>(path: string, body: object, key?: string): Promise<T> {
  const headers = {
    "content-type": "application/json",
    "x-crewdeck-made-by": "deck",
    ...(key === undefined ? {} : { "idempotency-key": key }),
  };
  const text = JSON.stringify(body);
  // What is sent while the page is left still arrives; browsers allow that for small bodies.
  return ask<T>(path, { method: "POST", headers, body: text, keepalive: text.length < 30_000 });
}

async function ask<T>(path: string, init: RequestInit): Promise<T> {
  const response = await fetch(path, {
    ...init,
    headers: { ...init.headers, ...pageHeaders() },
    credentials: "same-origin",
  }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw unreachable();
  });
  const body = (await response.json().catch(() => undefined)) as Envelope<T> | undefined;
  if (body === undefined) throw unreachable();
  if (!body.ok) throw new ApiFailure(body.error);
  return body.result;
}

type Envelope<T> =
  | { readonly ok: true; readonly result: T }
  | {
      readonly ok: false;
      readonly error: { code: string; message: string; hint?: string; details?: unknown };
    };

const unreachable = (): ApiFailure =>
  new ApiFailure({
    code: "UNREACHABLE",
    message: "Can’t reach the server.",
    hint: "Start it with `crewdeck up`. This page reconnects by itself.",
  });
