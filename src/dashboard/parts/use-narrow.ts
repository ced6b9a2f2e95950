import { useSyncExternalStore } from "react";

/** The width from which css puts things below each other. */
const narrow = window.matchMedia("(max-width: 760px)");

/** Whether the window is as narrow as a phone, for what css alone cannot decide. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches);

function subscribe(listener: () => void): () => void {
  narrow.addEventListener("change", listener);
  return () => narrow.removeEventListener("change", listener);
}
