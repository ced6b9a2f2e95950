import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeMerge } from "../../src/adapters/git/merge-commits.ts";
import { openRepository } from "../../src/adapters/git/repository.ts";
import { installedGit } from "../../src/adapters/git/run.ts";
import { git, makeFolder, type TestRepository } from "../git/scratch.ts";
import { branch, open, openPullScene, type PullScene, show } from "./scene.ts";

const lines = (changes: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: 60 }, (_, at) => `${changes[at] ?? at}\n`).join("");

/** What git makes of it in a clone of its own, in which nothing but files says how they are merged. */
function askGit(repository: TestRepository, ...act: string[]): { readonly tree: string; readonly conflicts: string[] } {
  const clone = join(makeFolder(), "clone");
  repository.git("clone", "-q", repository.path, clone);
  git(clone, "config", "user.name", "Grace");
  git(clone, "config", "user.email", "grace@localhost");
  git(clone, "branch", "-q", "work/login", "origin/work/login");
  try {
    git(clone, ...act);
  } catch {
    const names = git(clone, "diff", "--name-only", "--diff-filter=U");
    return { tree: "", conflicts: names.split("\n") };
  }
  return { tree: git(clone, "rev-parse", "HEAD^{tree}"), conflicts: [] };
}

const acts = {
  merge: ["merge", "-q", "--no-ff", "-m", "merge", "work/login"],
  squash: ["merge", "-q", "--no-ff", "-m", "merge", "work/login"],
  rebase: ["rebase", "-q", "main", "work/login"],
} as const;

const files = {
  ".gitattributes": "CHANGELOG.md merge=union\n*.own merge=own\n*.bat text eol=crlf\n",
  "docs/.gitattributes": "*.txt merge=union\n",
  "CHANGELOG.md": "news\n",
  "a.own": lines(),
  "a.bat": lines(),
  "docs/list.txt": "docs\n",
};

/** A base and a branch that both change files of which `.gitattributes` say how they are merged. */
async function openScene(): Promise<PullScene & { readonly ran: string }> {
  const scene = await openPullScene();
  const { repository } = scene;
  const ran = join(makeFolder(), "ran");
  repository.git("config", "merge.own.driver", `touch ${ran}; true`);
  repository.commit("how files are merged", files);
  repository.git("branch", "-q", "-D", "work/login");
  const changed = (name: string, at: number) => ({
    "CHANGELOG.md": `${name}\nnews\n`,
    "docs/list.txt": `${name}\ndocs\n`,
    "a.own": lines({ [at]: name }),
    "a.bat": lines({ [at]: name }),
  });
  branch(repository, "work/login", changed("theirs", 50));
  repository.commit("meanwhile", changed("ours", 5));
  return { ...scene, ran };
}

test.each([
  "merge",
  "squash",
  "rebase",
] as const)("[PR29, GT1] a %s leaves what git would: union counts in every folder, no driver runs", async (method) => {
  const scene = await openScene();
  const { house, repository, ran } = scene;
  const expected = askGit(repository, ...acts[method]);
  await open(scene);

  expect((await show(scene, 1)).current).toMatchObject({ mergeable: true, conflicts: [] });
  expect(await house.call("pull_merge", { number: 1, method })).toMatchObject({ status: "merged" });

  expect(repository.git("rev-parse", "main^{tree}")).toBe(expected.tree);
  expect(repository.git("show", "main:CHANGELOG.md").split("\n").sort()).toEqual(["news", "ours", "theirs"]);
  expect(repository.git("status", "--porcelain")).toBe("");
  expect(existsSync(ran)).toBe(false);
});

test("[PR29, PR6] what is not to be merged is a conflict, as git has it, and the base's word counts", async () => {
  const scene = await openPullScene();
  const { house, repository } = scene;
  repository.commit("how files are merged", {
    ".gitattributes": "*.lock -merge\n*.data binary\nfree.lock merge\n",
    "a.lock": lines(),
    "b.data": lines(),
    "free.lock": lines(),
  });
  repository.git("branch", "-q", "-D", "work/login");
  const changed = (at: number) =>
    Object.fromEntries(["a.lock", "b.data", "free.lock"].map((file) => [file, lines({ [at]: "changed" })]));
  branch(repository, "work/login", { ...changed(50), ".gitattributes": "* merge\n" });
  const main = repository.commit("meanwhile", changed(5));
  await open(scene);

  for (const method of ["merge", "squash", "rebase"] as const) {
    const { conflicts } = askGit(repository, ...acts[method]);
    expect(conflicts).toEqual(["a.lock", "b.data"]);
    const reply = await house.reply("pull_merge", { number: 1, method });
    expect(reply, method).toMatchObject({ ok: false, failure: { code: "CONFLICT", files: conflicts } });
  }
  expect((await show(scene, 1)).current).toMatchObject({ mergeable: false, conflicts: ["a.lock", "b.data"] });
  expect(repository.git("rev-parse", "main")).toBe(main);
});

test("[PR29] a rebase merges each commit by what those before it say, as git does", async () => {
  const { repository } = await openPullScene();
  branch(repository, "work/two", { ".gitattributes": "b.txt merge=union\n" });
  repository.git("checkout", "-q", "work/two");
  const head = repository.commit("more", { "b.txt": "theirs\ntwo\n" });
  repository.git("checkout", "-q", "main");
  repository.git("branch", "-q", "-f", "work/login", "work/two");
  const base = repository.commit("meanwhile", { "b.txt": "ours\ntwo\n" });
  const by = { name: "Ada", email: "ada@example.com" };
  const ask = { base, head, message: "more", by, at: 1_700_000_000_000 };
  const opened = await openRepository(installedGit, repository.path);
  await expect(makeMerge(opened, { ...ask, method: "merge" })).rejects.toMatchObject({ code: "CONFLICT" });
  const made = await makeMerge(opened, { ...ask, method: "rebase" });
  expect(repository.git("rev-parse", `${made}^{tree}`)).toBe(askGit(repository, ...acts.rebase).tree);
});

test("[PR29] what is said but can't be heeded refuses the merge", async () => {
  const scene = await openPullScene();
  const { house, repository } = scene;
  writeFileSync(join(repository.path, ".gitattributes"), `*.txt merge=union\n${"# much\n".repeat(200_000)}`);
  const main = repository.commit("much", {});
  await open(scene);
  expect(await house.refusal("pull_merge", { number: 1, method: "merge" })).toBe("GIT_ERROR");
  expect(repository.git("rev-parse", "main")).toBe(main);
});
