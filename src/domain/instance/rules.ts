import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Instance, InstanceStatus, InstanceType } from "./model.ts";

/** Where each type of instance can go from where it is (IN9). */
const steps: Record<InstanceType, Partial<Record<InstanceStatus, readonly InstanceStatus[]>>> = {
  coding: {
    started: ["waiting_review", "pr_created", "terminated", "abandoned"],
    waiting_review: ["started", "pr_created", "terminated", "abandoned"],
    pr_created: ["pr_merged", "pr_closed", "terminated", "abandoned"],
    pr_merged: ["terminated"],
    pr_closed: ["terminated"],
  },
  planning: {
    started: ["pr_created", "terminated", "abandoned"],
    pr_created: ["pr_merged", "pr_closed", "terminated", "abandoned"],
    pr_merged: ["terminated"],
    pr_closed: ["terminated"],
  },
  review: { started: ["terminated"] },
};

const overStatuses: readonly InstanceStatus[] = ["pr_merged", "pr_closed", "terminated", "abandoned"];

/** Nothing more is expected of it. */
export const isOver = ({ status }: Pick<Instance, "status">): boolean => overStatuses.includes(status);

export function decideStep(instance: Instance, to: InstanceStatus, now: number): Partial<Instance> {
  const { type, status: from } = instance;
  const allowed = steps[type][from] ?? [];
  if (!allowed.includes(to)) {
    throw new Refusal(
      "INVALID_TRANSITION",
      `A ${type} instance cannot go from ${from} to ${to}.`,
      allowed.length === 0 ? "Nothing follows this status." : `It can go to ${allowed.join(", ")}.`,
      { from, to, allowed },
    );
  }
  const ends = overStatuses.includes(to);
  return {
    status: to,
    updatedAt: now,
    lastActivityAt: now,
    ...(ends ? { terminatedAt: instance.terminatedAt ?? now } : {}),
  };
}

/** Each tool is for some types of instance only; nobody reviews their own work by saying so (IN7). */
export function checkType(instance: Instance, types: readonly InstanceType[]): void {
  if (types.includes(instance.type)) return;
  throw new Refusal(
    "FORBIDDEN",
    `This is for ${types.join(" and ")} instances; ${instance.id} is a ${instance.type} one.`,
    nextStep("useOwnReviewTools"),
  );
}

/** What an adopted connection says it is for. Whoever judges was asked to by us, and has a token that proves it. */
export function readRole(role: string | undefined): "coding" | "planning" {
  if (role === undefined || role === "coding") return "coding";
  if (role === "planning") return "planning";
  if (role === "review") {
    throw new Refusal(
      "FORBIDDEN",
      "Nobody can name itself a reviewer.",
      "Ask for a review; a reviewer is started then.",
    );
  }
  throw new Refusal("INVALID_REQUEST", "That role is unknown.", "Say coding or planning, or nothing.");
}

const words: Record<InstanceType, string> = { coding: "work", review: "review", planning: "planning" };
const letters = "0123456789abcdefghjkmnpqrstvwxyz";

/** A readable id (IN2), fit for a branch, a folder and a session as it is. */
export const nameInstance = (type: InstanceType, bytes: Uint8Array): string =>
  `${words[type]}-${[...bytes].map((byte) => letters[byte % 32]).join("")}`;

/** An adopted instance that has its pull request is done with that branch: another branch is other work. */
export const isSameWork = (instance: Instance, branch: string | null): boolean =>
  instance.status !== "pr_created" || instance.branch === branch;
