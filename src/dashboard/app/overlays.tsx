import { lazy, Suspense, useEffect, useSyncExternalStore } from "react";
import { useKeys } from "./keys.ts";

const Help = lazy(async () => ({ default: (await import("./help.tsx")).Help }));
const Palette = lazy(async () => ({ default: (await import("./palette.tsx")).Palette }));

export type Overlay = "help" | "palette";

let open: Overlay | undefined;
const listeners = new Set<() => void>();

/** Opens what lies over every view. */
export function openOverlay(overlay: Overlay | undefined): void {
  open = overlay;
  for (const listener of listeners) listener();
}

const close = (): void => openOverlay(undefined);

/** The palette and the help, each loaded when it is first asked for. */
export function Overlays() {
  const shown = useSyncExternalStore(subscribe, () => open);
  useKeys([{ keys: "?", label: "Show the keys", act: () => openOverlay("help") }]);
  useEffect(() => {
    const find = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "k") return;
      event.preventDefault();
      openOverlay(open === "palette" ? undefined : "palette");
    };
    window.addEventListener("keydown", find);
    return () => window.removeEventListener("keydown", find);
  }, []);
  return (
    <Suspense>
      {shown === "help" && <Help onClose={close} />}
      {shown === "palette" && <Palette onClose={close} />}
    </Suspense>
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
