import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compareSnapshot, takeSnapshot } from "../../src/adapters/evidence/snapshot.ts";
import { changesOf, never, nothing, type Reported, rewritten } from "./changes.ts";
import { elsewhere, lines, withMainElsewhere } from "./own-work.ts";
import { makeRepository, type TestRepository, tempDir } from "./repository.ts";

const put = (r: TestRepository, name: string, text = `${name}\n`): void => {
  r.write(name, text);
  r.commit(name);
};

/** A clone with a remote, and another clone of the same. */
function withRemote(): { r: TestRepository; colleague: ReturnType<typeof elsewhere> } {
  const r = makeRepository();
  const remote = join(tempDir(), "remote.git");
  execFileSync("git", ["clone", "-q", "--bare", r.dir, remote]);
  r.git("remote", "add", "origin", remote);
  r.git("fetch", "-q");
  r.git("branch", "-q", "-u", "origin/main");
  const dir = join(tempDir(), "colleague");
  execFileSync("git", ["clone", "-q", remote, dir]);
  return { r, colleague: elsewhere(dir) };
}

interface Situation {
  readonly where: string;
  readonly given?: (r: TestRepository) => void;
  readonly act: (r: TestRepository) => void;
  readonly expected: Partial<Reported>;
}

const feature = (r: TestRepository): void => {
  r.git("checkout", "-q", "-b", "feature");
  put(r, "before.txt");
};

const goOnWithMain = (r: TestRepository, name: string): void => {
  r.git("checkout", "-q", "main");
  put(r, name);
  r.git("checkout", "-q", "feature");
};

