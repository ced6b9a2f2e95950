import { expect, test } from "vitest";
import { findMerge } from "../../src/adapters/git/merged.ts";
import { openRepository } from "../../src/adapters/git/repository.ts";
import { installedGit } from "../../src/adapters/git/run.ts";
import { makeRepository, type TestRepository } from "./scratch.ts";

/** A branch `work` with two commits, and `main` with one of its own beside it. */
function fork(): TestRepository {
  const repository = makeRepository();
  repository.git("checkout", "-q", "-b", "work");
  repository.commit("work 1", { "w1.txt": "1\n" });
  repository.commit("work 2", { "w2.txt": "2\n" });
  repository.git("checkout", "-q", "main");
  repository.commit("meanwhile", { "m.txt": "m\n" });
  return repository;
}

const mergeOf = async (repository: TestRepository): Promise<string | undefined> =>
  findMerge(await openRepository(installedGit, repository.path), "refs/heads/work", "refs/heads/main");

test.each([
  { rule: "GT26", how: "merged", act: ["merge", "-q", "--no-ff", "-m", "merge", "work"], expected: "ancestor" },
  { rule: "GT26", how: "rebased", act: ["cherry-pick", "main..work"], expected: "rebased" },
  { rule: "GT27", how: "left alone", act: ["status"], expected: undefined },
  { rule: "GT27", how: "taken over in part", act: ["cherry-pick", "work~1"], expected: undefined },
])("[$rule] a branch that was $how", async ({ act, expected }) => {
  const repository = fork();
  repository.git(...act);
  expect(await mergeOf(repository)).toBe(expected);
});

test("[GT26] a branch that was squashed, with work on the base before and after", async () => {
  const repository = fork();
  repository.git("merge", "-q", "--squash", "work");
  repository.commit("squashed");
  repository.commit("later", { "m.txt": "mm\n" });
  expect(await mergeOf(repository)).toBe("squashed");
});

test("[GT27] a squashed branch that went on is not merged", async () => {
  const repository = fork();
  repository.git("merge", "-q", "--squash", "work");
  repository.commit("squashed");
  repository.git("checkout", "-q", "work");
  repository.commit("work 3", { "w3.txt": "3\n" });
  expect(await mergeOf(repository)).toBeUndefined();
});

test("[GT27] a branch of another root is not merged", async () => {
  const repository = fork();
  repository.git("checkout", "-q", "--orphan", "other");
  repository.commit("alone", { "o.txt": "o\n" });
  const opened = await openRepository(installedGit, repository.path);
  expect(await findMerge(opened, "refs/heads/other", "refs/heads/main")).toBeUndefined();
});

test("[GT27] a merge on the branch may hold a resolution of its own, so its commits alone do not count", async () => {
  const repository = fork();
  repository.git("checkout", "-q", "work");
  repository.git("merge", "-q", "--no-commit", "--no-ff", "main");
  repository.commit("merge with something extra", { "extra.txt": "only here\n" });
  repository.git("checkout", "-q", "main");
  repository.git("cherry-pick", "work~2", "work~1");
  expect(await mergeOf(repository)).toBeUndefined();
});
