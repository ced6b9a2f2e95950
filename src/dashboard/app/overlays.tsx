import { useEffect } from "react";
import { useKeys } from "../page/keys.ts";
import { openOverlay, readOverlay, useOverlay } from "../page/overlay.ts";
import { lazyPart } from "../parts/lazy-part.tsx";
import { AgentDialogs } from "../parts/task-agents.tsx";

const Help = lazyPart("Help", () => import("./help.tsx"));
const Palette = lazyPart("Palette", () => import("./palette.tsx"));
const PlanDialog = lazyPart("PlanDialog", () => import("../views/plan/plan-dialog.tsx"));

const SimilarDialog = lazyPart("SimilarDialog", () => import("../views/plan/similar-dialog.tsx"));

const close = (): void => openOverlay(undefined);

/** The palette, the help and what people plan with, each loaded when it is first asked for. */
export function Overlays() {
  const shown = useOverlay();
  useKeys([
    { keys: "?", label: "Show keyboard shortcuts", reach: "everywhere", act: () => openOverlay("help") },
    { keys: "p t", label: "Plan a task", reach: "everywhere", act: () => openOverlay("plan-task") },
    { keys: "p w", label: "Plan a workstream", reach: "everywhere", act: () => openOverlay("plan-workstream") },
  ]);
  useEffect(() => {
    const find = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "k") return;
      event.preventDefault();
      openOverlay(readOverlay() === "palette" ? undefined : "palette");
    };
    window.addEventListener("keydown", find);
    return () => window.removeEventListener("keydown", find);
  }, []);
  return (
    <>
      <AgentDialogs />
      {shown === "help" && <Help onClose={close} />}
      {shown === "palette" && <Palette onClose={close} />}
      {shown === "plan-task" && <PlanDialog kind="task" onClose={close} />}
      {shown === "plan-workstream" && <PlanDialog kind="workstream" onClose={close} />}
      {shown === "similar-work" && <SimilarDialog onClose={close} />}
    </>
  );
}
