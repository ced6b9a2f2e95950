import { expect, test } from "vitest";
import { git } from "../git/scratch.ts";
import { commitIn, lines, openScene } from "./scene.ts";

const feature = (changes: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: 10 }, (_, at) => `${changes[at] ?? `a line of the feature ${at}`}\n`).join("");

test("[FC32] work that the base has in another form is told, and what it has only in part is not", async () => {
  const scene = openScene({ "a.txt": lines() });
  const worktree = (name: string, files: Readonly<Record<string, string>>): string => {
    const path = scene.worktree(name);
    for (const [at, [file, content]] of Object.entries(files).entries())
      commitIn(path, { [file]: content }, `${name} ${at}`);
    return path;
  };
  worktree("squashed", { "s.txt": feature(), "s2.txt": "more of the same work\n" });
  worktree("rebased", { "r.txt": feature({ 1: "of the rebased one" }), "r2.txt": "and its second part\n" });
  worktree("edited", { "e.txt": feature({ 1: "edited at the merge" }) });
  worktree("half", { "h.txt": feature({ 1: "half of it one", 2: "half two", 3: "half three" }) });
  worktree("alone", { "x.txt": "nobody has taken this\nnor has anybody this\nor this line here\n" });
  scene.worktree("idle");
  git(scene.path, "merge", "-q", "--squash", "squashed");
  git(scene.path, "commit", "-qm", "squashed");
  git(scene.path, "cherry-pick", "main~1..rebased");
  commitIn(scene.path, { "e.txt": feature({ 1: "as the reviewer wanted it" }) }, "edited");
  commitIn(scene.path, { "h.txt": "half of it one\nhalf two\nhalf three\n" }, "a part");
  const { worktrees } = await scene.look();
  expect(Object.fromEntries(worktrees.map(({ branch, taken }) => [branch, taken]))).toEqual({
    main: null,
    alone: null,
    edited: "alike",
    half: null,
    idle: null,
    rebased: "rebased",
    squashed: "squashed",
  });
});
