import type { ErrorCode } from "../contract/errors.ts";
import type { PendingEntry } from "../storage/store.ts";
import type { House } from "./house.ts";
import { newId } from "./sources.ts";

export interface Usage {
  readonly tool: string;
  readonly operation: string | undefined;
  readonly outcome: "ok" | "refused" | "error" | "replayed";
  /** What a team tool answered: ok, warning, blocked or error. */
  readonly status?: string | undefined;
  readonly code?: string;
  readonly transport: string;
  readonly durationMs: number;
  readonly agentId: string | undefined;
  /** Whether the agent is one of the team family's sessions, and linked under that name too. */
  readonly isSession?: boolean;
}

/** The one usage event every call leaves (LG16, LG17). It names what was called and how it ended, never the arguments. */
export function usageEntry(usage: Usage, at: number, developerId: string | null, callId: string): PendingEntry {
  const name = usage.operation === undefined ? usage.tool : `${usage.tool}.${usage.operation}`;
  const { tool, operation, outcome, code, transport, durationMs, agentId, isSession = false } = usage;
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
      ...(agentId === undefined ? {} : { agent_id: agentId, ...(isSession ? { session_id: agentId } : {}) }),
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
      { tool, operation: undefined, outcome: "refused", code, transport, durationMs: 0, agentId: undefined },
      house.sources.now(),
      developerId,
      newId(house.sources, "call"),
    ),
  );
}
