import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TaskId } from "../../src/contract/ids.ts";
import { Canaries, makeHostile } from "../git/hostile.ts";
import { makeRepository as makeScratch, writeIn } from "../git/scratch.ts";
import { doTask, linesOf, readDiff, shownIn } from "./diff.ts";
import { makeRepository, openMissionHouse, startMission, startTask, tempDir } from "./repository.ts";

const twenty = Array.from({ length: 20 }, (_, at) => `${at + 1}\n`);

describe.each(["sqlite", "postgres"] as const)("the diff of a receipt on %s", (kind) => {
  test("[TD1, TD4, TD13] committed, staged and unstaged changes are shown by file, whatever is checked out now", async () => {
    const house = await openMissionHouse(kind);
    const r = makeRepository();
    r.write("src/list.txt", twenty.join(""));
    r.commit("twenty lines");
    const act = () => {
      r.write("src/list.txt", twenty.with(9, "ten\n").join(""));
      r.commit("ten");
      r.write("src/new.ts", "one\ntwo\n");
      r.git("add", "src/new.ts");
      r.remove("a.txt");
    };
    const task_id = await doTask(house, r.dir, act, ["src"]);
    const diff = await readDiff(house, task_id);
    const plain = { missing: [], unexpected: false, stale: false, line_ends: null, lossy: false, left_out_lines: 0 };
    expect(diff).toEqual({
      task_id,
      level: "self-reported",
      kind: "git",
      is_complete: true,
      is_stale: false,
      files_count: 3,
      files_left: 0,
      files: [
        {
          ...plain,
          path: "a.txt",
          change: "deleted",
          state: "shown",
          before: "file",
          after: null,
          unexpected: true,
          added_lines: 0,
          deleted_lines: 1,
          hunks: [
            {
              old_start: 1,
              old_lines: 1,
              new_start: 0,
              new_lines: 0,
              lines: [{ kind: "deleted", old: 1, new: null, text: "a" }],
            },
          ],
        },
        {
          ...plain,
          path: "src/list.txt",
          change: "modified",
          state: "shown",
          before: "file",
          after: "file",
          added_lines: 1,
          deleted_lines: 1,
          hunks: [expect.objectContaining({ old_start: 7, old_lines: 7, new_start: 7, new_lines: 7 })],
        },
        expect.objectContaining({ path: "src/new.ts", change: "added", before: null, added_lines: 2 }),
      ],
    });
    expect(linesOf(diff.files[1])).toEqual([" 7", " 8", " 9", "-10", "+ten", " 11", " 12", " 13"]);
    r.commit("all of it");
    r.git("checkout", "-q", "-b", "other", "HEAD~2");
    expect(shownIn(await readDiff(house, task_id))).toEqual(shownIn(diff));
    expect((await readDiff(house, task_id)).files.map(({ stale }) => stale)).toEqual([true, true, true]);
  });

  test("[TD2, TD13] what was never stored and has changed since is gone, and comes back with the file", async () => {
    const house = await openMissionHouse(kind);
    const r = makeRepository();
    const task_id = await doTask(house, r.dir, () => {
      r.write("a.txt", "b\n");
      r.write("new.txt", "new\n");
    });
    expect(shownIn(await readDiff(house, task_id))).toEqual({ "a.txt": ["-a", "+b"], "new.txt": ["+new"] });
    r.write("a.txt", "something else\n");
    r.remove("new.txt");
    const later = await readDiff(house, task_id);
    expect(shownIn(later)).toEqual({ "a.txt": "gone after", "new.txt": "gone after" });
    expect([later.is_stale, later.files[0]?.stale, later.files[0]?.after]).toEqual([true, true, "file"]);
    r.write("a.txt", "b\n");
    expect(shownIn(await readDiff(house, task_id))).toMatchObject({ "a.txt": ["-a", "+b"] });
  });
});

test("[TD3, TD2] what was dirty at the start is compared with how it was then, if that was ever stored", async () => {
  const house = await openMissionHouse("sqlite");
  const r = makeRepository();
  r.write("a.txt", "staged before\n");
  r.git("add", "a.txt");
  r.write("src/auth/login.ts", "only on the disk before\n");
  const task_id = await doTask(house, r.dir, () => {
    r.write("a.txt", "after\n");
    r.write("src/auth/login.ts", "after\n");
  });
  expect(shownIn(await readDiff(house, task_id))).toEqual({
    "a.txt": ["-staged before", "+after"],
    "src/auth/login.ts": "gone before",
  });
});

