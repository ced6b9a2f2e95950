import type { Caller } from "../contract/caller.ts";
import type { McpClient } from "../contract/client-patience.ts";
import type { HouseEvent } from "../contract/event.ts";
import type { AgentId, InstanceId } from "../contract/ids.ts";
import type { Seat } from "../contract/seat.ts";
import type { Db } from "../storage/db.ts";
import type { AgentPorts } from "./agent/port.ts";
import type { ArtifactPorts } from "./artifact/port.ts";
import type { CodeindexPorts } from "./codeindex/port.ts";
import type { ContextPorts } from "./context/port.ts";
import type { EvidencePorts } from "./evidence/port.ts";
import type { FindingPorts } from "./finding/port.ts";
import type { ForecastPorts } from "./forecast/port.ts";
import type { InstancePorts } from "./instance/port.ts";
import type { OverlapPorts } from "./overlap/port.ts";
import type { ProjectPorts } from "./project/port.ts";
import type { PullPorts } from "./pull/port.ts";
import type { ReviewPorts } from "./review/port.ts";
import type { TemplatePorts } from "./template/port.ts";
import type { UsagePorts } from "./usage/port.ts";
import type { WorktreePorts } from "./worktree/port.ts";

/**
 * What the domain needs of the world, in its own words; adapters do it. Asked before a transaction, never inside one:
 * a transaction that waits for a disk or a process would hold up everyone. Each noun says in its `port.ts` what it asks.
 */
export interface Ports {
  readonly agent: AgentPorts;
  readonly artifact: ArtifactPorts;
  readonly codeindex: CodeindexPorts;
  readonly context: ContextPorts;
  readonly evidence: EvidencePorts;
  readonly instance: InstancePorts;
  readonly finding: FindingPorts;
  readonly forecast: ForecastPorts;
  readonly overlap: OverlapPorts;
  readonly project: ProjectPorts;
  readonly review: ReviewPorts;
  readonly pull: PullPorts;
  readonly template: TemplatePorts;
  readonly usage: UsagePorts;
  readonly worktree: WorktreePorts;
}

/** How a call came in. */
interface LookConnection {
  /** The agents that have worked on it, where it stays open between calls. */
  readonly agents: readonly AgentId[];
  /** The program at its other end, where it speaks MCP. */
  readonly client: McpClient | undefined;
}

/** What a tool may use to look around before it works. */
export interface Look {
  /** The folder the client works in, if its connection says so; else the one the server was started in. */
  readonly folder: string;
  /** The same folder only where the connection itself says so, and who it says sits there. */
  readonly seat: Seat & { readonly folder: string | undefined };
  readonly caller: Caller;
  readonly now: number;
  /** Which of several servers on one store this is. */
  readonly place: string;
  readonly ports: Ports;
  readonly signal: AbortSignal;
  readonly connection: LookConnection;
  /** How long the call may take in all; 0 is without a limit. */
  readonly timeoutMs: number;
  /** The same for every try of one call, where its caller gave one. */
  readonly callKey: string | null;
  /** Tells a waiting client how far it is; missing where nobody asked. */
  readonly progress?: ((done: number, total: number, message: string) => void) | undefined;
  read<T>(body: (db: Db) => Promise<T>): Promise<T>;
  /** Says which instance calls, so that a refusal can name it. */
  actsAs(id: InstanceId): void;
  /**
   * For what was done outside and stays done, whatever becomes of the call: it is in the ledger even if the call is
   * cancelled or runs out of time before its transaction.
   */
  record(event: HouseEvent): void;
}
