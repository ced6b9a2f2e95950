import type { AgentId, DeveloperId } from "../../contract/ids.ts";
import type { Threshold } from "../../contract/threshold.ts";
import type { HeardPlace } from "./news-model.ts";

export interface ContextPorts {
  /** The figures that this installation may set for itself, with what is in force. */
  listThresholds(): readonly Threshold[];
  /** Listens to what is committed, here or on another server, until `close`. */
  listen(ask: ListenAsk): Ear;
  /** Writes down up to where an agent has heard what concerns it, and which notices were part of it. */
  keepHeard(ask: {
    readonly agentId: AgentId;
    readonly place: HeardPlace;
    readonly noticeIds: readonly string[];
  }): Promise<void>;
}

interface ListenAsk {
  /** Whose call it is: while it listens, this agent is alive. */
  readonly agentId: AgentId | null;
  readonly developerId: DeveloperId;
  readonly limitMs: number;
  readonly signal: AbortSignal;
  /** Told every few seconds how long it has been. */
  progress?(seconds: number): void;
}

/** Why it is no longer listened: something came, the time is over, or the server stops. */
export type Roused = "event" | "timeout" | "stopping";

export interface Ear {
  /** From now on everything under these keys is heard, and nothing else. */
  attend(keys: readonly string[]): void;
  /** Sleeps until something is heard, at once if that has been since the last sleep. Looks at nothing meanwhile. */
  sleep(): Promise<Roused>;
  readonly waitedMs: number;
  close(): void;
}