test("[TD2] a start that had to be guessed, or whose commit is gone by now, is compared with nothing", async () => {
  const house = await openMissionHouse("sqlite");
  const guessed = makeRepository();
  guessed.write("a.txt", "b\n");
  guessed.git("commit", "-qam", "soon gone");
  const forget = () => {
    guessed.git("reset", "-q", "--hard", "HEAD~1");
    guessed.git("reflog", "expire", "--expire=now", "--all");
    guessed.git("gc", "-q", "--prune=now");
    guessed.write("a.txt", "c\n");
    guessed.write("new.txt", "new\n");
  };
  const diff = await readDiff(house, await doTask(house, guessed.dir, forget));
  expect(diff.is_complete).toBe(false);
  expect(shownIn(diff)).toEqual({ "a.txt": "gone before", "new.txt": ["+new"] });

  const r = makeRepository();
  r.write("a.txt", "b\n");
  r.git("commit", "-qam", "the start");
  const task_id = await doTask(house, r.dir, () => r.write("a.txt", "c\n"));
  r.git("reset", "-q", "--soft", "HEAD~1");
  r.git("reflog", "expire", "--expire=now", "--all");
  r.git("add", "a.txt");
  r.git("gc", "-q", "--prune=now");
  expect(shownIn(await readDiff(house, task_id))).toEqual({ "a.txt": "gone before" });
});

test("[TD5] binary files and contents of more than 1 MiB have no lines", async () => {
  const house = await openMissionHouse("sqlite");
  const r = makeRepository();
  r.write("grows.txt", "small\n");
  r.write("shrinks.txt", "w".repeat(1024 * 1024 + 1));
  r.write("picture.png", "\0one");
  r.commit("both");
  const task_id = await doTask(house, r.dir, () => {
    r.write("grows.txt", "x".repeat(1024 * 1024 + 1));
    r.write("shrinks.txt", "small\n");
    r.write("picture.png", "\0two");
    r.write("stored.txt", "y".repeat(1024 * 1024 + 1));
    r.git("add", "stored.txt");
  });
  expect(shownIn(await readDiff(house, task_id))).toEqual({
    "grows.txt": "too_large",
    "picture.png": "binary",
    "shrinks.txt": "too_large",
    "stored.txt": "too_large",
  });
  r.write("grows.txt", "z".repeat(1024 * 1024 + 1));
  expect(shownIn(await readDiff(house, task_id))).toMatchObject({ "grows.txt": "gone after" });
});

test("[TD6] links, submodules, modes and files that become something else", async () => {
  const house = await openMissionHouse("sqlite");
  const r = makeRepository();
  const library = makeScratch({ "one.txt": "1\n" });
  r.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library.path, "lib");
  symlinkSync("a.txt", join(r.dir, "link"));
  r.write("run.sh", "echo\n");
  r.commit("all kinds");
  const [was, is] = [library.git("rev-parse", "HEAD"), library.commit("more", { "two.txt": "2\n" })];
  const task_id = await doTask(house, r.dir, () => {
    rmSync(join(r.dir, "link"));
    symlinkSync("/etc/passwd", join(r.dir, "link"));
    chmodSync(join(r.dir, "run.sh"), 0o755);
    rmSync(join(r.dir, "a.txt"));
    symlinkSync("run.sh", join(r.dir, "a.txt"));
    r.git("-C", "lib", "-c", "protocol.file.allow=always", "pull", "-q");
  });
  const diff = await readDiff(house, task_id);
  expect(shownIn(diff)).toEqual({
    "a.txt": ["-a", "+run.sh"],
    lib: [`-Subproject commit ${was}`, `+Subproject commit ${is}`],
    link: ["-a.txt", "+/etc/passwd"],
    "run.sh": [],
  });
  expect(Object.fromEntries(diff.files.map(({ path, before, after }) => [path, [before, after]]))).toEqual({
    "a.txt": ["file", "link"],
    lib: ["submodule", "submodule"],
    link: ["link", "link"],
    "run.sh": ["file", "executable"],
  });
});

test("[TD7] line ends that git converts are said once and hide no other change", async () => {
  const house = await openMissionHouse("sqlite");
  const r = makeRepository();
  r.write(".gitattributes", "*.bat text eol=crlf\n");
  r.write("run.bat", "one\r\ntwo\r\n");
  r.commit("attributes");
  const task_id = await doTask(house, r.dir, () => r.write("run.bat", "one\r\nthree\r\n"));
  const { files } = await readDiff(house, task_id);
  expect(files).toMatchObject([{ path: "run.bat", line_ends: "lf_to_crlf", added_lines: 1, deleted_lines: 1 }]);
  expect(linesOf(files[0])).toEqual([" one", "-two", "+three"]);
});

