import type { Caller } from "../contract/caller.ts";
import type { LedgerEntry } from "../contract/event.ts";
import { listDevelopers } from "../domain/person/queries.ts";
import { Directory, type Viewer } from "../domain/person/viewer-model.ts";
import type { Store } from "../storage/store.ts";

/** Who is who, kept in memory because every event that leaves the house is asked about it (LV10). */
export class People {
  #directory = new Directory([]);

  async refresh(store: Store): Promise<void> {
    this.#directory = new Directory(await store.read((db) => listDevelopers(db)));
  }

  viewer({ developerId }: Caller): Viewer {
    return this.#directory.viewer(developerId);
  }

  static isAbout(entry: LedgerEntry): boolean {
    return entry.kind.startsWith("developer.");
  }
}
