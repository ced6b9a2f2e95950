import type { AgentId, CollisionId, DeveloperId, TaskId } from "../../contract/ids.ts";
import type { SymbolClash } from "../../contract/symbol-clash.ts";
import type { collisionVerdicts, OneOf } from "../../contract/words.ts";

/** An agent and the folder it works in. */
export interface Occupant {
  readonly agentId: AgentId;
  readonly developerId: DeveloperId;
  readonly name: string;
  readonly taskId: TaskId | null;
  readonly folder: string | null;
  readonly repo: string | null;
  readonly branch: string | null;
  readonly seenAt: number;
}

/** What is known of an agent's own changes and some files of theirs. */
export interface Forecast {
  readonly verdict: OneOf<typeof collisionVerdicts>;
  readonly since: number;
  /** Where it is the base that has moved on. */
  readonly baseBranch: string | null;
  readonly paths: readonly string[];
  /** Names in these files that one side counts on and the other takes away or changes. */
  readonly symbols: readonly (SymbolClash & { readonly path: string })[];
  /** Who works at the other end; null for the base, and where nobody is known to. */
  readonly other: Occupant | null;
}

/** A collision with who works at each of its ends; the base is no end. */
export interface KnownCollision {
  readonly collision: {
    readonly id: CollisionId;
    readonly repositoryPath: string;
    readonly verdict: OneOf<typeof collisionVerdicts>;
    readonly baseBranch: string | null;
    readonly places: readonly {
      readonly path: string;
      readonly heading: string | null;
      readonly symbol?: SymbolClash | undefined;
    }[];
    readonly one: string;
    readonly other: string | null;
    readonly since: number;
    readonly endedAt: number | null;
  };
  readonly ends: readonly { readonly path: string; readonly occupant: Occupant | null }[];
}

/** A moment at which a collision became something else. */
export interface Turn {
  readonly at: number;
  readonly what: "began" | "changed" | "ended";
  readonly verdict: string;
}
