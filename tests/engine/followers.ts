import type { LedgerEntry } from "../../src/contract/event.ts";
import { cursorOf, seqOf } from "../../src/domain/ledger/cursor.ts";
import type { House } from "../../src/engine/house.ts";
import { letPass, until } from "../../src/testing/waiting.ts";

/** A client that goes away and comes back with its last cursor at moments of its own choosing. */
export class RestlessFollower {
  readonly seen: number[] = [];
  reconnects = 0;
  #cursor = cursorOf(0);
  #stop: () => void = () => undefined;
  #isOver = false;
  readonly #running: Promise<void>;

  constructor(house: House, nextPauseMs: () => number) {
    this.#running = this.#run(house, nextPauseMs);
  }

  /** Waits until the follower has come as far as `seq`, then ends it. */
  async finishAt(seq: number): Promise<readonly number[]> {
    await until(() => (this.seen.at(-1) ?? 0) >= seq);
    this.#isOver = true;
    await this.#running;
    return this.seen;
  }

  async #run(house: House, nextPauseMs: () => number): Promise<void> {
    while (!this.#isOver) {
      this.#stop = await house.feed.follow(seqOf(this.#cursor), { receive: (entries) => this.#receive(entries) });
      await letPass(nextPauseMs(), "a client comes and goes when it likes");
      this.#stop();
      this.reconnects += 1;
    }
  }

  #receive(entries: readonly LedgerEntry[]): void {
    for (const entry of entries) {
      this.seen.push(entry.seq);
      this.#cursor = cursorOf(entry.seq);
    }
  }
}

export const upTo = (count: number): number[] => Array.from({ length: count }, (_, place) => place + 1);