test("[TD1, TD8] names and contents that are no text, empty files and other hashes", async () => {
  const house = await openMissionHouse("sqlite");
  const r = makeRepository({ format: "sha256" });
  const odd = Buffer.concat([Buffer.from(`${r.dir}/`), Buffer.from("n\xe4me", "latin1")]);
  writeFileSync(odd, "before\n");
  r.write('"quoted"', "before\n");
  r.commit("odd names");
  const task_id = await doTask(house, r.dir, () => {
    writeFileSync(odd, Buffer.from("aft\xebr\n", "latin1"));
    r.write('"quoted"', "after\n");
    r.write("empty", "");
    r.write("two\nlines", "x");
  });
  expect(shownIn(await readDiff(house, task_id))).toEqual({
    '"\\042quoted\\042"': ["-before", "+after"],
    '"n\\344me"': ["-before", "+aft\ufffdr"],
    empty: [],
    "two\nlines": ["+x"],
  });
  expect((await readDiff(house, task_id, { path: '"n\\344me"' })).files).toMatchObject([{ lossy: true }]);
});

test("[TD9] a long answer is cut, says by how much, and goes on after the last name; one file shows more", async () => {
  const house = await openMissionHouse("sqlite");
  const r = makeRepository();
  const line = `${"é".repeat(300)}\n`;
  const task_id = await doTask(house, r.dir, () => {
    r.write("0.txt", "x\n".repeat(1_000));
    for (let at = 0; at < 12; at += 1) r.write(`f${String(at).padStart(2, "0")}.txt`, line.repeat(600));
    r.write("g.txt", `${"<\u001b>".repeat(100)}\n`.repeat(3_000));
  });
  const whole = await readDiff(house, task_id);
  expect(JSON.stringify(whole).length).toBeLessThan(700 * 1024);
  expect(Buffer.byteLength(JSON.stringify(whole))).toBeLessThan(1024 * 1024);
  expect(whole.files.map(({ added_lines }) => added_lines)).toEqual([1_000, ...Array(12).fill(600), 3_000]);
  expect(whole.files[0]?.left_out_lines).toBe(600);
  for (const { hunks, added_lines, left_out_lines } of whole.files) {
    expect(hunks.flatMap(({ lines }) => lines).length + left_out_lines).toBe(added_lines);
  }
  const page = await readDiff(house, task_id, { limit: 5, after: "f03.txt" });
  expect(page.files.map(({ path }) => path)).toEqual(["f04.txt", "f05.txt", "f06.txt", "f07.txt", "f08.txt"]);
  expect([page.files_count, page.files_left]).toEqual([14, 4]);
  const one = await readDiff(house, task_id, { path: "f11.txt" });
  expect([one.files.length, one.files_left]).toEqual([1, 0]);
  expect(one.files[0]?.hunks.flatMap(({ lines }) => lines).length).toBeGreaterThan(400);
});

test("[TD10] without git new files are shown and all others are gone", async () => {
  const house = await openMissionHouse("sqlite");
  const folder = tempDir();
  for (const name of ["changed.txt", "deleted.txt"]) writeIn(folder, name, "before\n");
  const task_id = await doTask(house, folder, () => {
    writeIn(folder, "changed.txt", "after\n");
    writeIn(folder, "new.txt", "new\n");
    rmSync(join(folder, "deleted.txt"));
  });
  const diff = await readDiff(house, task_id);
  expect(diff.kind).toBe("checksum");
  expect(shownIn(diff)).toEqual({ "changed.txt": "gone before", "deleted.txt": "gone before", "new.txt": ["+new"] });
  writeIn(folder, "new.txt", "other\n");
  expect(shownIn(await readDiff(house, task_id))).toMatchObject({ "new.txt": "gone after" });
});

test("[TD11] nothing of a repository's choice is run, and nothing in it is written", async () => {
  const house = await openMissionHouse("sqlite");
  const repository = makeScratch({ "a.txt": "a\n", "b.pipe": "b\n" });
  const canaries = new Canaries();
  makeHostile(repository, canaries);
  const task_id = await doTask(house, repository.path, () => {
    writeIn(repository.path, "a.txt", "A\n");
    writeIn(repository.path, "b.pipe", "B\n");
    writeIn(repository.path, "new.txt", "new\n");
  });
  const list = () => readdirSync(join(repository.path, ".git"), { recursive: true, encoding: "utf8" }).sort();
  const before = list();
  expect(shownIn(await readDiff(house, task_id))).toEqual({
    "a.txt": ["-a", "+A"],
    "b.pipe": ["-b", "+B"],
    "new.txt": ["+new"],
  });
  expect(canaries.traces()).toEqual([]);
  expect(list()).toEqual(before);
});

