import { useSyncExternalStore } from "react";

export type Overlay = "help" | "palette" | "plan-task" | "plan-workstream" | "similar-work";

let open: Overlay | undefined;
const listeners = new Set<() => void>();

/** Opens what lies over every view. */
export function openOverlay(overlay: Overlay | undefined): void {
  open = overlay;
  for (const listener of listeners) listener();
}

/** What lies over the view right now. */
export const useOverlay = (): Overlay | undefined => useSyncExternalStore(subscribe, readOverlay);

export const readOverlay = (): Overlay | undefined => open;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
