import { expect, test } from "vitest";
import { git } from "../git/scratch.ts";
import { commitIn, lines, openScene } from "./scene.ts";

const feature = (changes: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: 10 }, (_, at) => `${changes[at] ?? `a line of the feature ${at}`}\n`).join("");

test("[FC32, FC35] work that the base has in another form is told, and what it has only in part is not", async () => {
  const scene = openScene({ "a.txt": lines(), "long.txt": "the first line of two\nthe second line of two\n" });
  const worktree = (name: string, files: Readonly<Record<string, string>>): string => {
    const path = scene.worktree(name);
    for (const [at, [file, content]] of Object.entries(files).entries())
      commitIn(path, { [file]: content }, `${name} ${at}`);
    return path;
  };
  worktree("squashed", { "s.txt": feature(), "s2.txt": "more of the same work\n" });
  worktree("rebased", { "r.txt": feature({ 1: "of the rebased one" }), "r2.txt": "and its second part\n" });
  worktree("edited", { "e.txt": feature({ 1: "edited at the merge" }) });
  worktree("alone", { "x.txt": "nobody has taken this\nnor has anybody this\nor this line here\n" });
  // Only what one commit does is a question, and only where it touches a file of the work.
  worktree("half", { "h.txt": feature({ 1: "half of it one", 2: "half two again" }) });
  worktree("third", { "t.txt": feature({ 1: "a third of it" }) });
  worktree("elsewhere", { "w.txt": feature() });
  worktree("removal", { "long.txt": "the first line of two\n" });
  scene.worktree("idle");
  git(scene.path, "merge", "-q", "--squash", "squashed");
  git(scene.path, "commit", "-qm", "squashed");
  git(scene.path, "cherry-pick", "main~1..rebased");
  commitIn(scene.path, { "e.txt": feature({ 1: "as the reviewer wanted it" }) }, "edited");
  const five = [0, 1, 2, 3, 4].map((at) => feature({ 1: "half of it one", 2: "half two again" }).split("\n")[at]);
  commitIn(scene.path, { "h.txt": `${five.join("\n")}\n` }, "a part");
  commitIn(scene.path, { "t.txt": "a third of it\na line of the feature 2\na line of the feature 3\n" }, "less");
  commitIn(scene.path, { "others.txt": feature() }, "the same words in another file");
  commitIn(scene.path, { "long.txt": "the first line of two\nand one that is new\n" }, "removed, too");
  const { worktrees } = await scene.look();
  expect(Object.fromEntries(worktrees.map(({ branch, taken }) => [branch, taken]))).toEqual({
    main: null,
    alone: null,
    edited: "alike",
    half: "moot",
    third: null,
    elsewhere: null,
    removal: "moot",
    idle: null,
    rebased: "rebased",
    squashed: "squashed",
  });
  const half = worktrees.find(({ branch }) => branch === "half");
  expect(half?.doneBy).toEqual({
    commit: git(scene.path, "rev-parse", "main~3"),
    subject: "a part",
    paths: ["h.txt"],
  });
});
