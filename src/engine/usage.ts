import type { ErrorCode } from "../contract/errors.ts";
import type { PendingEntry, Store } from "../storage/store.ts";
import type { House } from "./house.ts";
import type { Log } from "./log.ts";
import { newId } from "./sources.ts";

export interface Usage {
  readonly tool: string;
  readonly operation: string | undefined;
  readonly outcome: "ok" | "refused" | "error" | "replayed";
  readonly code?: string;
  readonly transport: string;
  readonly durationMs: number;
  readonly agentId: string | undefined;
}

/** The one usage event every call leaves (C9). It names what was called and how it ended, never the arguments. */
export function usageEntry(usage: Usage, at: number, developerId: string | null, callId: string): PendingEntry {
  const name = usage.operation === undefined ? usage.tool : `${usage.tool}.${usage.operation}`;
  const { tool, operation, outcome, code, transport, durationMs, agentId } = usage;
  return {
    stream: "usage",
    kind: name,
    announced: name,
    subject: callId,
    channels: [],
    data: {
      tool,
      ...(operation === undefined ? {} : { operation }),
      outcome,
      ...(code === undefined ? {} : { code }),
      transport,
      duration_ms: durationMs,
      ...(agentId === undefined ? {} : { agent_id: agentId }),
    },
    at,
    developerId,
    callId,
  };
}

/** What a stranger typed as a tool's name is kept short and plain. */
export const unknownToolName = (name: string): string => name.replace(/[^\w.-]/g, "?").slice(0, 60) || "?";

/** The usage event of a call that was refused before it reached dispatch: no token, overload, a body that is no call. */
export function leaveUsage(
  house: Pick<House, "usage" | "sources">,
  call: { tool: string | undefined; code: ErrorCode; transport: string },
): void {
  const tool = call.tool === undefined ? "malformed" : unknownToolName(call.tool);
  const { code, transport } = call;
  house.usage.add(
    usageEntry(
      { tool, operation: undefined, outcome: "refused", code, transport, durationMs: 0, agentId: undefined },
      house.sources.now(),
      null,
      newId(house.sources, "call"),
    ),
  );
}

/** Under this age the events of calls that changed nothing may still be in memory only. */
const writeBehindMs = 200;
const mostBuffered = 500;

/** Keeps the usage of calls that changed nothing and writes it in batches; a clean stop loses none. */
export class UsageLog {
  readonly #store: Store;
  readonly #log: Log;
  #buffer: PendingEntry[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(store: Store, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  add(entry: PendingEntry): void {
    this.#buffer.push(entry);
    if (this.#buffer.length >= mostBuffered) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), writeBehindMs);
  }

  /** Writes what is buffered; later calls wait for earlier ones. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const entries = this.#buffer;
    this.#buffer = [];
    if (entries.length > 0) {
      this.#writing = this.#writing
        .then(() => this.#store.transact(async () => ({ value: undefined, entries })))
        .catch((error: unknown) => this.#log.warn({ err: error, lost: entries.length }, "usage events were lost"));
    }
    return this.#writing;
  }
}
