import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { followLocalPulls } from "../../src/engine/keepers/pull-keeper.ts";
import { forEachStore } from "../../src/testing/house.ts";
import { git, writeIn } from "../git/scratch.ts";
import { branch, open, openPullScene, show } from "./scene.ts";

const read = (path: string): string => readFileSync(path, "utf8");

forEachStore("a local pull request", (_open, kind) => {
  test("[PR1, PR2] is opened with a number and a page of its own, and followed to its merge", async () => {
    const scene = await openPullScene(kind);
    const { house, repository } = scene;
    const before = (await house.entries()).at(-1)?.seq ?? 0;

    const pull = await open(scene);

    expect(pull).toMatchObject({ number: 1, status: "open", url: "/pulls/1", problem: null });
    expect(pull.head).toBe(repository.git("rev-parse", "work/login"));
    expect(await show(scene, 1)).toMatchObject({
      current: { ahead: 1, behind: 0, mergeable: true, conflicts: [] },
      comments: [],
    });
    const merged = await house.call("pull_merge", { number: 1, method: "merge" });
    expect(merged).toMatchObject({ status: "merged", merge_method: "merge", problem: null });
    expect(repository.git("log", "-1", "--format=%s|%an|%P", "main")).toBe(
      `Merge pull request #1|Ada Example|${repository.git("rev-parse", "main^1")} ${pull.head}`,
    );
    expect(read(join(repository.path, "a.txt"))).toBe("one\nmore\n");
    expect(repository.git("status", "--porcelain")).toBe("");
    const kinds = (await house.entries("work", before)).map((entry) => entry.kind);
    expect(kinds).toEqual(["pull.requested", "pull.opened", "pull.merged"]);
  });

  test("[PR24] is marked as merged once somebody has merged its branch with git", async () => {
    const scene = await openPullScene(kind);
    const { house, repository } = scene;
    await open(scene);
    const { signal } = new AbortController();
    await followLocalPulls(house.house, signal);
    expect(await show(scene, 1)).toMatchObject({ status: "open" });
    const head = repository.git("rev-parse", "work/login");
    repository.git("branch", "-q", "-f", "work/login", "main");
    await followLocalPulls(house.house, signal);
    expect(await show(scene, 1)).toMatchObject({ status: "open" });
    repository.git("branch", "-q", "-f", "work/login", head);
    repository.git("merge", "-q", "--no-ff", "-m", "by hand", "work/login");
    await followLocalPulls(house.house, signal);
    expect(await show(scene, 1)).toMatchObject({ status: "merged", merge_method: null });
    await followLocalPulls(house.house, signal);
    const merged = (await house.entries("work")).filter((entry) => entry.kind === "pull.merged");
    expect(merged).toHaveLength(1);
  });

  test("[PR27] follows its branch, and waits for a decision again once it has moved", async () => {
    const scene = await openPullScene(kind);
    const { house, repository } = scene;
    await open(scene);
    const { signal } = new AbortController();
    const commit = (message: string): string => {
      repository.git("checkout", "-q", "work/login");
      const head = repository.commit(message, { "a.txt": `${message}\n` });
      repository.git("checkout", "-q", "main");
      return head;
    };
    const waiting = async (): Promise<string[]> =>
      (await house.call<{ items: { kind: string; id: string }[] }>("inbox")).items.flatMap(({ kind, id }) =>
        kind === "pull_request" ? [id] : [],
      );
    // A commit that whoever sends it back has seen, and that nobody has taken note of yet, is no answer to it.
    const seen = commit("seen");
    expect(await house.call("pull_send_back", { number: 1, summary: "Test it." })).toMatchObject({ head: seen });
    await followLocalPulls(house.house, signal);
    expect(await show(scene, 1)).toMatchObject({ sent_back: true, head: seen });
    expect(await waiting()).toEqual([]);
    const head = commit("tested");
    await followLocalPulls(house.house, signal);
    await followLocalPulls(house.house, signal);
    expect(await show(scene, 1)).toMatchObject({ status: "open", sent_back: false, head });
    expect(await waiting()).toEqual(["1"]);
    const moved = (await house.entries("work")).filter((entry) => entry.kind === "pull.moved");
    expect(moved.map(({ data }) => data)).toMatchObject([{ number: 1, head }]);
  });

  test("[PR24] is marked as merged with what came onto its branch since it was looked at", async () => {
    const scene = await openPullScene(kind);
    const { house, repository } = scene;
    await open(scene);
    repository.git("checkout", "-q", "work/login");
    repository.commit("more", { "c.txt": "c\n" });
    repository.git("checkout", "-q", "main");
    repository.git("merge", "-q", "--no-ff", "-m", "by hand", "work/login");
    await followLocalPulls(house.house, new AbortController().signal);
    expect(await show(scene, 1)).toMatchObject({ status: "merged", merge_method: null });
  });

  test("[PR3] is opened once for a branch; asked for again it follows the branch", async () => {
    const scene = await openPullScene(kind);
    const first = await open(scene);
    const again = await open(scene, { title: "Another title" });
    expect(again).toEqual({ ...first, updated_at: expect.any(String) });
    scene.repository.git("checkout", "-q", "work/login");
    const head = scene.repository.commit("more", { "c.txt": "c\n" });
    expect(await open(scene)).toMatchObject({ number: first.number, head });
  });

  test("[PR9, PR10] is sent back with what was said about its lines, once", async () => {
    const scene = await openPullScene(kind);
    const { house, repository } = scene;
    await open(scene);
    expect(await house.refusal("pull_send_back", { number: 1 })).toBe("INVALID_INPUT");
    await house.call("pull_comment", { number: 1, body: "Why?", path: "a.txt", line: 2 });
    expect(await house.refusal("pull_comment", { number: 1, body: "Why?", line: 2 })).toBe("INVALID_INPUT");
    expect(await house.call("pull_send_back", { number: 1 })).toMatchObject({ sent_back: true, status: "open" });
    expect((await show(scene, 1)).comments).toMatchObject([{ path: "a.txt", line: 2, body: "Why?", sent: true }]);
    repository.git("checkout", "-q", "work/login");
    repository.commit("better", { "a.txt": "one\nbetter\n" });
    repository.git("checkout", "-q", "main");
    await open(scene);
    expect(await show(scene, 1)).toMatchObject({ sent_back: false });
  });

  test("[PR11] is closed without touching its branch, and is then over", async () => {
    const scene = await openPullScene(kind);
    const { house, repository } = scene;
    const { head } = await open(scene);
    expect(await house.call("pull_close", { number: 1 })).toEqual({ number: 1, status: "closed" });
    expect(repository.git("rev-parse", "work/login")).toBe(head);
    for (const tool of ["pull_close", "pull_merge", "pull_send_back"]) {
      expect(await house.refusal(tool, { number: 1 })).toBe("INVALID_STATE");
    }
    expect(await open(scene)).toMatchObject({ number: 2, status: "open" });
  });

  test("[PR4] of a private person is nobody else's business", async () => {
    const scene = await openPullScene(kind);
    const { house, repository } = scene;
    const { caller } = await house.developer("eve", { private: true });
    const ask = { repository: repository.path, branch: "work/login", title: "Secret" };
    await house.call("pull_open", ask, caller);
    expect(await house.call("pull_list", {}, caller)).toMatchObject({ pulls: [{ title: "Secret" }] });
    expect(await house.call("pull_list")).toEqual({ pulls: [] });
    for (const tool of ["pull_get", "pull_diff", "pull_merge", "pull_close"]) {
      expect(await house.refusal(tool, { number: 1 })).toBe("NOT_FOUND");
    }
  });
});

