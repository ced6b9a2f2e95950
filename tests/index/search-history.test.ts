import { expect, test } from "vitest";
import { openTestHouse } from "../../src/testing/house.ts";
import { makeRepository } from "../git/scratch.ts";

const functions = (...names: string[]) =>
  names.map((name) => `export function ${name}() {\n  return 1;\n}\n`).join("\n");

test("[PA18, PA19] hits are narrowed to who wrote a file or its lines, when it changed and how much", async () => {
  const repository = makeRepository({ "old.ts": functions("first", "second"), "quiet.ts": functions("alone") });
  const commitBy = (author: string) =>
    repository.git("commit", "-q", "--amend", "--no-edit", "--author", `${author} <x@example.com>`);
  repository.commit("more", { "old.ts": functions("first", "third"), "new.ts": functions("fresh") });
  commitBy("Grace Hopper");
  const house = await openTestHouse("sqlite");
  const repoPath = repository.path;
  await house.call("build_index", { repoPath });
  const names = async (args: Record<string, unknown>) => {
    const found = await house.call<{ code: readonly { name: string }[] }>("search", {
      ...{ repoPath, query: "return", mode: "code", top: 50, ...args },
    });
    return found.code.map(({ name }) => name).sort();
  };
  expect(await names({})).toEqual(["alone", "first", "fresh", "third"]);
  expect(await names({ author: "grace" })).toEqual(["first", "fresh", "third"]);
  expect(await names({ chunkAuthor: "Grace Hopper" })).toEqual(["fresh", "third"]);
  expect(await names({ chunkAuthor: "ada" })).toEqual(["alone", "first", "third"]);
  expect(await names({ chunkAuthor: "nobody" })).toEqual([]);
  expect(await names({ churnMin: 5 })).toEqual(["first", "third"]);
  expect(await names({ modifiedSince: 1 })).toEqual(["alone", "first", "fresh", "third"]);
  expect(await names({ modifiedAfter: "2999-01-01" })).toEqual([]);
  repository.write("draft.ts", functions("draft"));
  expect(await names({ modifiedSince: 1 })).toContain("draft");
  expect(await names({ chunkAuthor: "grace" })).not.toContain("draft");
});

test("[PA19] one content under two paths has the authors of each", async () => {
  const repository = makeRepository({ "ada.ts": functions("first", "second"), "mixed.ts": functions("first") });
  repository.commit("more", { "grace.ts": functions("first", "second"), "mixed.ts": functions("first", "second") });
  repository.git("commit", "-q", "--amend", "--no-edit", "--author", "Grace Hopper <x@example.com>");
  const house = await openTestHouse("sqlite");
  const repoPath = repository.path;
  await house.call("build_index", { repoPath });
  const find = async (chunkAuthor: string) => {
    const found = await house.call<{ code: readonly { file: string; name: string }[] }>("search", {
      ...{ repoPath, query: "return", mode: "code", top: 50, chunkAuthor },
    });
    return found.code.map(({ file, name }) => `${file} ${name}`).sort();
  };
  expect(await find("grace")).toEqual(["grace.ts first", "grace.ts second", "mixed.ts second"]);
  expect(await find("ada")).toEqual(["ada.ts first", "ada.ts second", "mixed.ts first"]);
});

test("[PA17] what another person wrote again to the letter is theirs", async () => {
  const repository = makeRepository({ "a.ts": functions("first") });
  const house = await openTestHouse("sqlite");
  const repoPath = repository.path;
  await house.call("build_index", { repoPath });
  const count = async (chunkAuthor: string) =>
    (await house.call<{ total: number }>("search", { repoPath, query: "first", chunkAuthor })).total;
  expect([await count("ada"), await count("grace")]).toEqual([1, 0]);
  repository.commit("away", { "a.ts": functions("second") });
  repository.commit("back", { "a.ts": functions("first") });
  repository.git("commit", "-q", "--amend", "--no-edit", "--author", "Grace Hopper <x@example.com>");
  expect([await count("ada"), await count("grace")]).toEqual([1, 1]);
  repository.git("switch", "-q", "--orphan", "anew");
  repository.commit("anew", { "a.ts": functions("first") });
  repository.git("commit", "-q", "--amend", "--no-edit", "--author", "Grace Hopper <x@example.com>");
  expect([await count("ada"), await count("grace")]).toEqual([0, 1]);
});
