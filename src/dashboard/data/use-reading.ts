import { useCallback, useSyncExternalStore } from "react";
import type { ApiFailure } from "./api.ts";
import { type DeckState, deck } from "./deck.ts";
import type { Reading } from "./store.ts";

export interface Shown<T> {
  readonly value: T | undefined;
  readonly failure: ApiFailure | undefined;
  readonly isLoading: boolean;
  /** The link is down or the last reading failed: what is shown may no longer be true. */
  readonly isStale: boolean;
  reload(): void;
}

/** Data for a view: loaded once, kept true by events. Make the reading outside the component or memoise it. */
export function useReading<T>(reading: Reading<T>): Shown<T> {
  const subscribe = useCallback((listener: () => void) => deck.store.subscribe(reading, listener), [reading]);
  const snapshot = useSyncExternalStore(subscribe, () => deck.store.snapshot(reading));
  const { link } = useDeck();
  return {
    ...snapshot,
    isStale: link === "stale" || (snapshot.failure !== undefined && snapshot.value !== undefined),
    reload: () => void deck.store.reload(reading.key),
  };
}

export const useDeck = (): DeckState => useSyncExternalStore(deck.subscribe, () => deck.state);
