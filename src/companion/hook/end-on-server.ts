import { callTool, ServerRefusal, type Target } from "../server.ts";
import type { ClientSession } from "../sessions.ts";

/** A session that the server does not know, or has ended by itself, is over all the same. */
export async function endOnServer(
  target: Target,
  { session_id }: Pick<ClientSession, "session_id">,
  signal: AbortSignal,
): Promise<void> {
  try {
    await callTool(target, "covibe_session", { operation: "end", session_id }, { signal });
  } catch (error) {
    if (!(error instanceof ServerRefusal) || !over.includes(error.code)) throw error;
  }
}

const over = ["SESSION_NOT_FOUND", "INVALID_STATE", "FORBIDDEN"];
