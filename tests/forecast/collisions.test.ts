import { join } from "node:path";
import { expect, test } from "vitest";
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

  const own = await house.call<Outlook>("collision_list", ask, grace);
  expect(own.worktrees.map(({ branch, who }) => [branch, who?.developer])).toContainEqual(["refunds", "grace"]);
});
