import type { AgentId, DeveloperId } from "../contract/ids.ts";
import { type LifeSign, noteLifeSigns } from "../domain/agent/operations.ts";
import { listAgentsOfConnection } from "../domain/agent/queries.ts";
import type { House } from "./house.ts";
import { transactAsSystem } from "./system-work.ts";

/** How long what is known here may be unknown to the store, and so to other nodes: well below a minute (AG7). */
const writtenEveryMs = 20_000;

/** A connection that a client keeps open between its calls, and the agents that have worked on it. */
export interface OpenConnection {
  readonly key: string | null;
  /** Whether somebody is certainly at its other end, as with a socket; a session over HTTP may have been left. */
  readonly isHeard: () => boolean;
  readonly agents: Set<AgentId>;
  close(): void;
}

interface Present {
  readonly developerId: DeveloperId;
  readonly connections: Set<OpenConnection>;
  /** When a connection of its was last seen to be open. */
  hereAt: number;
  calledAt: number;
  /** Up to when the store knows that it was alive. */
  writtenAt: number;
  writtenCallAt: number;
  writtenKey: string | null;
}

const never = Number.NEGATIVE_INFINITY;

/**
 * Who is here: the agents of open connections, and when each last called. It is kept in memory, so that a sign of life
 * costs nothing; the sweep writes it down before it gives anybody up.
 */
export class Presence {
  readonly #now: () => number;
  readonly #present = new Map<AgentId, Present>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** How many connections are open on which an agent has worked. */
  get openConnections(): number {
    return new Set([...this.#present.values()].flatMap(({ connections }) => [...connections])).size;
  }

  open(ask: { readonly key?: string | undefined; readonly isHeard?: () => boolean } = {}): OpenConnection {
    const connection: OpenConnection = {
      key: ask.key ?? null,
      isHeard: ask.isHeard ?? (() => true),
      agents: new Set(),
      close: () => this.#leave(connection),
    };
    return connection;
  }

  /** An agent has called; over a connection that stays open it is alive for as long as that is. */
  called(id: AgentId, developerId: DeveloperId, connection: OpenConnection | undefined): void {
    const present = this.#of(id, developerId);
    present.calledAt = this.#now();
    if (connection) join(id, present, connection);
  }

  /** Finds the agents of a connection that was lost and has been taken up again (AG24). */
  async resume({ store }: Pick<House, "store">, developerId: DeveloperId, connection: OpenConnection): Promise<void> {
    const { key } = connection;
    if (key === null) return;
    for (const id of await store.read((db) => listAgentsOfConnection(db, { connectionKey: key, developerId }))) {
      const present = this.#of(id, developerId);
      present.writtenKey = key;
      join(id, present, connection);
    }
  }

  isElsewhere(id: AgentId, connection: OpenConnection | undefined): boolean {
    const others = [...(this.#present.get(id)?.connections ?? [])].filter((one) => one !== connection);
    return others.some((one) => one.isHeard());
  }

  /** Writes down who was alive since it was last written; nobody whose last note is fresh. */
  async write({ store, sources }: Pick<House, "store" | "sources">): Promise<void> {
    const now = this.#now();
    const due: LifeSign[] = [];
    for (const [id, present] of this.#present) {
      if (now - present.writtenAt < writtenEveryMs) continue;
      const sign = signOf(id, present, now);
      if (sign) due.push(sign);
      else this.#present.delete(id);
    }
    if (due.length === 0) return;
    await transactAsSystem(store, sources, (work) => noteLifeSigns(work, due));
    for (const { id, at, calledAt, connectionKey } of due) {
      const present = this.#present.get(id);
      if (!present) continue;
      present.writtenAt = at;
      present.writtenCallAt = calledAt ?? present.writtenCallAt;
      present.writtenKey = connectionKey ?? present.writtenKey;
    }
  }

  /** The clock was set back: nobody was here later than now, and all that was written is to be written again. */
  settle(): void {
    const now = this.#now();
    for (const present of this.#present.values()) {
      present.hereAt = Math.min(present.hereAt, now);
      present.calledAt = Math.min(present.calledAt, now);
      present.writtenAt = never;
      present.writtenCallAt = never;
    }
  }

  #leave(connection: OpenConnection): void {
    for (const id of connection.agents) {
      const present = this.#present.get(id);
      if (!present?.connections.delete(connection)) continue;
      present.hereAt = this.#now();
    }
    connection.agents.clear();
  }

  #of(id: AgentId, developerId: DeveloperId): Present {
    const known = this.#present.get(id) ?? {
      developerId,
      connections: new Set(),
      hereAt: never,
      calledAt: never,
      writtenAt: never,
      writtenCallAt: never,
      writtenKey: null,
    };
    this.#present.set(id, known);
    return known;
  }
}

function join(id: AgentId, present: Present, connection: OpenConnection): void {
  present.connections.add(connection);
  connection.agents.add(id);
}

/** What is to be written of an agent; nothing of one that has not been there since. */
function signOf(id: AgentId, present: Present, now: number): LifeSign | undefined {
  const { developerId, connections, calledAt, writtenAt, writtenCallAt, writtenKey } = present;
  const isHere = connections.size > 0;
  const at = Math.max(isHere ? now : present.hereAt, calledAt);
  const isNews = at > writtenAt || calledAt > writtenCallAt;
  if (!isNews) return undefined;
  const key = [...connections].at(-1)?.key ?? null;
  return {
    id,
    developerId,
    at,
    calledAt: calledAt > writtenCallAt ? calledAt : null,
    connectionKey: key === writtenKey ? null : key,
  };
}
