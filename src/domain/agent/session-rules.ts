import type { Caller } from "../../contract/caller.ts";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import { type CallMaker, runtimes } from "../../contract/words.ts";
import type { Agent } from "./model.ts";
import type { Session } from "./session-model.ts";

/** A session acts only for the developer who started it (SN4). */
export function checkSessionOwner(session: Session, caller: Caller): void {
  if (session.developerId === caller.developerId) return;
  throw new Refusal("FORBIDDEN", `Session ${session.id} belongs to another developer.`, nextStep("ownSession"));
}

/** Silence never ends a session, its agent does; after that it stays ended. */
export function checkSessionOpen(session: Session): void {
  if (session.endedAt === null) return;
  throw new Refusal("INVALID_STATE", `Session ${session.id} has ended.`, nextStep("newSession"));
}

/** Clients spell their own name in several ways. */
export const isSameType = (one: string, other: string): boolean => plainType(one) === plainType(other);

const plainType = (type: string): string =>
  type
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, "-");

/** The runtime an agent type stands for: by its own name, or by the short one that people use (`gemini`, `claude`). */
export function runtimeOf(agentType: string | null): Agent["runtime"] {
  const word = plainType(agentType ?? "").replaceAll("-", "_");
  const spellings = [word, `${word}_cli`, `${word}_code`];
  return runtimes.find((runtime) => spellings.includes(runtime)) ?? "custom";
}

/** By which way the session is heard of now (SN20). What looks at the machine by itself is the watcher, whatever it reads. */
export function signalOf({
  madeBy,
  now,
}: {
  madeBy?: CallMaker | undefined;
  now: number;
}): Partial<Pick<Session, "hookAt" | "watchAt" | "callAt">> {
  if (madeBy === undefined || madeBy === "deck") return { callAt: now };
  return madeBy === "hook" ? { hookAt: now } : { watchAt: now };
}
