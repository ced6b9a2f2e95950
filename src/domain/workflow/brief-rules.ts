import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import { isFinished, type Lifecycle } from "../lifecycle.ts";
import type { Brief, Phase, Profile } from "./brief-model.ts";

/** How many phases a profile expects when nobody says. */
const phasesOf: Readonly<Record<Profile, number>> = { simple: 2, standard: 3, complex: 4 };

export const expectedPhases = (profile: Profile): number => phasesOf[profile];

/** The current phase after phase `number` began: the highest started, and it never goes back (MI9). */
export const phaseBegun = (brief: Brief, number: number): number =>
  Math.max(brief.currentPhase, Math.min(number, brief.totalPhases));

/** The current phase after phase `number` was completed: the one after it where there is one (MI2). */
export const phaseEnded = (brief: Brief, number: number): number =>
  Math.max(brief.currentPhase, Math.min(number + 1, brief.totalPhases));

/** A mission that has ended takes no more tasks. */
export function checkIsOpen(brief: Brief, status: Lifecycle): void {
  if (isOpen(brief, status)) return;
  throw new Refusal("INVALID_STATE", "The mission has ended.", nextStep("startAnotherMission"));
}

/** A workflow without phases goes on with its next task, unless somebody ended it: then there is a word on how. */
export function checkCanGoOn(brief: Brief | undefined, status: Lifecycle): void {
  if (brief?.closing ? brief.closing.summary === "" : !isFinished(status)) return;
  throw new Refusal("INVALID_STATE", "The workflow has ended.", "Start a new one.");
}

/** A mission ends once. */
export function checkCanEnd(brief: Brief, status: Lifecycle): void {
  if (isOpen(brief, status)) return;
  throw new Refusal("INVALID_TRANSITION", "The mission has ended.", nextStep("startAnotherMission"), {
    from: brief.closing?.status ?? status,
    allowed: [],
  });
}

/** Another family may have brought the workflow to its end. */
const isOpen = (brief: Brief, status: Lifecycle): boolean => brief.closing === null && !isFinished(status);

/** A phase that ended stays ended, even if a late task is added to it. */
export const hasEnded = (phase: Phase): boolean => phase.status === "done" || phase.status === "failed";
