import { Places } from "../storage/places.ts";

/** How many of one caller's readings of the ledger go on at one time; further ones wait for their turn. */
const mostOfCaller = 4;

/**
 * Turns at reading what is stored of the ledger. It can be millions of entries, so whoever asks for them again and again,
 * or reads them slowly, waits for their own turns and takes nobody else's (LV23).
 */
export class Replays {
  readonly #callers = new Map<string, { places: Places; users: number }>();

  /** Resolves with a function that ends the turn, to be called as often as one likes. */
  async take(caller: string, signal?: AbortSignal): Promise<() => void> {
    const own = this.#callers.get(caller) ?? { places: new Places(mostOfCaller), users: 0 };
    this.#callers.set(caller, own);
    own.users += 1;
    const leave = (): void => {
      own.users -= 1;
      if (own.users === 0) this.#callers.delete(caller);
    };
    try {
      const giveBack = await own.places.take(signal);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        giveBack();
        leave();
      };
    } catch (error) {
      leave();
      throw error;
    }
  }
}