const situations: Situation[] = [
  {
    where: "a rebase onto a main that went on meanwhile",
    given: feature,
    act(r) {
      put(r, "own.txt");
      goOnWithMain(r, "main.txt");
      r.git("rebase", "-q", "main");
    },
    expected: { added: ["own.txt"], warnings: [rewritten] },
  },
  {
    where: "a rebase that makes one commit of all, what was there at the start included",
    given: feature,
    act(r) {
      put(r, "own.txt");
      goOnWithMain(r, "main.txt");
      r.git("rebase", "-q", "main");
      r.git("reset", "-q", "--soft", "main");
      r.git("commit", "-q", "-m", "all");
    },
    expected: { added: ["own.txt"], warnings: [rewritten] },
  },
  {
    where: "a merge of main, twice, with work before, between and after",
    given: feature,
    act(r) {
      put(r, "own1.txt");
      goOnWithMain(r, "main1.txt");
      r.git("merge", "-q", "-m", "m1", "main");
      put(r, "own2.txt");
      goOnWithMain(r, "main2.txt");
      r.git("merge", "-q", "-m", "m2", "main");
      r.write("own3.txt", "not committed");
    },
    expected: { added: ["own1.txt", "own2.txt", "own3.txt"] },
  },
  {
    where: "a branch without work of its own that follows main",
    given: (r) => r.git("checkout", "-q", "-b", "feature"),
    act(r) {
      goOnWithMain(r, "main.txt");
      r.git("merge", "-q", "main");
    },
    expected: {},
  },
  {
    where: "own commits picked onto a new branch of main",
    given: feature,
    act(r) {
      put(r, "own.txt");
      goOnWithMain(r, "main.txt");
      r.git("checkout", "-q", "-b", "again", "main");
      r.git("cherry-pick", "feature~1", "feature");
    },
    expected: { added: ["own.txt"] },
  },
  {
    where: "a commit of main that is picked: the branch adds it by a commit of its own",
    given: feature,
    act(r) {
      goOnWithMain(r, "main.txt");
      r.git("cherry-pick", "main");
    },
    expected: { added: ["main.txt"] },
  },
  {
    where: "own work on top of what main changed and what it deleted",
    given: feature,
    act(r) {
      goOnWithMain(r, "main.txt");
      r.git("rebase", "-q", "main");
      put(r, "main.txt", "changed\n");
      r.git("checkout", "-q", "main");
      r.git("rm", "-q", "a.txt");
      r.commit("gone");
      r.git("checkout", "-q", "feature");
      r.git("merge", "-q", "-m", "m", "main");
    },
    expected: { modified: ["main.txt"], warnings: [rewritten] },
  },
  {
    where: "what main added and the branch took out again",
    given: feature,
    act(r) {
      goOnWithMain(r, "main.txt");
      r.git("merge", "-q", "-m", "m", "main");
      r.git("rm", "-q", "main.txt");
      r.commit("out");
    },
    expected: { deleted: ["main.txt"] },
  },
  {
    where: "a file that main and the branch had both changed, combined by the rebase alone",
    given(r) {
      put(r, "both.txt", lines("0", "0"));
      r.git("checkout", "-q", "-b", "feature");
      put(r, "both.txt", lines("0", "start"));
      r.git("checkout", "-q", "main");
      put(r, "both.txt", lines("main", "0"));
      r.git("checkout", "-q", "feature");
    },
    act(r) {
      put(r, "own.txt");
      r.git("rebase", "-q", "main");
    },
    expected: { added: ["own.txt"], warnings: [rewritten] },
  },
  {
    where: "a branch that is moved onto main by force",
    given: (r) => r.git("checkout", "-q", "-b", "feature"),
    act(r) {
      put(r, "lost.txt");
      goOnWithMain(r, "main.txt");
      r.git("reset", "-q", "--hard", "main");
      r.write("own.txt", "1");
    },
    expected: { added: ["own.txt"] },
  },
  {
    where: "work that other branches have too, because they were made from it or took it over",
    given: feature,
    act(r) {
      put(r, "own.txt");
      r.git("branch", "backup");
      r.git("checkout", "-q", "main");
      r.git("merge", "-q", "feature");
      r.git("checkout", "-q", "feature");
    },
    expected: { added: ["own.txt"] },
  },
  {
    where: "work that main took over before it went on, and that came back with it",
    given: feature,
    act(r) {
      put(r, "own.txt");
      r.git("checkout", "-q", "main");
      r.git("merge", "-q", "--no-ff", "-m", "taken over", "feature");
      put(r, "main.txt");
      r.git("checkout", "-q", "feature");
      r.git("merge", "-q", "main");
    },
    expected: { added: ["own.txt"] },
  },
  {
    where: "a branch made for the task and merged into the one it started on",
    act(r) {
      r.git("checkout", "-q", "-b", "feature");
      put(r, "own.txt");
      r.git("checkout", "-q", "main");
      r.git("merge", "-q", "--no-ff", "-m", "merged", "feature");
    },
    expected: { added: ["own.txt"] },
  },
  {
    where: "a detached head moved onto main",
    given(r) {
      r.git("branch", "feature");
      r.git("checkout", "-q", "--detach");
    },
    act(r) {
      put(r, "own.txt");
      const own = r.git("rev-parse", "HEAD").trim();
      goOnWithMain(r, "main.txt");
      r.git("checkout", "-q", "--detach", own);
      r.git("rebase", "-q", "main");
    },
    expected: { added: ["own.txt"] },
  },
  {
    where: "a history of its own that is merged in",
    given(r) {
      r.git("checkout", "-q", "--orphan", "apart");
      r.git("rm", "-rqf", ".");
      put(r, "apart.txt");
      r.git("checkout", "-q", "main");
    },
    act(r) {
      r.git("merge", "-q", "-m", "m", "--allow-unrelated-histories", "apart");
      put(r, "own.txt");
    },
    expected: { added: ["own.txt"] },
  },
  {
    where: "a branch that is gone after it was moved onto main",
    given: feature,
    act(r) {
      put(r, "own.txt");
      goOnWithMain(r, "main.txt");
      r.git("rebase", "-q", "main");
      r.git("checkout", "-q", "--detach");
      r.git("branch", "-q", "-D", "feature");
    },
    expected: { added: ["own.txt"], warnings: [rewritten] },
  },
  {
    where: "a rebase where no log is kept",
    given(r) {
      feature(r);
      r.git("config", "core.logAllRefUpdates", "false");
      rmSync(join(r.dir, ".git/logs"), { recursive: true });
    },
    act(r) {
      put(r, "own.txt");
      goOnWithMain(r, "main.txt");
      r.git("rebase", "-q", "main");
      goOnWithMain(r, "later.txt");
      r.git("merge", "-q", "-m", "m", "main");
      put(r, "more.txt");
    },
    expected: { added: ["more.txt", "own.txt"], warnings: [rewritten] },
  },
];

