import { request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { baseUrlFrom } from "../../adapters/base-url.ts";
import { tokenFor } from "../../adapters/token.ts";
import { addressOf } from "../../contract/address.ts";
import { type ErrorCode, errors } from "../../contract/errors.ts";
import { Refusal } from "../../contract/refusal.ts";
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
import type { Context } from "./context.ts";
import { awaitServer, withProgress } from "./progress.ts";

type Method = "GET" | "POST";
type Headers = Readonly<Record<string, string>>;

/** The server as a command sees it; a refusal is thrown as the server worded it. */
export interface Api {
  readonly origin: string;
  /** What an address answers; what is in the path goes with the rest: `read("/api/tasks/:id", { id })`. */
  read<Path extends ReadPath>(path: Path, query: QueryAt<Path>): Promise<ReadAt<Path>>;
  post<Path extends WritePath>(path: Path, body: BodyAt<Path>): Promise<WrittenAt<Path>>;
  call<Name extends ToolName, const Args extends InputOf<Name>>(name: Name, args: Args): Promise<AnswerOf<Name, Args>>;
  /** Any tool with any arguments: the server says what it thinks of them. */
  callAny(name: string, args: unknown, idempotencyKey?: string): Promise<unknown>;
  /** A tool that tells how far it is. */
  callTelling<Name extends ToolName>(
    name: Name,
    args: InputOf<Name>,
    tell: (progress: CallProgress) => void,
  ): Promise<AnswerOf<Name>>;
}

interface CallProgress {
  readonly progress: number;
  readonly total: number;
}

/** The server to talk to: the one `COVIBE_BASE_URL` names, else the home's own, started if it does not run. */
export async function openApi(context: Pick<Context, "home" | "env">): Promise<Api> {
  const origin = baseUrlFrom(context.env) ?? (await awaitServer(context.home, { env: context.env })).url;
  return apiAt(origin, context);
}

export function apiAt(
  origin: string,
  { home, env }: Pick<Context, "home" | "env">,
  readToken = (): string | undefined => tokenFor(home, { origin, env }),
  limitMs = answerLimitMs,
): Api {
  const start = (method: Method, path: string, body: unknown, headers: Headers, hear?: (text: string) => void) => {
    const token = readToken();
    return send(
      new URL(path, origin),
      method,
      body,
      {
        "x-crewdeck-client": "cli",
        // The repository that a call is about, where it names none.
        "x-crewdeck-repo": encodeURI(process.cwd()),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      { limitMs, hear },
    );
  };
  const ask = async <T>(method: Method, path: string, body?: unknown, headers: Headers = {}): Promise<T> => {
    const text = await withProgress("Waiting for the server…", start(method, path, body, headers));
    // The server holds its answers to the definitions that the types here come from.
    return readEnvelope(text) as T;
  };
  return {
    origin,
    read: (path, query) => ask("GET", addressOf(path, query)),
    post: (path, body) => ask("POST", path, body),
    call: (name, args) => ask("POST", toolAddress(name), args),
    callAny: (name, args, key) =>
      ask("POST", toolAddress(name), args, key === undefined ? {} : { "idempotency-key": key }),
    async callTelling(name, args, tell) {
      const accept = { accept: "text/event-stream" };
      const reader = new EventReader((event, data) => {
        if (event === "progress") tell(JSON.parse(data) as CallProgress);
      });
      const text = await start("POST", toolAddress(name), args, accept, (chunk) => reader.read(chunk));
      return readEnvelope(reader.last ?? text) as AnswerOf<typeof name>;
    },
  };
}

const toolAddress = (name: string): string => `/api/tools/${encodeURIComponent(name)}`;

/** No tool but those that run a repository's checks or index it may take longer. */
const answerLimitMs = 5 * 60_000;
const checksLimitMs = 31 * 60_000;
const buildLimitMs = 11 * 60_000;

const limits: Readonly<Record<string, number>> = {
  [toolAddress("task_verify")]: checksLimitMs,
  [toolAddress("build_index")]: buildLimitMs,
};

/** Server-sent events of which each has one line of data. */
class EventReader {
  /** The data of the last one: what a call has come to. A refusal before the call is no event. */
  last: string | undefined;
  readonly #tell: (event: string, data: string) => void;
  #rest = "";

  constructor(tell: (event: string, data: string) => void) {
    this.#tell = tell;
  }

  read(text: string): void {
    const parts = `${this.#rest}${text}`.split("\n\n");
    this.#rest = parts.pop() ?? "";
    for (const part of parts) {
      const [, event = "", data = ""] = /^event: (.*)\ndata: (.*)$/.exec(part) ?? [];
      this.last = data;
      this.#tell(event, data);
    }
  }
}

interface SendOptions {
  readonly limitMs: number;
  /** Told of the answer as it comes. */
  readonly hear?: ((text: string) => void) | undefined;
}

function send(
  url: URL,
  method: Method,
  body: unknown,
  headers: Headers,
  { limitMs, hear }: SendOptions,
): Promise<string> {
  const request = url.protocol === "https:" ? secureRequest : plainRequest;
  const payload = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(unreachable(url, error));
    const asking = request(url, {
      method,
      agent: false,
      timeout: limits[url.pathname] ?? limitMs,
      headers: { ...headers, ...(payload === undefined ? {} : { "content-type": "application/json" }) },
    });
    asking.once("error", fail);
    asking.once("timeout", () => asking.destroy(new Error("no response in time")));
    asking.once("response", (response) => {
      const chunks: string[] = [];
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        chunks.push(chunk);
        hear?.(chunk);
      });
      response.once("error", fail);
      response.once("end", () => resolve(chunks.join("")));
    });
    asking.end(payload);
  });
}

const unreachable = (url: URL, error: Error): Refusal =>
  new Refusal("SERVER_UNREACHABLE", `The server at ${url.origin} cannot be reached (${error.message || "no answer"}).`);

function readEnvelope(text: string): unknown {
  const envelope = parse(text);
  if (envelope?.ok === true) return envelope.result;
  const error = envelope?.error;
  // A server that is about to end answers like this, in words that are not its own.
  if (envelope?.statusCode === 503) throw new Refusal("SERVER_UNREACHABLE", "The server is stopping.", "Call again.");
  if (typeof error !== "object") {
    throw new Refusal("SERVER_UNREACHABLE", "What answers there is not a Crewdeck server.", "Check COVIBE_BASE_URL.");
  }
  const code: ErrorCode = Object.hasOwn(errors, error.code) ? (error.code as ErrorCode) : "INTERNAL";
  throw new Refusal(code, error.message, error.hint, detailsOf(error.details));
}

/** As MCP has them: violations are a list of their own, other facts stand beside the code. */
const detailsOf = (details: unknown): Record<string, unknown> =>
  typeof details !== "object" || details === null ? {} : Array.isArray(details) ? { details } : { ...details };

interface Envelope {
  readonly ok?: boolean;
  readonly result?: unknown;
  readonly error?: { code: string; message: string; hint?: string; details?: unknown } | string;
  readonly statusCode?: number;
}

function parse(text: string): Envelope | undefined {
  try {
    return JSON.parse(text) as Envelope;
  } catch {
    return undefined;
  }
}
