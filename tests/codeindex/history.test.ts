import { expect, test } from "vitest";
import { openGit } from "../../src/adapters/git/open.ts";
import { installedGit } from "../../src/adapters/git/run.ts";
import { GitHistory } from "../../src/codeindex/tree/git-history.ts";
import { makeRepository, type TestRepository } from "../git/scratch.ts";

const open = ({ path }: TestRepository) => new GitHistory(path, (signal) => openGit(installedGit, signal));

const headOf = (repository: TestRepository) => repository.git("rev-parse", "HEAD").trim();

function commitAs(repository: TestRepository, author: string, files: Readonly<Record<string, string>>): void {
  repository.commit(`by ${author}`, files);
  repository.git("commit", "-q", "--amend", "--no-edit", "--author", `${author} <author@example.com>`);
}

test("[PA16] authors, time and lines of a path are those of all its commits, and new commits are added to them", async () => {
  const repository = makeRepository({ "a.txt": "one\ntwo\n" });
  commitAs(repository, "Linus", { "a.txt": "one\nthree\n", "odd\nname": "x\n" });
  const history = open(repository);
  await history.read(headOf(repository), { withChurn: false });
  expect(history.of("a.txt")?.authors).toContain("Linus");
  expect(history.of("a.txt")?.churn).toBeUndefined();
  expect(history.of("odd\nname")?.authors).toEqual(["Linus"]);
  expect(history.of("none")).toBeUndefined();

  await history.read(headOf(repository), { withChurn: true });
  expect(history.of("a.txt")?.churn).toBe(4);
  commitAs(repository, "Grace", { "a.txt": "one\n" });
  await history.read(headOf(repository), { withChurn: false });
  expect(history.of("a.txt")).toMatchObject({ churn: 5 });
  expect(history.of("a.txt")?.authors).toEqual(["Grace", "Linus", "Ada Example"]);
});

test("[PA16] a history that was rewritten is read anew", async () => {
  const repository = makeRepository({ "a.txt": "one\n" });
  const start = headOf(repository);
  commitAs(repository, "Linus", { "b.txt": "b\n" });
  const history = open(repository);
  await history.read(headOf(repository), { withChurn: true });
  expect(history.of("b.txt")?.authors).toEqual(["Linus"]);
  repository.git("reset", "-q", "--hard", start);
  await history.read(headOf(repository), { withChurn: true });
  expect(history.of("b.txt")).toBeUndefined();
  expect(history.of("a.txt")?.churn).toBe(1);
  await history.read(null, { withChurn: true });
});

test("[PA17] each line has its author, looked up once for each content", async () => {
  const repository = makeRepository({ "a.txt": "one\ntwo\nthree\n" });
  commitAs(repository, "Linus", { "a.txt": "one\nTWO\nthree\n" });
  const history = open(repository);
  const lines = await history.readLines(headOf(repository), "a.txt", "key");
  expect(lines.length).toBe(3);
  expect(lines[1]).toBe("Linus");
  expect(lines[0]).not.toBe("Linus");
  expect(await history.readLines("nonsense", "a.txt", "key")).toBe(lines);
  expect(await history.readLines(headOf(repository), "gone.txt", "other")).toEqual([]);
});

test("[PA17] no file name can pretend to be an author", async () => {
  const forged = "\u00011\u0002Mallory";
  const repository = makeRepository({ [forged]: "x\n", "a.txt": "a\n" });
  const history = open(repository);
  for (const withChurn of [false, true]) {
    await history.read(headOf(repository), { withChurn });
    expect(history.of("a.txt")?.authors).not.toContain("Mallory");
    expect(history.of(forged)?.authors).toEqual(history.of("a.txt")?.authors);
  }
});
