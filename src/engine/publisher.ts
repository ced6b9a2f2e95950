import type { LedgerEntry } from "../contract/event.ts";
import type { Store } from "../storage/store.ts";
import { Authenticator } from "./authentication.ts";
import type { Feed } from "./feed.ts";
import type { Log } from "./log.ts";
import { People } from "./people.ts";

/**
 * Hands entries to the feed in order. Privacy first: who became private is known before the entry that says so is
 * shown, and whatever comes meanwhile waits behind it.
 */
export class Publisher {
  readonly #parts: { store: Store; feed: Feed; people: People; authenticator: Authenticator; log: Log };
  #refreshing: Promise<void> | undefined;

  constructor(parts: { store: Store; feed: Feed; people: People; authenticator: Authenticator; log: Log }) {
    this.#parts = parts;
  }

  publish(entries: readonly LedgerEntry[]): void {
    const { store, feed, people, authenticator, log } = this.#parts;
    if (entries.some(Authenticator.isAbout)) authenticator.forgetAll();
    const changesPeople = entries.some(People.isAbout);
    if (!changesPeople && this.#refreshing === undefined) {
      feed.publish(entries);
      return;
    }
    const turn = (this.#refreshing ?? Promise.resolve())
      .then(() => (changesPeople ? people.refresh(store) : undefined))
      .catch((error: unknown) => log.error({ err: error }, "people could not be read again"))
      .then(() => {
        feed.publish(entries);
        if (this.#refreshing === turn) this.#refreshing = undefined;
      });
    this.#refreshing = turn;
  }
}
