import { createHash } from "node:crypto";
import type { Caller } from "../contract/caller.ts";
import type { LedgerEntry } from "../contract/event.ts";
import type { TokenId } from "../contract/ids.ts";
import { Refusal } from "../contract/refusal.ts";
import type { PageKey } from "../domain/person/deck-rules.ts";
import { authenticate, findCaller } from "../domain/person/operations.ts";
import type { Store } from "../storage/store.ts";

/** With several nodes on one database another node may revoke; its event reaches us, this bounds the wait if it does not. */
const trustedForMs = 1_000;
const mostRemembered = 10_000;

/**
 * Turns a token into its caller. Good tokens are remembered by their hash for a moment, and forgotten at once when a
 * token is revoked or a person changes. Bad ones are looked up every time; callers are rate limited before this.
 */
export class Authenticator {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #known = new Map<string, { caller: Caller; until: number }>();
  readonly #uses = new Map<TokenId, number>();
  #forgotten = 0;

  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  identify(token: string | undefined): Promise<Caller> {
    return this.#identify(token, "bearer");
  }

  /** Whom a deck's cookie speaks for, together with what its page sent along (HT80). */
  identifyDeck(cookie: string | undefined, page: string | undefined): Promise<Caller> {
    return this.#identify(cookie, { page });
  }

  async #identify(token: string | undefined, way: PageKey): Promise<Caller> {
    if (token === undefined || token === "") throw unauthorized();
    const key = createHash("sha256")
      .update(JSON.stringify([token, way]))
      .digest("base64");
    const known = this.#known.get(key);
    // What a clock that was ahead has remembered is not trusted until that date.
    const leftMs = known ? known.until - this.#now() : 0;
    if (known && leftMs > 0 && leftMs <= trustedForMs) return this.#used(known.caller);
    const knownSince = this.#forgotten;
    const caller = await this.#store.read((db) => authenticate(db, token, this.#now(), way));
    if (!caller) {
      this.#known.delete(key);
      throw unauthorized();
    }
    // What was read before something was revoked may already be untrue.
    if (knownSince !== this.#forgotten) return this.#used(caller);
    if (this.#known.size >= mostRemembered) this.#known.clear();
    this.#known.set(key, { caller, until: this.#now() + trustedForMs });
    return this.#used(caller);
  }

  /** When tokens were used since this was last asked. */
  takeUses(): ReadonlyMap<TokenId, number> {
    const uses = new Map(this.#uses);
    this.#uses.clear();
    return uses;
  }

  #used(caller: Caller): Caller {
    this.#uses.set(caller.tokenId, this.#now());
    return caller;
  }

  /** The same caller as things stand now, unless the token was revoked. */
  renew({ tokenId }: Caller): Promise<Caller | undefined> {
    return this.#store.read((db) => findCaller(db, tokenId, this.#now()));
  }

  forgetAll(): void {
    this.#forgotten += 1;
    this.#known.clear();
  }

  static isAbout(entry: Pick<LedgerEntry, "kind">): boolean {
    return entry.kind === "token.revoked" || entry.kind.startsWith("developer.");
  }
}

/** The same words whatever was wrong: missing, malformed, unknown, revoked, expired. */
const unauthorized = () => new Refusal("UNAUTHORIZED", "The call carries no valid token.");
