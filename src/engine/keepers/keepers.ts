import type { House } from "../house.ts";

/** Something that outlives every call: it begins with the house or later, and ends with it. */
export interface Keeper {
  /** Whatever it left to others before the house was closed last time is found again here. */
  start?(): Promise<unknown>;
  /** Ends or lets go of what it keeps, and waits for what is under way. */
  close(): Promise<void>;
}

/** A keeper that uses the open house, such as one of processes: started last of all and closed first. */
export type KeeperOf = (house: House) => Keeper;

/** All that a house keeps, ended in the reverse order of its start, so that nobody loses what it stands on. */
export class Keepers implements Keeper {
  readonly #kept: Keeper[] = [];
  #closing: Promise<void> | undefined;

  async add<Kept extends Keeper>(keeper: Kept): Promise<Kept> {
    this.#kept.push(keeper);
    await keeper.start?.();
    return keeper;
  }

  /** One that cannot end keeps no other from ending; it is told of at the end. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const keeper of this.#kept.splice(0).reverse()) {
      await keeper.close().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }
}
