import { describe, expect, test } from "vitest";
import { DeveloperId, InstanceId } from "../../src/contract/ids.ts";
import { Refusal } from "../../src/contract/refusal.ts";
import { instanceStatuses, instanceTypes } from "../../src/contract/words.ts";
import type { Instance, InstanceStatus, InstanceType } from "../../src/domain/instance/model.ts";
import { checkType, decideStep, isSameWork, nameInstance, readRole } from "../../src/domain/instance/rules.ts";

const instanceOf = (fields: Partial<Instance>): Instance => ({
  id: InstanceId.parse("work-one"),
  type: "coding",
  status: "started",
  origin: "adopted",
  developerId: DeveloperId.parse("dev_ada"),
  tokenId: null,
  place: "here",
  repositoryPath: "/srv/shop",
  worktreePath: "/srv/shop",
  worktreeId: null,
  branch: "feature",
  baseBranch: "main",
  program: null,
  sessionName: null,
  parentId: null,
  taskId: null,
  reviewIteration: 0,
  grantedRounds: 0,
  pullNumber: null,
  pullUrl: null,
  endReason: null,
  run: null,
  prompt: null,
  createdAt: 1,
  updatedAt: 1,
  lastActivityAt: 1,
  terminatedAt: null,
  version: 1,
  ...fields,
});

/** Every step there is; all others are refused. */
const legal: Record<InstanceType, Partial<Record<InstanceStatus, InstanceStatus[]>>> = {
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

describe("the life of an instance", () => {
  test("[IN1, IN9] every step that is not in the table is refused with what is legal", () => {
    for (const type of instanceTypes) {
      for (const from of instanceStatuses) {
        const allowed = legal[type][from] ?? [];
        for (const to of instanceStatuses) {
          const step = () => decideStep(instanceOf({ type, status: from }), to, 5);
          if (allowed.includes(to)) expect(step().status).toBe(to);
          else expect(refusalOf(step)).toMatchObject({ code: "INVALID_TRANSITION", details: { from, to, allowed } });
        }
      }
    }
  });

  test.each([
    ["pr_created", "pr_merged", null, 9],
    ["pr_created", "pr_closed", null, 9],
    ["started", "terminated", null, 9],
    ["started", "abandoned", null, 9],
    ["pr_merged", "terminated", 4, 4],
  ] as const)("[IN9] from %s to %s it is over, and the first end counts", (status, to, terminatedAt, ended) => {
    expect(decideStep(instanceOf({ status, terminatedAt }), to, 9)).toMatchObject({ terminatedAt: ended });
  });

  test("[IN9] work that goes on has no end", () => {
    expect(decideStep(instanceOf({}), "waiting_review", 9)).not.toHaveProperty("terminatedAt");
  });

  test("[IN2] ids say the type and are fit for branches and folders", () => {
    const bytes = new Uint8Array([0, 31, 32, 255, 7, 9, 10, 11]);
    expect(nameInstance("coding", bytes)).toBe("work-0z0z79ab");
    expect(nameInstance("review", bytes)).toMatch(/^review-[0-9a-z]{8}$/);
    expect(nameInstance("planning", bytes)).toMatch(/^planning-[0-9a-z]{8}$/);
  });

  test("[IN6] a connection says coding or planning, and nothing else", () => {
    expect(readRole(undefined)).toBe("coding");
    expect(readRole("coding")).toBe("coding");
    expect(readRole("planning")).toBe("planning");
    expect(refusalOf(() => readRole("review"))).toMatchObject({ code: "FORBIDDEN" });
    expect(refusalOf(() => readRole("Planning"))).toMatchObject({ code: "INVALID_REQUEST" });
  });

  test("[IN7] a tool for one type is forbidden to the others", () => {
    expect(() => checkType(instanceOf({ type: "review" }), ["review"])).not.toThrow();
    expect(refusalOf(() => checkType(instanceOf({}), ["review"]))).toMatchObject({ code: "FORBIDDEN" });
  });

  test("[IN12] only an instance with a pull request is bound to its branch", () => {
    expect(isSameWork(instanceOf({ status: "started" }), "other")).toBe(true);
    expect(isSameWork(instanceOf({ status: "pr_created" }), "feature")).toBe(true);
    expect(isSameWork(instanceOf({ status: "pr_created" }), "other")).toBe(false);
  });
});

function refusalOf(act: () => unknown): Refusal {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error("expected a refusal");
}
