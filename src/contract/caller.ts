import type { DeveloperId, InstanceId, TeamId, TokenId } from "./ids.ts";
import type { developerRoles, OneOf } from "./words.ts";

/** The kinds of client a token can be typed for (ID9). */
export const agentTypes = ["claude-code", "codex", "cursor"] as const;
export type AgentType = (typeof agentTypes)[number];

/** Who a tool is for. `person` means an untyped token; `owner` a person who administers the team. */
export type CallerKind = "agent" | "person" | "owner";

/**
 * Who calls, known from the token or the connection and never from an argument (SE8).
 * A typed token speaks for an agent and can never administer people or tokens.
 */
export interface Caller {
  readonly teamId: TeamId;
  readonly developerId: DeveloperId;
  readonly handle: string;
  readonly isPrivate: boolean;
  readonly role: OneOf<typeof developerRoles>;
  readonly tokenId: TokenId;
  readonly agentType: AgentType | null;
  /** The instance that the token was made for, if we started it: nobody else can speak as it (IN5). */
  readonly instanceId: InstanceId | null;
}

/** A person's own token, and neither an agent's nor an instance's. */
export const isPerson = (caller: Pick<Caller, "agentType" | "instanceId">): boolean =>
  caller.agentType === null && caller.instanceId === null;

/** Whether this caller may use a tool that is meant for `kinds`; everyone may use what agents may use. */
export function isCallerOf(caller: Caller, kinds: readonly CallerKind[]): boolean {
  if (kinds.includes("agent")) return true;
  if (!isPerson(caller)) return false;
  return kinds.includes("person") || caller.role === "owner";
}
