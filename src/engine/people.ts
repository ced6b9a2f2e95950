import type { LedgerEntry } from "../contract/event.ts";
import { listDevelopers } from "../domain/person/queries.ts";
import type { Store } from "../storage/store.ts";

/** Who is private, kept in memory because every event that leaves the house is asked about it (LV10). */
export class People {
  #private: ReadonlySet<string> = new Set();

  async refresh(store: Store): Promise<void> {
    const developers = await store.read((db) => listDevelopers(db));
    this.#private = new Set(developers.filter((developer) => developer.isPrivate).map((developer) => developer.id));
  }

  isHiddenFrom(developerId: string | null, viewerId: string): boolean {
    return developerId !== null && developerId !== viewerId && this.#private.has(developerId);
  }

  static isAbout(entry: LedgerEntry): boolean {
    return entry.kind.startsWith("developer.");
  }
}
