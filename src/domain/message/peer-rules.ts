import type { Caller } from "../../contract/caller.ts";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { PeerMessage, PeerType } from "./peer-model.ts";

/** As many words as a reader of the ledger needs to know what it was about. */
const longestExcerpt = 280;

export const excerptOf = (text: string): string => {
  const signs = [...text];
  return signs.length <= longestExcerpt ? text : `${signs.slice(0, longestExcerpt - 1).join("")}…`;
};

const words: Readonly<Partial<Record<PeerType, { what: string; hint: string }>>> = {
  ask: { what: "question", hint: "Only the one who was asked answers; your own wait for them." },
  handoff: { what: "handoff", hint: "Only the one it was offered to accepts it." },
};

/**
 * Whether the caller may close what waits for somebody: only the one it waits for, and once. Whoever wrote it is told
 * so; to everyone else it does not exist.
 */
export function checkMine(
  message: PeerMessage | undefined,
  type: "ask" | "handoff",
  caller: Caller,
): asserts message is PeerMessage {
  const { what, hint } = words[type] ?? { what: type, hint: "" };
  const isMine = message?.toDeveloperId === caller.developerId;
  if (message === undefined || message.messageType !== type || !(isMine || isBy(message, caller))) {
    throw new Refusal("NOT_FOUND", `No ${what} of that id waits for you.`, nextStep("seeMail"));
  }
  if (!isMine) throw new Refusal("FORBIDDEN", `The ${what} is not for you.`, hint);
  if (message.status !== "archived") return;
  throw new Refusal("INVALID_STATE", `The ${what} is closed already.`, nextStep("seeOpenMail"));
}

const isBy = (message: PeerMessage, caller: Caller): boolean => message.fromDeveloperId === caller.developerId;
