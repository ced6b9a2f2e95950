import type { Caller } from "../contract/caller.ts";
import type { HouseEvent } from "../contract/event.ts";
import type { AgentId, IdKind, IdTypes, InstanceId } from "../contract/ids.ts";
import type { CallMaker } from "../contract/words.ts";
import type { Db } from "../storage/db.ts";
import type { ErrandAsk } from "./errand.ts";

/** What is known of the connection a call came by. */
interface CallConnection {
  /** Its name, where the client keeps it and can take the connection up again after it was lost. */
  readonly key: string | null;
  /** Says which agent is behind the call: it is alive, and stays so for as long as the connection is open (AG22). */
  appears(id: AgentId): void;
  /** Whether an agent is at work on another open connection. */
  isElsewhere(id: AgentId): boolean;
}

/** What one operation works with: its transaction, its caller, its moment. Made anew by dispatch for every try. */
export interface Work {
  readonly db: Db;
  readonly caller: Caller;
  /** Fixed for the whole operation, so that everything it writes bears one time. */
  readonly now: number;
  readonly signal: AbortSignal;
  /** Which of several servers on one store this is; folders can be reached from one of them only. */
  readonly place: string;
  /** Whether other machines reach this server: there, agents have no say in what it looks at (RL5). */
  readonly isOpen?: boolean | undefined;
  readonly connection: CallConnection;
  /** The folder the client works in, where its connection says. */
  readonly folder?: string | undefined;
  /** What of ours makes the call in somebody's place, as it says itself; undefined for everybody else's calls. */
  readonly madeBy?: CallMaker | undefined;
  /** Tools this connection may not use (LS6); what searches the catalogue leaves them out. */
  readonly isExcluded?: ((tool: string) => boolean) | undefined;
  newId<Kind extends IdKind>(kind: Kind): IdTypes[Kind];
  /** Random bytes for secrets; injected, so that the core can be simulated. */
  randomBytes(count: number): Uint8Array;
  /** Appends an event to the ledger in the same transaction. */
  record(event: HouseEvent): void;
  /** Asks for outside work: committed in the same transaction, begun after the commit. */
  after(errand: ErrandAsk): void;
  /** Tells a waiting client how far a long operation is; dropped when nobody asked. */
  progress(done: number, total?: number, message?: string): void;
  /** Says which instance calls, so that a refusal can name it. */
  actsAs(id: InstanceId): void;
}

/** The same for what the server does of its own accord. */
export type SystemWork = Omit<Work, "caller" | "connection" | "actsAs">;