test("[PR5] a squash is one commit with the title and the text, a rebase keeps who wrote what", async () => {
  const scene = await openPullScene();
  const { house, repository } = scene;
  await open(scene);
  await house.call("pull_merge", { number: 1, method: "squash" });
  expect(repository.git("log", "-1", "--format=%s|%b|%p", "main")).toBe(
    `Add a login (#1)|As asked.\n|${repository.git("rev-parse", "--short", "main~1")}`,
  );
  git(repository.path, "checkout", "-q", "-b", "work/two", "main~1");
  repository.commit("two, first", { "d.txt": "d\n" });
  const author = repository.git("-c", "user.name=Grace", "log", "-1", "--format=%an %ad");
  repository.commit("two, second", { "e.txt": "e\n" });
  repository.git("checkout", "-q", "main");
  const base = repository.git("rev-parse", "main");
  await open(scene, { branch: "work/two" });
  expect(await house.call("pull_merge", { number: 2, method: "rebase" })).toMatchObject({ status: "merged" });
  expect(repository.git("log", "--format=%s", `${base}..main`)).toBe("two, second\ntwo, first");
  expect(repository.git("log", "-1", "--format=%an %ad", "main~1")).toBe(author);
  expect(repository.git("status", "--porcelain")).toBe("");
});

test("[PR6] a conflict is refused with its files, and nothing moves", async () => {
  const scene = await openPullScene();
  const { house, repository } = scene;
  await open(scene);
  const main = repository.commit("other", { "a.txt": "zero\n" });
  expect((await show(scene, 1)).current).toMatchObject({ mergeable: false, conflicts: ["a.txt"] });
  for (const method of ["merge", "squash", "rebase"]) {
    const reply = await house.reply("pull_merge", { number: 1, method });
    expect(reply).toMatchObject({ ok: false, failure: { code: "CONFLICT", files: ["a.txt"] } });
    if (!reply.ok) expect(reply.failure.message).toContain("a.txt");
  }
  expect(repository.git("rev-parse", "main")).toBe(main);
  expect(await show(scene, 1)).toMatchObject({ status: "open" });
});

