import type { AnswerOf } from "../../tools/calls.ts";
import { read } from "./api.ts";
import type { LiveEvent } from "./event.ts";
import { type Reading, readAgain } from "./store.ts";

export type Instance = AnswerOf<"instance_list">["instances"][number];

export const isAboutInstances = ({ kind }: LiveEvent): boolean => /^(instance|review|pull)\./.test(kind);

/** Agents with a work tree of their own, newest first. */
export const instancesReading: Reading<readonly Instance[]> = {
  key: "instances",
  load: async (signal) => (await read("/api/instances", { limit: 200 }, signal)).instances,
  applyEvent: (instances, event) => (isAboutInstances(event) ? readAgain : instances),
};

/** Programs that can be started; installed or not. */
export const programsReading: Reading<AnswerOf<"program_list">["programs"]> = {
  key: "programs",
  load: async (signal) => (await read("/api/programs", {}, signal)).programs,
};

const over: readonly Instance["status"][] = ["terminated", "abandoned", "pr_merged", "pr_closed"];

export const isOver = ({ status }: Pick<Instance, "status">): boolean => over.includes(status);

/** One word for how it stands: its program's where that is not simply running, else its work's. */
export function stateOf(instance: Pick<Instance, "status"> & { readonly program_state: string | null }): string {
  if (isOver(instance) || instance.program_state === null || instance.program_state === "running")
    return instance.status;
  return instance.program_state === "ended" ? instance.status : instance.program_state;
}

export const sayType: Readonly<Record<Instance["type"], string>> = {
  coding: "Coding",
  review: "Review",
  planning: "Planning",
};
