import type { ErrorCode } from "../contract/errors.ts";
import type { PendingEntry } from "../storage/store.ts";
import type { House } from "./house.ts";
import { newId } from "./sources.ts";

export interface Usage {
  readonly tool: string;
  readonly operation: string | undefined;
  readonly outcome: "ok" | "refused" | "error" | "replayed";
  /** How the answer said that it went, where it said so in a word. */
  readonly status?: string | undefined;
  readonly code?: string;
  readonly transport: string;
  readonly durationMs: number;
  /** Who acted, under every name it has. */
  readonly actor: Readonly<Record<string, string>>;
}

/** The one usage event every call leaves (LG16, LG17). It names what was called and how it ended, never the arguments. */
export function usageEntry(usage: Usage, at: number, developerId: string | null, callId: string): PendingEntry {
  const name = usage.operation === undefined ? usage.tool : `${usage.tool}.${usage.operation}`;
  const { tool, operation, outcome, code, transport, durationMs, actor } = usage;
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
      ...(usage.status === undefined ? {} : { status: usage.status }),
      ...(code === undefined ? {} : { code }),
      transport,
      duration_ms: durationMs,
      ...actor,
    },
    at,
    developerId,
    callId,
  };
}

/** What a stranger typed as a tool's name is kept short and plain, and a token pasted there not at all. */
export const unknownToolName = (name: string): string =>
  name
    .replace(/cdk_[\w-]*/gi, "token")
    .replace(/[^\w.-]/g, "?")
    .slice(0, 60) || "?";

/** The usage event of a call that was refused before it reached dispatch: no token, overload, a body that is no call. */
export function leaveUsage(
  house: Pick<House, "usage" | "sources">,
  call: { tool: string | undefined; code: ErrorCode; transport: string; developerId?: string | null },
): void {
  const tool = call.tool === undefined ? "malformed" : unknownToolName(call.tool);
  const { code, transport, developerId = null } = call;
  house.usage.add(
    usageEntry(
      { tool, operation: undefined, outcome: "refused", code, transport, durationMs: 0, actor: {} },
      house.sources.now(),
      developerId,
      newId(house.sources, "call"),
    ),
  );
}
