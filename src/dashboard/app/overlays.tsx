import { useEffect, useSyncExternalStore } from "react";
import { useKeys } from "../page/keys.ts";
import { lazyPart } from "../parts/lazy-part.tsx";

const Help = lazyPart("Help", () => import("./help.tsx"));
const Palette = lazyPart("Palette", () => import("./palette.tsx"));
const PlanDialog = lazyPart("PlanDialog", () => import("../views/plan/plan-dialog.tsx"));

export type Overlay = "help" | "palette" | "plan-task" | "plan-workstream";

let open: Overlay | undefined;
const listeners = new Set<() => void>();

/** Opens what lies over every view. */
export function openOverlay(overlay: Overlay | undefined): void {
  open = overlay;
  for (const listener of listeners) listener();
}

const close = (): void => openOverlay(undefined);

/** The palette, the help and what people plan with, each loaded when it is first asked for. */
export function Overlays() {
  const shown = useSyncExternalStore(subscribe, () => open);
  useKeys([
    { keys: "?", label: "Show the keys", reach: "everywhere", act: () => openOverlay("help") },
    { keys: "p t", label: "Plan a task", reach: "everywhere", act: () => openOverlay("plan-task") },
    { keys: "p w", label: "Plan a workstream", reach: "everywhere", act: () => openOverlay("plan-workstream") },
  ]);
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
    <>
      {shown === "help" && <Help onClose={close} />}
      {shown === "palette" && <Palette onClose={close} />}
      {shown === "plan-task" && <PlanDialog kind="task" onClose={close} />}
      {shown === "plan-workstream" && <PlanDialog kind="workstream" onClose={close} />}
    </>
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
