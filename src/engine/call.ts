import type { Caller } from "../contract/caller.ts";
import type { McpClient } from "../contract/client-patience.ts";
import type { Failure } from "../contract/envelope.ts";
import type { Seat } from "../contract/seat.ts";
import type { CallMaker } from "../contract/words.ts";
import type { OpenConnection } from "./presence.ts";

export type Transport = "mcp" | "http" | "cli";

/** One request to use a tool, the same whichever way it came in. */
export interface Call {
  readonly tool: string;
  readonly args: unknown;
  readonly caller: Caller;
  readonly transport: Transport;
  readonly signal?: AbortSignal | undefined;
  /** The same key from the same caller has effect once and is answered as the first time (ST22). */
  readonly idempotencyKey?: string | undefined;
  /** Tools this connection may not use, whatever is listed (LS6, LS8). */
  readonly isExcluded?: ((tool: string) => boolean) | undefined;
  /** The folder the client works in, as its connection says. */
  readonly folder?: string | undefined;
  /** Who sits there, as its connection says; nobody on this machine if left out. */
  readonly seat?: Seat | undefined;
  /** The connection it came by, where its client keeps one open between calls. */
  readonly connection?: OpenConnection | undefined;
  /** The program that speaks MCP at its other end. */
  readonly client?: McpClient | undefined;
  /** Whoever makes it passes nothing on to the agent it is made for: word for that agent waits for another answer (NC5). */
  readonly leavesNotices?: boolean | undefined;
  /** What of ours makes it in somebody's place; undefined for everybody else's calls. */
  readonly madeBy?: CallMaker | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

interface ReplyBase {
  readonly callId: string;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** What became of a call. `dispatch` never throws: a "no" is a value with advice. */
export type Reply =
  | (ReplyBase & { readonly ok: true; readonly value: unknown })
  | (ReplyBase & {
      readonly ok: false;
      readonly failure: Failure;
      readonly stage: Stage;
      /** The family of the tool that was called; undefined when there is none of that name. */
      readonly family: string | undefined;
    });

/** How far a call came before it was refused; protocols report an unknown tool or bad arguments in their own way. */
export type Stage = "lookup" | "arguments" | "work";
