import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectPorts } from "../../src/adapters/git/locate.ts";
import { openTestHouse } from "../../src/testing/house.ts";
import type { AnswerOf } from "../../src/tools/calls.ts";
import { commitIn, lines, openScene } from "./scene.ts";

type Outlook = AnswerOf<"collision_list">;

test("[FC9, FC10] each worktree has its session's name, and a private person's is only somebody's", async () => {
  const house = await openTestHouse("sqlite");
  const scene = openScene({ "a.txt": lines() });
  const { caller: dana } = await house.developer("dana");
  const { caller: grace } = await house.developer("grace", { private: true });
  const work = async (name: string, caller: typeof dana): Promise<void> => {
    const worktree = scene.worktree(name);
    commitIn(worktree, { "a.txt": lines({ 5: name }) });
    await house.call("covibe_session", { operation: "start", repo: "shop", worktree }, caller);
  };
  await work("cards", dana);
  await work("refunds", grace);
  const ask = { repository_path: scene.path };

  const seen = await house.call<Outlook>("collision_list", ask, dana);
  expect(seen.collisions.map(({ between }) => between)).toEqual([[join(scene.around, "cards"), "@private"]]);
  expect(seen.worktrees.map(({ branch, who }) => [branch, who?.developer])).toEqual([
    ["main", undefined],
    ["cards", "dana"],
  ]);
  expect(JSON.stringify(seen)).not.toMatch(/refunds|grace/);

  // Where they collide is for those at its ends, and what is only between private people for nobody else.
  expect(seen.collisions[0]?.places.map(({ path }) => path)).toEqual(["a.txt"]);
  const { caller: hedy } = await house.developer("hedy", { private: true });
  await work("taxes", hedy);
  const third = await house.call<Outlook>("collision_list", ask);
  expect(third.collisions.map(({ between, places }) => [between[0], places])).toEqual([
    [join(scene.around, "cards"), []],
    [join(scene.around, "cards"), []],
  ]);
  const order = await house.call<AnswerOf<"merge_order">>("merge_order", ask);
  expect(order.steps.map(({ branch, conflicts }) => [branch, conflicts])).toEqual([
    ["cards", []],
    ["@private", []],
    ["@private", []],
  ]);
  expect(JSON.stringify([third, order])).not.toMatch(/a\.txt|refunds|taxes|grace|hedy/);

  const own = await house.call<Outlook>("collision_list", ask, grace);
  expect(own.worktrees.map(({ branch, who }) => [branch, who?.developer])).toContainEqual(["refunds", "grace"]);
});

test("[FC11] collision_list refuses what is no repository with INVALID_REQUEST, what nobody registered with FORBIDDEN, what git cannot read with GIT_ERROR", async () => {
  const house = await openTestHouse("sqlite");
  const scene = openScene();
  const refusal = (repository_path: string) => house.refusal("collision_list", { repository_path });
  expect(await refusal("shop")).toBe("INVALID_REQUEST");
  expect(await refusal(scene.around)).toBe("INVALID_REQUEST");
  const open = await openTestHouse("sqlite", { ports: { project: projectPorts(false) } });
  expect(await open.refusal("collision_list", { repository_path: scene.path })).toBe("FORBIDDEN");
  rmSync(join(scene.path, ".git", "packed-refs"), { force: true });
  mkdirSync(join(scene.path, ".git", "packed-refs"));
  expect(await refusal(scene.path)).toBe("GIT_ERROR");
});