test("[PR7] changed files where the base is checked out are named and left alone; untracked ones are no obstacle", async () => {
  const scene = await openPullScene();
  const { house, repository } = scene;
  await open(scene);
  writeIn(repository.path, "b.txt", "my own\n");
  const reply = await house.reply("pull_merge", { number: 1 });
  expect(reply).toMatchObject({ ok: false, failure: { code: "INVALID_STATE", files: ["b.txt"] } });
  expect(read(join(repository.path, "b.txt"))).toBe("my own\n");
  repository.git("checkout", "-q", "b.txt");
  writeIn(repository.path, "untracked.txt", "keep\n");
  expect(await house.call("pull_merge", { number: 1 })).toMatchObject({ status: "merged" });
  expect(read(join(repository.path, "untracked.txt"))).toBe("keep\n");
  expect(existsSync(join(repository.path, "new.txt"))).toBe(true);
});

test("[PR7] an untracked file that a merge would replace stays as it is", async () => {
  const scene = await openPullScene();
  const { house, repository } = scene;
  await open(scene);
  writeFileSync(join(repository.path, "new.txt"), "mine\n");
  const reply = await house.reply("pull_merge", { number: 1 });
  expect(reply).toMatchObject({ ok: false, failure: { code: "INVALID_STATE" } });
  if (!reply.ok) expect(reply.failure.message).toContain("new.txt");
  expect(await show(scene, 1)).toMatchObject({ status: "open" });
  expect(read(join(repository.path, "new.txt"))).toBe("mine\n");
  expect(repository.git("log", "-1", "--format=%s", "main")).toBe("first");
});

test("[PR8] a hostile or unknown base is refused and nothing is opened", async () => {
  const { house, repository } = await openPullScene();
  for (const base_branch of ["--upload-pack=touch x", "main; touch x", "../main", "HEAD", "nowhere", "work/login"]) {
    const ask = { repository: repository.path, branch: "work/login", title: "x", base_branch };
    expect(await house.refusal("pull_open", ask), base_branch).toBe("INVALID_INPUT");
  }
  expect(await house.call("pull_list")).toEqual({ pulls: [] });
});

test("[PR8] a branch without changes, or one that is not there, is refused", async () => {
  const scene = await openPullScene();
  const { house, repository } = scene;
  repository.git("branch", "empty", "main");
  const ask = { repository: repository.path, title: "x" };
  expect(await house.refusal("pull_open", { ...ask, branch: "empty" })).toBe("INVALID_STATE");
  expect(await house.refusal("pull_open", { ...ask, branch: "gone" })).toBe("INVALID_INPUT");
  expect(await house.refusal("pull_open", { ...ask, branch: "empty", repository: "/nonexistent" })).toBe(
    "REPOSITORY_NOT_FOUND",
  );
});

test("[PR12] the reviewers' file is taken off the branch by a commit before anybody reads it", async () => {
  const scene = await openPullScene();
  const { house, repository } = scene;
  const path = `${repository.path}-login`;
  repository.git("worktree", "add", "-q", path, "work/login");
  writeIn(path, "REVIEW_FEEDBACK.md", "Do better.\n");
  git(path, "add", "-A");
  git(path, "commit", "-q", "-m", "feedback");
  const { head } = await open(scene);
  expect(head).toBe(git(path, "rev-parse", "HEAD"));
  expect(git(path, "log", "-1", "--format=%s")).toBe("Remove review feedback");
  expect(git(path, "status", "--porcelain")).toBe("");
  expect(existsSync(join(path, "REVIEW_FEEDBACK.md"))).toBe(false);
  const diff = await house.call<{ files: { path: string }[] }>("pull_diff", { number: 1 });
  expect(diff.files.map((file) => file.path)).toEqual(["a.txt", "new.txt"]);
});

test("[PR13] the diff is by file and line, and stays once it is merged", async () => {
  const scene = await openPullScene();
  const { house, repository } = scene;
  branch(repository, "other", { "b.txt": "other\n" });
  repository.git("merge", "-q", "--ff-only", "other");
  await open(scene);
  const before = await house.call<{ files: unknown[]; head: string }>("pull_diff", { number: 1 });
  expect(before.files).toMatchObject([
    { path: "a.txt", change: "modified", added_lines: 1, deleted_lines: 0 },
    { path: "new.txt", change: "added", added_lines: 1, hunks: [{ lines: [{ kind: "added", new: 1, text: "new" }] }] },
  ]);
  for (const method of ["rebase"]) await house.call("pull_merge", { number: 1, method });
  expect(await house.call("pull_diff", { number: 1 })).toEqual(before);
  expect(await house.call("pull_diff", { number: 1, path: "new.txt" })).toMatchObject({ files: [{ path: "new.txt" }] });
  expect(await house.refusal("pull_diff", { number: 1, path: "b.txt" })).toBe("NOT_FOUND");
});
