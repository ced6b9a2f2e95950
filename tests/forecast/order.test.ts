import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openForecast } from "../../src/adapters/forecast/forecast.ts";
import { projectPorts } from "../../src/adapters/git/locate.ts";
import { openTestHouse } from "../../src/testing/house.ts";
import type { AnswerOf } from "../../src/tools/calls.ts";
import { git, makeFolder } from "../git/scratch.ts";
import { commitIn, type ForecastScene, lines, listAll, openScene } from "./scene.ts";

type Order = AnswerOf<"merge_order">;

/** A branch, checked out nowhere, on which these lines of the file differ. */
function branch(scene: ForecastScene, name: string, changes: Readonly<Record<number, string>>): void {
  scene.git("checkout", "-q", "-b", name, "main");
  commitIn(scene.path, { "a.txt": lines(changes) });
  scene.git("checkout", "-q", "main");
}

test("[FC33] what merges comes first, fewest rivals before many, and what conflicts last, with whom and where", async () => {
  const house = await openTestHouse("sqlite");
  const scene = openScene({ "a.txt": lines() });
  branch(scene, "both", { 5: "both", 40: "both" });
  branch(scene, "top", { 5: "top" });
  branch(scene, "end", { 40: "end" });
  branch(scene, "apart", { 55: "apart" });
  scene.git("branch", "empty", "main");
  const before = listAll(scene.path);
  const ask = { repository_path: scene.path, branches: ["both", "top", "end", "apart", "empty"] };
  const { base, steps, left_out } = await house.call<Order>("merge_order", ask);
  const clean = { verdict: "clean", conflicts: [], against: [], command: null };
  expect({ base, steps, left_out }).toEqual({
    base: "main",
    steps: [
      { ...clean, branch: "apart" },
      { ...clean, branch: "end" },
      { ...clean, branch: "top" },
      {
        ...{ branch: "both", verdict: "conflict", conflicts: ["a.txt"], against: ["end", "top"] },
        command: "git rebase main both",
      },
    ],
    left_out: 0,
  });
  expect(listAll(scene.path)).toEqual(before);
});

test("[FC33, FC40] by default what is checked out is put in order, as it is committed; a private person's is only somebody's", async () => {
  const house = await openTestHouse("sqlite");
  const scene = openScene({ "a.txt": lines() });
  const { caller: grace } = await house.developer("grace", { private: true });
  const [cards, refunds] = [scene.worktree("cards"), scene.worktree("refunds")];
  commitIn(cards, { "a.txt": lines({ 5: "cards" }) });
  commitIn(refunds, { "a.txt": lines({ 20: "refunds" }) });
  scene.worktree("nothing");
  await house.call("covibe_session", { operation: "start", repo: "shop", worktree: refunds }, grace);
  const branchesFor = async (caller = house.owner) =>
    (await house.call<Order>("merge_order", { repository_path: scene.path }, caller)).steps.map(({ branch }) => branch);
  expect(await branchesFor()).toEqual(["cards", "@private"]);
  expect(await branchesFor(grace)).toEqual(["cards", "refunds"]);
});

test("[FC33] a conflict with the base itself names nobody", async () => {
  const house = await openTestHouse("sqlite");
  const scene = openScene({ "a.txt": lines() });
  branch(scene, "late", { 5: "late" });
  commitIn(scene.path, { "a.txt": lines({ 5: "main" }) });
  const { steps } = await house.call<Order>("merge_order", { repository_path: scene.path, branches: ["late"] });
  const conflict = { branch: "late", verdict: "conflict", conflicts: ["a.txt"], against: [] };
  expect(steps).toEqual([{ ...conflict, command: "git rebase main late" }]);
});

test("[FC40] branches go into the base that is asked for, and a conflict says how to rebase where its branch is", async () => {
  const house = await openTestHouse("sqlite");
  const scene = openScene({ "a.txt": lines() });
  branch(scene, "release", { 5: "release" });
  const folder = join(scene.around, "it's");
  scene.git("worktree", "add", "-q", "-b", "fix-it", folder, "main");
  commitIn(folder, { "a.txt": lines({ 5: "fix" }) });
  const ask = { repository_path: scene.path, branches: ["fix-it"] };
  expect((await house.call<Order>("merge_order", ask)).steps).toMatchObject([{ verdict: "clean", command: null }]);
  const { base, steps } = await house.call<Order>("merge_order", { ...ask, base: "release" });
  expect(base).toBe("release");
  expect(steps).toMatchObject([
    { verdict: "conflict", against: [], command: `git -C '${folder.replace("'", "'\\''")}' rebase release` },
  ]);
  expect(await house.refusal("merge_order", { ...ask, base: "none" })).toBe("INVALID_REQUEST");
});

test("[FC33, FC11] merge_order refuses an unknown branch and what is no repository with INVALID_REQUEST, what nobody registered with FORBIDDEN, what git cannot read with GIT_ERROR", async () => {
  const house = await openTestHouse("sqlite");
  const scene = openScene();
  const refusal = (repository_path: string, branches?: string[]) =>
    house.refusal("merge_order", { repository_path, ...(branches && { branches }) });
  for (const name of ["none", "main~1", "--all", "refs/heads/main", "HEAD"])
    expect(await refusal(scene.path, [name])).toBe("INVALID_REQUEST");
  expect(await refusal(scene.around)).toBe("INVALID_REQUEST");
  const open = await openTestHouse("sqlite", { ports: { project: projectPorts(false) } });
  expect(await open.refusal("merge_order", { repository_path: scene.path })).toBe("FORBIDDEN");
  rmSync(join(scene.path, ".git", "packed-refs"), { force: true });
  mkdirSync(join(scene.path, ".git", "packed-refs"));
  expect(await refusal(scene.path)).toBe("GIT_ERROR");
});

test("[FC33, FC34] whatever the branches change, git really merges the clean ones in that order, and none of the others", async () => {
  const places = fc.uniqueArray(fc.constantFrom(5, 20, 35, 50), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(fc.array(places, { minLength: 2, maxLength: 5 }), async (all) => {
      const scene = openScene({ "a.txt": lines() });
      for (const [at, changed] of all.entries())
        branch(scene, `b${at}`, Object.fromEntries(changed.map((line) => [line, `b${at}`])));
      const { order } = openForecast(makeFolder());
      const branches = all.map((_, at) => `b${at}`);
      const { steps } = await order({ folder: scene.path, branches }, new AbortController().signal);
      expect(steps.map((step) => step.branch).toSorted()).toEqual(branches);
      for (const step of steps) {
        const merges = canMerge(scene, step.branch);
        expect({ ...step, merges }).toMatchObject({ merges: step.verdict === "clean" });
      }
    }),
    { numRuns: 6 },
  );
});

/** Merges it for good where git can. */
function canMerge({ path }: ForecastScene, name: string): boolean {
  try {
    git(path, "merge", "-q", "--no-edit", name);
    return true;
  } catch {
    git(path, "merge", "--abort");
    return false;
  }
}
