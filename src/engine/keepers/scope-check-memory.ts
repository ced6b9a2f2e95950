import { isIdOf, type ScopeCheckId } from "../../contract/ids.ts";
import { EscalationCap, mostRemembered } from "../../domain/overlap/engine/escalation-cap.ts";
import type { OverlapSettings } from "../../domain/overlap/engine/settings.ts";
import { listScopeCheckScores, type ScopeCheckScores } from "../../domain/overlap/scope-check-queries.ts";
import type { Store } from "../../storage/store.ts";

const isCheck = isIdOf("check");

/** Keeps in mind what the last checks found: from the store at first, then of every check the ledger tells of. */
export class ScopeCheckMemory {
  readonly #store: Store;
  readonly #cap = new EscalationCap();
  readonly #told = new Set<ScopeCheckId>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Takes note of an entry's subject if that is a check. */
  tell(subject: string): void {
    if (isCheck(subject)) this.#told.add(subject);
  }

  async load(): Promise<void> {
    this.#note(await this.#store.read((db) => listScopeCheckScores(db, { limit: mostRemembered })));
  }

  async catchUp(): Promise<void> {
    const ids = [...this.#told].slice(-mostRemembered);
    if (ids.length === 0) return;
    this.#note(await this.#store.read((db) => listScopeCheckScores(db, { ids, limit: ids.length })));
    // Only now: what a reading that failed was told of must not be lost.
    for (const id of ids) this.#told.delete(id);
  }

  /** The threshold in force. */
  raise(settings: OverlapSettings): number {
    return this.#cap.raise(settings);
  }

  #note(found: readonly ScopeCheckScores[]): void {
    for (const { kind, title, scores } of found) this.#cap.note(`${kind} ${title}`, scores);
  }
}
