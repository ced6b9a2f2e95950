import type { Caller } from "../../contract/caller.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Developer, Token } from "./model.ts";

/** The handle a git identity suggests: the e-mail's local part or the name, reduced to what a handle may hold. */
export function suggestHandle(identity: { name: string; email: string | null }): string {
  const source = identity.email?.split("@")[0] || identity.name;
  const handle = source
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40)
    .replace(/-+$/, "");
  return handle || "developer";
}

/** Owners manage everybody's tokens, members their own; an agent's token manages none. */
export function checkTokenRight(caller: Caller, developerId: Developer["id"]): void {
  if (caller.agentType === null && (caller.role === "owner" || caller.developerId === developerId)) return;
  throw new Refusal("FORBIDDEN", "Only the team's owner manages other people's tokens.");
}

export const isLive = (token: Token): boolean => token.revokedAt === null;
