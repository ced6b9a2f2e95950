import type { AgentId, DeveloperId } from "../contract/ids.ts";
import { noticeLivesMs } from "../domain/message/notice-model.ts";
import { takeNotices } from "../domain/message/notice-operations.ts";
import { listNotified } from "../domain/message/notice-queries.ts";
import type { PendingEntry, Store } from "../storage/store.ts";
import type { Keeper } from "./keepers/keepers.ts";
import type { Sources } from "./sources.ts";
import { transactAsSystem } from "./system-work.ts";

/** What may have left word for an agent. */
const tellingKinds: ReadonlySet<string> = new Set([
  "coordination.replied",
  "scope.confirmed",
  "scope.refused",
  "scope.joined",
  "claim.released",
  "collision.told",
  "base.told",
]);

/** One note as an answer carries it. */
interface CarriedNotice {
  readonly about: string;
  readonly text: string;
}

/**
 * Word that waits for agents. Who has none pays nothing: whose agents may have some is known here from the ledger, and
 * only for them the store is asked.
 */
export class Notices implements Keeper {
  readonly #parts: { readonly store: Store; readonly sources: Sources };
  readonly #notified = new Set<string>();

  constructor(parts: { readonly store: Store; readonly sources: Sources }) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    const { store, sources } = this.#parts;
    const since = sources.now() - noticeLivesMs;
    for (const id of await store.read((db) => listNotified(db, since))) this.#notified.add(id);
  }

  async close(): Promise<void> {
    this.#notified.clear();
  }

  /** What was committed here, at once, and what other nodes did, once it has its place in the ledger. */
  heed(events: readonly Pick<PendingEntry, "kind" | "developerId" | "data">[]): void {
    for (const { kind, developerId, data } of events) {
      if (!tellingKinds.has(kind)) continue;
      for (const id of [developerId, data["developer_id"]]) if (typeof id === "string") this.#notified.add(id);
    }
  }

  /** What these agents are to be told with the answer they are about to get; each note once. */
  async take(developerId: DeveloperId, agentIds: readonly AgentId[]): Promise<readonly CarriedNotice[]> {
    if (agentIds.length === 0 || !this.#notified.has(developerId)) return [];
    const { store, sources } = this.#parts;
    this.#notified.delete(developerId);
    const { notices, isAll } = await transactAsSystem(store, sources, (work) =>
      takeNotices(work, { developerId, agentIds }),
    );
    if (!isAll) this.#notified.add(developerId);
    return notices.map(({ about, text }) => ({ about, text }));
  }
}
