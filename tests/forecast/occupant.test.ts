import { expect, test } from "vitest";
import type { AgentId, DeveloperId } from "../../src/contract/ids.ts";
import type { Occupant } from "../../src/domain/context/collision-model.ts";
import { findOccupant } from "../../src/domain/context/collision-rules.ts";

const ground = { repositoryPath: "/srv/shop", path: "/srv/shop-cart", branch: "cart" };

const someone = (more: Partial<Occupant>): Occupant => ({
  agentId: "ag_1" as AgentId,
  developerId: "dev_1" as DeveloperId,
  name: "Ada",
  taskId: null,
  folder: null,
  repo: null,
  branch: "cart",
  seenAt: 0,
  ...more,
});

test.each([
  ["/srv/shop", true],
  ["shop", true],
  ["acme/shop.git", true],
  ["acme/workshop", false],
  [null, false],
])("[FC14] an agent that names the repository %s and the branch is known by them: %s", (repo, isKnown) => {
  expect(findOccupant(ground, [someone({ repo })]) !== undefined).toBe(isKnown);
});

test("[FC14] an agent that names its folder is known by it alone", () => {
  const here = someone({ folder: "/srv/shop-cart", branch: "other" });
  expect(findOccupant(ground, [someone({ folder: "/srv/shop", repo: "shop" }), here])).toBe(here);
});