describe("own work", () => {
  test.each(situations)("[EV20, EV21, EV22] $where", async ({ given, act, expected }) => {
    const r = makeRepository();
    given?.(r);
    expect(await changesOf(r.dir, () => act(r))).toEqual({ ...nothing, ...expected });
  });

  test("[EV20] main worked on directly: what is pulled is others', what is pushed stays own", async () => {
    const { r, colleague } = withRemote();
    const changes = await changesOf(r.dir, () => {
      put(r, "own1.txt");
      r.git("push", "-q", "origin", "main");
      colleague.git("pull", "-q");
      colleague.put("theirs1.txt");
      colleague.git("push", "-q");
      r.git("pull", "-q");
      put(r, "own2.txt");
      colleague.put("theirs2.txt");
      colleague.git("push", "-q");
      r.git("pull", "-q", "--rebase");
      r.git("push", "-q", "origin", "main");
    });
    expect(changes).toEqual({ ...nothing, added: ["own1.txt", "own2.txt"] });
  });

  test("[EV20] another worktree's commits are others', also where their branch is younger than the task", async () => {
    const r = makeRepository();
    feature(r);
    const other = withMainElsewhere(r);
    const changes = await changesOf(r.dir, () => {
      other.git("checkout", "-q", "-b", "young");
      other.put("young.txt");
      put(r, "own.txt");
      r.git("rebase", "-q", "young");
    });
    expect(changes).toEqual({ ...nothing, added: ["own.txt"], warnings: [rewritten] });
  });

  test("[EV20] what was on another branch at the start is others', also when that branch is gone", async () => {
    const r = makeRepository();
    r.git("checkout", "-q", "-b", "theirs");
    put(r, "theirs.txt");
    r.git("checkout", "-q", "-b", "feature", "main");
    const changes = await changesOf(r.dir, () => {
      put(r, "own.txt");
      r.git("merge", "-q", "-m", "m", "theirs");
      r.git("branch", "-q", "-D", "theirs");
    });
    expect(changes).toEqual({ ...nothing, added: ["own.txt"] });
  });

  test("[EV20] a file that main took over and went on with stays own work when main comes back", async () => {
    const r = makeRepository();
    r.write("both.txt", lines("0", "0"));
    r.commit("base");
    r.git("checkout", "-q", "-b", "feature");
    r.write("both.txt", lines("0", "start"));
    r.commit("before the start");
    const main = withMainElsewhere(r);
    const changes = await changesOf(r.dir, () => {
      r.write("both.txt", lines("0", "own"));
      r.commit("own");
      main.git("merge", "-q", "--no-ff", "-m", "taken over", "feature");
      main.put("both.txt", lines("main", "own"));
      r.git("merge", "-q", "main");
    });
    expect(changes).toEqual({ ...nothing, modified: ["both.txt"] });
  });

  test("[EV20] in a shallow clone too, as far as its history goes", async () => {
    const { r, colleague } = withRemote();
    colleague.put("more.txt");
    colleague.git("push", "-q");
    const dir = join(tempDir(), "shallow");
    const remote = r.git("remote", "get-url", "origin").trim();
    execFileSync("git", ["clone", "-q", "--depth", "1", `file://${remote}`, dir]);
    const shallow = elsewhere(dir);
    shallow.git("checkout", "-q", "-b", "feature");
    const changes = await changesOf(dir, () => {
      shallow.put("own.txt");
      colleague.put("theirs.txt");
      colleague.git("push", "-q");
      shallow.git("pull", "-q", "--rebase", "origin", "main");
    });
    expect(changes).toEqual({ ...nothing, added: ["own.txt"] });
  });

  test("[EV23] where the shared history is missing, what came in counts and a warning says so", async () => {
    const { r, colleague } = withRemote();
    const dir = join(tempDir(), "shallow");
    const remote = r.git("remote", "get-url", "origin").trim();
    execFileSync("git", ["clone", "-q", "--depth", "1", `file://${remote}`, dir]);
    const shallow = elsewhere(dir);
    const changes = await changesOf(dir, () => {
      for (const name of ["theirs1.txt", "theirs2.txt"]) colleague.put(name);
      colleague.git("push", "-q");
      shallow.git("fetch", "-q", "--depth", "1");
      shallow.git("reset", "-q", "--hard", "origin/main");
      shallow.put("own.txt");
    });
    const gap = "Not all history is available; commits of other branches may be counted.";
    const added = ["own.txt", "theirs1.txt", "theirs2.txt"];
    expect(changes).toEqual({ ...nothing, added, warnings: [rewritten, gap] });
  });

  test("[EV20, TD3] what others had made of a file is what its change is compared with", async () => {
    const r = makeRepository();
    feature(r);
    const snapshot = await takeSnapshot(r.dir, never);
    goOnWithMain(r, "a.txt");
    r.git("merge", "-q", "-m", "m", "main");
    const theirs = r.git("rev-parse", "HEAD:a.txt").trim();
    put(r, "a.txt", "own\n");
    expect(await compareSnapshot(snapshot, never)).toMatchObject({
      modified: ["a.txt"],
      before: { "a.txt": `f:${theirs}` },
      isComplete: true,
    });
  });
});
