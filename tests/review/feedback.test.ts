import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { deliverFeedback } from "../../src/adapters/git/feedback.ts";
import { openGitHost } from "../../src/adapters/git/host.ts";
import { InstanceId } from "../../src/contract/ids.ts";
import { makeFolder, makeRepository, type TestRepository } from "../git/scratch.ts";

const file = "REVIEW_FEEDBACK.md";
const reviewId = InstanceId.parse("review-one");

/** A coder's branch in a repository's main folder, and a reviewer's beside it. */
function open() {
  const repository = makeRepository();
  repository.git("switch", "-q", "-c", "feature");
  const head = repository.commit("work", { "a.txt": "changed\n" });
  repository.git("branch", "-q", "review/one");
  const deliver = (content: string, path = repository.path, attempt = 1) =>
    deliverFeedback(openGitHost({ dataDir: makeFolder() })).run(
      {
        reviewId,
        repositoryPath: repository.path,
        coder: { path, branch: "feature" },
        reviewer: { branch: "review/one" },
        head,
        content,
        message: "Review feedback, round 1",
        at: 1_700_000_000_000,
      },
      { key: "k", attempt, signal: new AbortController().signal },
    );
  return { repository, head, deliver };
}

const read = ({ path }: TestRepository): string => readFileSync(join(path, file), "utf8");

describe("feedback by git", () => {
  test("[RV9, RV11] what is staged, edited and untracked stays as it is", async () => {
    const { repository, head, deliver } = open();
    repository.write("lib/b.txt", "staged\n");
    repository.git("add", "lib/b.txt");
    repository.write("lib/b.txt", "edited\n");
    repository.write("new.txt", "untracked\n");
    const before = repository.git("status", "--porcelain");
    const delivered = await deliver("one\n");
    expect(delivered).toEqual({
      merge: repository.git("rev-parse", "feature"),
      commit: expect.any(String),
      problem: null,
    });
    expect(repository.git("status", "--porcelain")).toBe(before);
    expect(repository.git("diff", "--cached", "--name-only")).toBe("lib/b.txt");
    expect(repository.git("show", ":lib/b.txt")).toBe("staged");
    expect(readFileSync(join(repository.path, "lib/b.txt"), "utf8")).toBe("edited\n");
    expect(read(repository)).toBe("one\n");
    expect(repository.git("diff", "--name-only", head, "feature")).toBe(file);
    expect(repository.git("rev-parse", "feature^2")).toBe(delivered.commit);
    expect(repository.git("rev-parse", "review/one")).toBe(delivered.commit);
  });

  test("[RV9] a later round takes the earlier one's place, on commits that came meanwhile", async () => {
    const { repository, deliver } = open();
    await deliver("one\n");
    const next = repository.commit("fixed", { "a.txt": "fixed\n" });
    expect(await deliver("two\n")).toMatchObject({ problem: null });
    expect(repository.git("rev-parse", "feature^1")).toBe(next);
    expect(read(repository)).toBe("two\n");
    expect(repository.git("status", "--porcelain")).toBe("");
  });

  test("[RV9, RV11] only the feedback reaches the coder, whatever else the reviewer committed", async () => {
    const { repository, head, deliver } = open();
    const folder = join(repository.around, "reviewer");
    repository.git("worktree", "add", "-q", folder, "review/one");
    writeFileSync(join(folder, "extra.txt"), "x\n");
    repository.git("-C", folder, "add", "-A");
    repository.git("-C", folder, "commit", "-q", "-m", "extra");
    expect(await deliver("one\n")).toMatchObject({ problem: null });
    expect(repository.git("diff", "--name-only", head, "feature")).toBe(file);
    expect(repository.git("ls-tree", "--name-only", "review/one")).toContain("extra.txt");
    expect(repository.git("show", `review/one:${file}`)).toBe("one");
  });

  test("[RV16] a run that was cut off after the branch had moved is finished, once", async () => {
    const { repository, deliver } = open();
    const first = await deliver("one\n");
    repository.git("rm", "-q", "--cached", file);
    repository.git("clean", "-fdq");
    writeFileSync(join(repository.path, ".git/index.lock"), "crewdeck is at work: review-one\n");
    expect(await deliver("one\n", repository.path, 2)).toEqual(first);
    expect(repository.git("rev-parse", "feature")).toBe(first.merge);
    expect(repository.git("status", "--porcelain")).toBe("");
    expect(existsSync(join(repository.path, ".git/index.lock"))).toBe(false);
  });

  test.each([
    ["the same file was edited", (one: TestRepository) => one.write(file, "mine\n"), "edited"],
    ["it is staged", (one: TestRepository) => [one.write(file, "mine\n"), one.git("add", file)], "staged"],
    ["it is a link", (one: TestRepository) => symlinkSync("/etc/hostname", join(one.path, file)), "no plain file"],
    ["it is a folder", (one: TestRepository) => mkdirSync(join(one.path, file)), "no plain file"],
    ["a rebase is under way", (one: TestRepository) => mkdirSync(join(one.path, ".git/rebase-merge")), "under way"],
    ["a bisect is under way", (one: TestRepository) => one.write(".git/BISECT_LOG", ""), "under way"],
    ["git is at work", (one: TestRepository) => writeFileSync(join(one.path, ".git/index.lock"), ""), "git is at work"],
    [
      "the branch is gone",
      (one: TestRepository) => [one.git("switch", "-q", "main"), one.git("branch", "-qD", "feature")],
      "gone",
    ],
  ] as const)("[RV10] nothing is touched when %s", async (_when, prepare, why) => {
    const { repository, deliver } = open();
    prepare(repository);
    const before = repository.git("status", "--porcelain");
    const delivered = await deliver("one\n");
    expect(delivered).toMatchObject({ merge: null, problem: expect.stringContaining(why) });
    expect(repository.git("rev-parse", "review/one")).toBe(delivered.commit);
    expect(repository.git("status", "--porcelain")).toBe(before);
  });

  test("[RV10] a branch that is checked out nowhere is merged without a folder", async () => {
    const { repository, deliver } = open();
    repository.git("switch", "-q", "main");
    expect(await deliver("one\n")).toMatchObject({ problem: null });
    expect(repository.git("show", `feature:${file}`)).toBe("one");
    expect(existsSync(join(repository.path, file))).toBe(false);
  });
});
