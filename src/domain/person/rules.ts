import { type Caller, isPerson } from "../../contract/caller.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Developer, Token } from "./model.ts";

/** The handle a git identity suggests: the e-mail's local part or the name, reduced to what a handle may hold. */
export function suggestHandle(identity: { name: string; email: string | null }): string {
  const source = identity.email?.split("@")[0] || identity.name;
  const handle = source
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40)
    .replace(/-+$/, "");
  return handle || "developer";
}

/** Whether a caller may know of a developer: a private one is unknown to all but themselves and the owner (ID15). */
export const isKnownTo = (developer: Developer, caller: Caller): boolean =>
  !developer.isPrivate || caller.developerId === developer.id || caller.role === "owner";

/** Owners manage everybody's tokens, members their own; an agent's token manages none. */
export function checkTokenRight(caller: Caller, developerId: Developer["id"]): void {
  if (isPerson(caller) && (caller.role === "owner" || caller.developerId === developerId)) return;
  throw new Refusal("FORBIDDEN", "Only the team's owner manages other people and their tokens.");
}

export const isLive = (token: Token, now: number): boolean =>
  token.revokedAt === null && !(token.expiresAt !== null && token.expiresAt <= now);

/** A label no other token of the developer has, so that each can be told apart in a list. */
export function chooseLabel(word: string, tokens: readonly Pick<Token, "label">[]): string {
  const taken = new Set(tokens.map(({ label }) => label));
  for (let place = 1; ; place += 1) {
    const label = place === 1 ? word : `${word} ${place}`;
    if (!taken.has(label)) return label;
  }
}
