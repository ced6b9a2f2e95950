import { expect, test } from "vitest";
import { gitHands } from "../../src/adapters/git/hands.ts";
import { openGitHost } from "../../src/adapters/git/host.ts";
import type { DeveloperId, VaultId, WorktreeId } from "../../src/contract/ids.ts";
import type { VaultEntry } from "../../src/domain/worktree/vault-model.ts";
import { chooseDrops } from "../../src/domain/worktree/vault-rules.ts";
import { makeFolder, makeRepository } from "../git/scratch.ts";

const day = 24 * 3_600_000;
const now = 100 * day;

const entry = (id: string, ageInDays: number, more: Partial<VaultEntry> = {}): VaultEntry => ({
  id: id as VaultId,
  worktreeId: "ws_1" as WorktreeId,
  developerId: "dev_1" as DeveloperId,
  place: "here",
  repositoryPath: "/srv/code/shop",
  path: "/srv/code/shop-worktrees/one",
  ref: `refs/crewdeck/vault/${id}`,
  branch: null,
  head: null,
  trees: { commit: "c", worktree: "w", staged: "s", untracked: "u", index: null, state: "n" },
  counts: { commits: 0, staged: 0, unstaged: 0, untracked: 0, ignored: 0 },
  bytes: 0,
  isMerged: false,
  createdAt: now - ageInDays * day,
  restoredAt: null,
  restoredTo: null,
  droppedAt: null,
  problem: null,
  version: 1,
  ...more,
});

const restored = { restoredAt: now };
const merged = { isMerged: true };

test.each([
  { rule: "VA25", when: "there is room for all", most: 2, given: [entry("a", 90, merged), entry("b", 1)], goes: [] },
  {
    rule: "VA25",
    when: "merged ones are younger than old unmerged ones",
    most: 1,
    given: [entry("old", 90), entry("new-merged", 1, merged), entry("merged", 2, merged)],
    goes: ["merged", "new-merged"],
  },
  {
    rule: "VA25",
    when: "one was restored",
    most: 2,
    given: [entry("older", 80), entry("restored", 40, restored), entry("new", 1)],
    goes: ["restored"],
  },
  {
    rule: "VA25",
    when: "nothing else may go",
    most: 1,
    given: [entry("old", 90), entry("older", 95), entry("new", 1)],
    goes: ["older", "old"],
  },
  {
    rule: "VA26",
    when: "all hold work that is not merged and is young",
    most: 0,
    given: [entry("a", 29), entry("b", 30), entry("c", 1, restored)],
    goes: [],
  },
  { rule: "VA26", when: "one is just old enough", most: 0, given: [entry("a", 31), entry("b", 29)], goes: ["a"] },
  {
    rule: "VA27",
    when: "some are gone already",
    most: 1,
    given: [entry("gone", 90, { droppedAt: 1 }), entry("merged", 50, merged)],
    goes: [],
  },
])("[$rule] which copies go when $when", ({ most, given, goes }) => {
  expect(chooseDrops(given, { most, now }).map(({ id }) => id)).toEqual(goes);
});

test("[VA27] letting go twice, or of what is gone with its repository, ends the same", async () => {
  const repository = makeRepository();
  const drop = gitHands(openGitHost({ dataDir: makeFolder() }))["vault.drop"];
  const ref = "refs/crewdeck/vault/ws_1/1";
  const commit = repository.git("rev-parse", "HEAD");
  repository.git("update-ref", ref, commit);
  const turn = { key: "vt_1", attempt: 1, signal: new AbortController().signal };

  expect(await drop.run({ repositoryPath: repository.path, ref, commit }, turn)).toBeNull();
  expect(await drop.run({ repositoryPath: repository.path, ref, commit }, { ...turn, attempt: 2 })).toBeNull();
  expect(await drop.run({ repositoryPath: "/nowhere", ref, commit }, turn)).toBeNull();
  expect(repository.git("for-each-ref", "refs/crewdeck")).toBe("");
});

test("[VA27] a ref that somebody has moved is left alone", async () => {
  const repository = makeRepository();
  const drop = gitHands(openGitHost({ dataDir: makeFolder() }))["vault.drop"];
  const ref = "refs/crewdeck/vault/ws_1/1";
  const commit = repository.git("rev-parse", "HEAD");
  repository.commit("second", { "c.txt": "c" });
  repository.git("update-ref", ref, "HEAD");
  const turn = { key: "vt_1", attempt: 1, signal: new AbortController().signal };

  await expect(drop.run({ repositoryPath: repository.path, ref, commit }, turn)).rejects.toMatchObject({
    code: "GIT_ERROR",
  });
  expect(repository.git("rev-parse", ref)).toBe(repository.git("rev-parse", "HEAD"));
});