test("[TD11] a link on the way leads nowhere, a pipe holds nobody up, and only what the receipt names is read", async () => {
  const house = await openMissionHouse("sqlite");
  const r = makeRepository();
  const outside = tempDir();
  writeIn(outside, "key.txt", "key\n");
  writeIn(outside, "secret.txt", "secret\n");
  const task_id = await doTask(house, r.dir, () => {
    r.write("inner/key.txt", "key\n");
    r.write("pipe", "pipe\n");
  });
  r.remove("inner");
  symlinkSync(outside, join(r.dir, "inner"));
  r.remove("pipe");
  execFileSync("mkfifo", [join(r.dir, "pipe")]);
  expect(shownIn(await readDiff(house, task_id))).toEqual({ "inner/key.txt": "gone after", pipe: "gone after" });
  for (const path of ["a.txt", "../secret.txt", "inner/secret.txt", "/etc/passwd", "--help"]) {
    expect([path, await house.refusal("task_diff", { task_id, path })]).toEqual([path, "NOT_FOUND"]);
  }
});

test("[TD11] even a receipt that names a place outside of its folder leads nowhere", async () => {
  const house = await openMissionHouse("sqlite");
  const r = makeRepository();
  const task_id = await doTask(house, r.dir, () => r.write("evil.txt", "secret\n"));
  writeFileSync(join(r.dir, "..", "crewdeck-outside.txt"), "secret\n");
  try {
    const evidence = await house.house.store.read((db) =>
      db.first(db.q.selectFrom("evidence").selectAll().where("taskId", "=", TaskId.parse(task_id))),
    );
    const receipt = evidence?.receipt?.replaceAll("evil.txt", "../crewdeck-outside.txt") ?? "";
    await house.house.store.transact(async (db) => {
      await db.run(db.q.updateTable("evidence").set({ receipt }).where("taskId", "=", TaskId.parse(task_id)));
      return { value: undefined, entries: [] };
    });
    expect(shownIn(await readDiff(house, task_id))).toEqual({ "../crewdeck-outside.txt": "gone after" });
  } finally {
    rmSync(join(r.dir, "..", "crewdeck-outside.txt"));
  }
});

test("[TD12] task_diff is FORBIDDEN to others and to agents, INVALID_STATE without a receipt, GIT_ERROR without its folder", async () => {
  const house = await openMissionHouse("sqlite");
  const { caller: carl } = await house.developer("carl", { private: true });
  const { caller: bob } = await house.developer("bob");
  const r = makeRepository();
  const { mission_id } = await house.call<{ mission_id: string }>("start_mission", { name: "M", objective: "O" }, carl);
  const task = { mission_id, name: "n", goal: "g", repository_path: r.dir };
  const { task_id } = await house.call<{ task_id: string }>("start_task", task, carl);
  expect(await house.refusal("task_diff", { task_id }, carl)).toBe("INVALID_STATE");
  r.write("a.txt", "b\n");
  await house.call("complete_task", { task_id, status: "success", outcome: { summary: "s" } }, carl);
  expect(await house.refusal("task_diff", { task_id }, bob)).toBe("FORBIDDEN");
  expect(await house.refusal("task_diff", { task_id }, { ...carl, agentType: "codex" })).toBe("FORBIDDEN");
  for (const caller of [carl, house.owner]) {
    expect(await house.call("task_diff", { task_id }, caller)).toMatchObject({ files: [{ path: "a.txt" }] });
  }
  expect(await house.refusal("task_diff", { task_id: "tk_none" }, carl)).toBe("NOT_FOUND");
  r.remove(".git");
  expect(await house.refusal("task_diff", { task_id }, carl)).toBe("GIT_ERROR");
  r.remove(".");
  expect(await house.refusal("task_diff", { task_id }, carl)).toBe("GIT_ERROR");
});

test("[TD9] a task that changed nothing has an empty diff", async () => {
  const house = await openMissionHouse("sqlite");
  const mission_id = await startMission(house);
  const { task_id } = await startTask(house, { mission_id, repository_path: makeRepository().dir });
  await house.call("complete_task", { task_id, status: "success", outcome: { summary: "s" } });
  expect(await readDiff(house, task_id)).toMatchObject({ files: [], files_count: 0, files_left: 0, is_stale: false });
});
