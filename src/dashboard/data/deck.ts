import type { Me } from "../../contract/plain-routes.ts";
import { ApiFailure, post, read } from "./api.ts";
import type { LiveEvent } from "./event.ts";
import { type LinkState, LiveLink } from "./live.ts";
import { forgetNames, learnName } from "./names.ts";
import { renewPageSecret, takeSignInCode } from "./page-secret.ts";
import { Store } from "./store.ts";

export interface DeckState {
  readonly phase: "starting" | "signed-out" | "signed-in" | "unreachable";
  readonly person: Me | undefined;
  readonly link: LinkState;
}

/** The page's one connection to its server: who is signed in, the store, and the link that keeps it true. */
class Deck {
  readonly store = new Store();
  state: DeckState = { phase: "starting", person: undefined, link: "connecting" };
  readonly #listeners = new Set<() => void>();
  readonly #eventListeners = new Set<(event: LiveEvent) => void>();
  #link: LiveLink | undefined;

  constructor() {
    this.store.whenSignedOut(() => this.leave());
  }

  /** The cursor is taken before anything is read, so that no change can fall between a reading and the link. */
  async begin(): Promise<void> {
    try {
      await addOwnHalf();
      const person = await read("/api/me", {});
      this.#follow(await findPlace());
      this.#turn({ phase: "signed-in", person });
    } catch (error) {
      const isKnown = error instanceof ApiFailure && error.code === "UNAUTHORIZED";
      if (isKnown) signInCode = undefined;
      this.#turn({ phase: isKnown ? "signed-out" : "unreachable" });
      if (!isKnown) setTimeout(() => void this.begin(), 2_000);
    }
  }

  leave(): void {
    this.#link?.stop();
    this.#turn({ phase: "signed-out", person: undefined });
    this.store.clear();
    forgetNames();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Every event as it comes, for what is no reading: notices, the tab's title. */
  onEvent(listener: (event: LiveEvent) => void): () => void {
    this.#eventListeners.add(listener);
    return () => this.#eventListeners.delete(listener);
  }

  #follow(cursor: string | undefined): void {
    this.#link?.stop();
    this.#link = new LiveLink({
      onEvent: (event) => {
        const name = event.data["name"];
        if (typeof name === "string") learnName(event.subject, name);
        this.store.applyEvent(event);
        for (const listener of this.#eventListeners) listener(event);
      },
      onState: (link) => {
        if (link === "ended") return this.leave();
        this.#turn({ link });
        if (link === "live") this.store.retryFailed();
      },
      findPlace,
      onReset: () => this.store.reset(),
    });
    this.#link.start(cursor);
  }

  #turn(change: Partial<DeckState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

let signInCode: string | undefined;

/** What the sign-in link left in the address is used up before anything else is asked. */
async function addOwnHalf(): Promise<void> {
  signInCode ??= takeSignInCode();
  if (signInCode === undefined) return;
  renewPageSecret();
  await post("/api/login/page", { code: signInCode });
  signInCode = undefined;
}

async function findPlace(): Promise<string | undefined> {
  const { events, next } = await read("/api/events", { newest: true, limit: 1 });
  return events.length > 0 ? next : undefined;
}

export const deck = new Deck();
