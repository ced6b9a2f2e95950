import type { AgentId, WarningId } from "../../contract/ids.ts";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import { useNamedSession } from "../agent/session-operations.ts";
import type { Work } from "../work.ts";
import { warningEvent } from "./events.ts";
import type { Warning } from "./model.ts";
import { findWarning, saveWarning } from "./warning-store.ts";

/** How a start ends the warnings about it: judged, confirmed the older way, or void because what they named is closed. */
export type Settlement =
  | { readonly status: "judged" }
  | { readonly status: "confirmed"; readonly reason: string }
  | { readonly status: "void" };

/** What was only disclosed stays as it is. */
export async function settleWarnings(
  work: Work,
  ids: readonly WarningId[],
  settlement: Settlement,
  subjectId: string,
): Promise<void> {
  for (const id of new Set(ids)) {
    const warning = await findWarning(work.db, id);
    if (warning?.status === "open") await settle(work, warning, settlement, subjectId);
  }
}

async function settle(work: Work, warning: Warning, settlement: Settlement, subjectId: string): Promise<void> {
  const updatedAt = work.now;
  switch (settlement.status) {
    case "judged":
      return saveWarning(work.db, warning, { status: "judged", reason: null, subjectId, updatedAt });
    case "confirmed": {
      const { reason } = settlement;
      await saveWarning(work.db, warning, { status: "confirmed", reason, subjectId, updatedAt });
      work.record(warningEvent.confirmed(warning.id, { subject_id: subjectId, reason }));
      return;
    }
    case "void": {
      const reason = "The work it named is closed.";
      await saveWarning(work.db, warning, { status: "dismissed", reason, subjectId, updatedAt });
      work.record(warningEvent.dismissed(warning.id, { reason, by_server: true }));
    }
  }
}

/** Puts a warning aside (GA30, GA31): by the one whose check it came from, and only while it is not settled. */
export async function dismissWarning(
  work: Work,
  ask: { id: WarningId; reason: string; sessionId: AgentId | undefined },
): Promise<{ warning: Warning; isRepeated: boolean }> {
  await useNamedSession(work, ask.sessionId);
  const warning = await findWarning(work.db, ask.id);
  if (!warning) throw new Refusal("NOT_FOUND", "No warning has that id.", nextStep("seeWarnings"));
  if (warning.developerId !== work.caller.developerId) {
    throw new Refusal(
      "FORBIDDEN",
      "The warning came from another developer's check.",
      "Dismiss only warnings of your own checks.",
    );
  }
  if (warning.status === "dismissed") return { warning, isRepeated: true };
  if (warning.status === "judged" || warning.status === "confirmed") {
    throw new Refusal("INVALID_STATE", `The warning was ${warning.status} already.`, "Nothing is left to dismiss.");
  }
  const changes = { status: "dismissed" as const, reason: ask.reason, updatedAt: work.now };
  await saveWarning(work.db, warning, changes);
  work.record(warningEvent.dismissed(warning.id, { reason: ask.reason, by_server: false }));
  return { warning: { ...warning, ...changes }, isRepeated: false };
}
