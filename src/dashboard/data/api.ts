/** Calls to the server of this page. The cookie says who asks; the browser adds the Origin that a change needs. */

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

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** One of the GET reads. Its answer has the shape the tool behind it publishes. */
export function read<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  return ask<T>(addressOf(path, query), { method: "GET", ...(signal ? { signal } : {}) });
}

/** Any tool of the catalogue or of the house. A key makes a repeated call answer what the first one did. */
export function callTool<T>(name: string, args: object = {}, key?: string): Promise<T> {
  return post<T>(`/api/tools/${encodeURIComponent(name)}`, args, key);
}

export function post<T>(path: string, body: object, key?: string): Promise<T> {
  const headers = { "content-type": "application/json", ...(key === undefined ? {} : { "idempotency-key": key }) };
  return ask<T>(path, { method: "POST", headers, body: JSON.stringify(body) });
}

export function addressOf(path: string, query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === "") continue;
    search.set(name, Array.isArray(value) ? value.join(",") : String(value));
  }
  const text = search.toString();
  return text === "" ? path : `${path}?${text}`;
}

async function ask<T>(path: string, init: RequestInit): Promise<T> {
  const response = await fetch(path, { ...init, credentials: "same-origin" }).catch((error: unknown) => {
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
    message: "The server does not answer.",
    hint: "Start it with `crewdeck up`; this page comes back by itself.",
  });
