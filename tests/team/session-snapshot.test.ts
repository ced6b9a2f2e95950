import { expect, test } from "vitest";
import type { DeveloperId } from "../../src/contract/ids.ts";
import { listFileMarksOf } from "../../src/domain/agent/file-mark-queries.ts";
import { replaceFileMarks } from "../../src/domain/agent/file-mark-store.ts";
import { findSession } from "../../src/domain/agent/session-queries.ts";
import { sweepFileReports } from "../../src/engine/keepers/sweeps.ts";
import type { TestHouse } from "../../src/testing/house.ts";
import { forEachStillStore, momentAt, opening, traceOf } from "../domain/still-house.ts";
import { oneTask } from "../workflow/work.ts";
import { act, begin, feedbackOf, info, refuse, used } from "./session-scene.ts";

const hour = 3_600_000;

/** A task says which files it means to change. */
async function target(house: TestHouse, taskId: string, developerId: DeveloperId, paths: string[]): Promise<void> {
  await house.house.store.transact(async (db) => {
    const mark = { subjectId: taskId, source: "target" as const, repo: "acme/shop", developerId, createdAt: opening };
    await replaceFileMarks(db, { ...mark, paths });
    return { value: undefined, entries: [] };
  });
}

const marksOf = (house: TestHouse, id: string) =>
  house.house.store.read(async (db) =>
    (await listFileMarksOf(db, id, 100)).map(({ source, repo, path }) => `${source} ${repo} ${path}`),
  );

const warningsOf = async (house: TestHouse, id: string, files: readonly string[], caller = house.owner) =>
  (await act(house, "snapshot", { session_id: id, dirty_files: files }, caller)).data["overlap_warnings"];

forEachStillStore("snapshots", (open) => {
  test("[SN11] a snapshot is kept in the place of the one before it, and is recorded with counts", async () => {
    const house = await open();
    const id = await begin(house);
    await act(house, "snapshot", { session_id: id, dirty_files: ["old.ts"], unpushed_files: ["gone.ts"] });
    house.clock.advance(1_000);
    const commits = [{ sha: "c0ffee1", subject: "Page the orders", at: momentAt(0) }];
    const trace = await traceOf(house, async () => {
      const ask = {
        branch: "work/paging",
        head: "c0ffee1",
        worktree: "/srv/shop",
        dirty_files: ["src/a.ts", "src/a.ts", "src/ü.ts"],
        unpushed_files: ["src/a.ts"],
        diff_hashes: { "src/a.ts": "sha256:abcd" },
        recent_commits: commits,
      };
      expect(await act(house, "snapshot", { session_id: id, ...ask })).toEqual({
        status: "ok",
        message: "The snapshot is kept; nobody else touches these files.",
        feedback: info(null),
        data: {
          session_id: id,
          repo: "acme/shop",
          branch: "work/paging",
          dirty_files: 3,
          unpushed_files: 1,
          snapshot_at: momentAt(1_000),
          overlap_warnings: [],
        },
      });
    });
    expect(trace).toEqual({
      work: [
        {
          kind: "session.snapshotTaken",
          announced: "session.snapshot",
          subject: id,
          channels: [`session:${id}`, `agent:${id}`],
          data: {
            repo: "acme/shop",
            branch: "work/paging",
            head: "c0ffee1",
            dirty_files: 3,
            unpushed_files: 1,
            session_id: id,
          },
          developerId: house.owner.developerId,
        },
      ],
      usage: [used("snapshot", id)],
    });
    expect(await marksOf(house, id)).toEqual([
      "dirty acme/shop src/a.ts",
      "unpushed acme/shop src/a.ts",
      "dirty acme/shop src/ü.ts",
    ]);
    const session = await house.house.store.read((db) => findSession(db, id as never));
    expect(session).toMatchObject({
      branch: "work/paging",
      worktree: "/srv/shop",
      workingCopyAt: opening + 1_000,
      workingCopy: { head: "c0ffee1", diffHashes: { "src/a.ts": "sha256:abcd" }, recentCommits: commits },
    });
  });

  test("[SN11] covibe_session snapshot refuses INVALID_INPUT where neither it nor its session names a repository", async () => {
    const house = await open();
    const id = await begin(house, house.owner, { repo: undefined });
    expect(await refuse(house, "snapshot", { session_id: id, dirty_files: ["a.ts"] })).toBe("INVALID_INPUT");
    expect((await act(house, "snapshot", { session_id: id, repo: "acme/tool" })).data["repo"]).toBe("acme/tool");
  });

  test("[SN13] another session with the same file is told of, one's own other session as one's own", async () => {
    const house = await open();
    const { caller: bob } = await house.developer("bob");
    const [mine, other, his] = [await begin(house), await begin(house), await begin(house, bob)];
    await act(house, "snapshot", { session_id: his, unpushed_files: ["src/a.ts", "src/b.ts"] }, bob);
    await act(house, "snapshot", { session_id: other, dirty_files: ["src/c.ts"] });
    const next =
      "Before you go on with these files call covibe_coordination with operation ask, to each owner that overlap_warnings names; for @private use operation announce.";
    const message = "The snapshot is kept. Others touch some of these files, or mean to.";
    const feedback = await feedbackOf(house, async () => {
      house.clock.advance(1);
      const files = ["src/a.ts", "src/c.ts", "src/d.ts"];
      expect(await act(house, "snapshot", { session_id: mine, dirty_files: files })).toEqual({
        status: "warning",
        message,
        feedback: { type: "warning", required_action: next },
        data: {
          session_id: mine,
          repo: "acme/shop",
          branch: "main",
          dirty_files: 3,
          unpushed_files: 0,
          snapshot_at: momentAt(1),
          overlap_warnings: [
            {
              source: "session",
              session_id: his,
              task_id: null,
              owner: "bob",
              same_developer: false,
              states: ["unpushed"],
              files: ["src/a.ts"],
              file_count: 1,
            },
            {
              source: "session",
              session_id: other,
              task_id: null,
              owner: house.owner.handle,
              same_developer: true,
              states: ["dirty"],
              files: ["src/c.ts"],
              file_count: 1,
            },
          ],
        },
      });
    });
    expect(feedback).toEqual([
      {
        kind: "feedback.warning",
        subject: mine,
        type: "warning",
        message,
        required_action: next,
        code: null,
        session_id: mine,
      },
    ]);
  });

  test("[SN13] the same file of another repository, or of a snapshot older than a day, is nobody's concern", async () => {
    const house = await open();
    const { caller: bob } = await house.developer("bob");
    const [mine, his] = [await begin(house), await begin(house, bob)];
    await act(house, "snapshot", { session_id: his, repo: "acme/tool", dirty_files: ["src/a.ts"] }, bob);
    expect(await warningsOf(house, mine, ["src/a.ts"])).toEqual([]);
    await act(house, "snapshot", { session_id: his, repo: "acme/shop", dirty_files: ["src/a.ts"] }, bob);
    house.clock.advance(24 * hour);
    expect(await warningsOf(house, mine, ["src/a.ts"])).toHaveLength(1);
    house.clock.advance(1);
    expect(await warningsOf(house, mine, ["src/a.ts"])).toEqual([]);
  });

  test("[SN13] a file that another's open task means to change is told of until the task is over", async () => {
    const house = await open();
    const { caller: bob } = await house.developer("bob");
    const mine = await begin(house);
    const [his, hers] = [await oneTask(house, bob), await oneTask(house)];
    await target(house, his, bob.developerId, ["src/a.ts"]);
    await target(house, hers, house.owner.developerId, ["src/a.ts"]);
    house.clock.advance(72 * hour);
    expect(await warningsOf(house, mine, ["src/a.ts"])).toEqual([
      expect.objectContaining({ source: "task", task_id: his, session_id: null, owner: "bob", states: ["target"] }),
    ]);
    for (const status of ["planning", "in_progress"]) await house.call("task_update_status", { id: his, status }, bob);
    await house.call("task_update_status", { id: his, status: "completed", outcome: "Done." }, bob);
    expect(await warningsOf(house, mine, ["src/a.ts"])).toEqual([]);
  });

  test("[SN19] reported files are forgotten after a day, what tasks mean to change is not", async () => {
    const house = await open();
    const id = await begin(house);
    const task = await oneTask(house);
    await target(house, task, house.owner.developerId, ["src/a.ts"]);
    await act(house, "snapshot", { session_id: id, dirty_files: ["src/a.ts"] });
    house.clock.advance(24 * hour);
    await sweepFileReports(house.house);
    expect(await marksOf(house, id)).toHaveLength(1);
    house.clock.advance(1);
    await sweepFileReports(house.house);
    expect([await marksOf(house, id), await marksOf(house, task)]).toEqual([[], ["target acme/shop src/a.ts"]]);
  });

  test("[SN14] a private developer's session or task is told of without naming them; to themselves they are named", async () => {
    const house = await open();
    const { caller: hidden } = await house.developer("hidden", { private: true });
    const [mine, theirs, again] = [await begin(house), await begin(house, hidden), await begin(house, hidden)];
    const task = await oneTask(house, hidden);
    await target(house, task, hidden.developerId, ["src/a.ts"]);
    await act(house, "snapshot", { session_id: theirs, dirty_files: ["src/a.ts"] }, hidden);
    house.clock.advance(1);
    const { data } = await act(house, "snapshot", { session_id: mine, dirty_files: ["src/a.ts"] });
    expect(data["overlap_warnings"]).toEqual(
      ["session", "task"].map((source) =>
        expect.objectContaining({ source, session_id: null, task_id: null, owner: "@private", files: ["src/a.ts"] }),
      ),
    );
    for (const secret of ["hidden", theirs, task, hidden.developerId])
      expect(JSON.stringify(data)).not.toContain(secret);
    expect(await warningsOf(house, again, ["src/a.ts"], hidden)).toEqual([
      expect.objectContaining({ session_id: mine, owner: house.owner.handle, same_developer: false }),
      expect.objectContaining({ session_id: theirs, owner: "hidden", same_developer: true }),
    ]);
  });

  test.each([
    { when: "an absolute path", args: { dirty_files: ["/etc/passwd"] } },
    { when: "a path upwards", args: { unpushed_files: ["src/../../x"] } },
    { when: "a drive", args: { dirty_files: ["C:\\x"] } },
    { when: "a path of two lines", args: { dirty_files: ["a\nb"] } },
    { when: "a diff for a digest", args: { diff_hashes: { "a.ts": "- old line\n+ new line" } } },
    { when: "a word for a commit", args: { head: "main" } },
    { when: "the contents of a file", args: { contents: { "a.ts": "secret" } } },
    { when: "too many files", args: { dirty_files: Array.from({ length: 2_001 }, (_, index) => `f${index}`) } },
  ])("[SN12] $when is refused and nothing is kept", async ({ args }) => {
    const house = await open();
    const id = await begin(house);
    const { work } = await traceOf(house, async () => {
      expect(await refuse(house, "snapshot", { session_id: id, ...args })).toBe("INVALID_REQUEST");
    });
    expect(work).toEqual([]);
    expect(await marksOf(house, id)).toEqual([]);
  });

  test("[SN12] covibe_session snapshot takes 2,000 files of a kind and refuses 512 KiB of names with TOO_LARGE", async () => {
    const house = await open();
    const id = await begin(house);
    const names = (length: number) => Array.from({ length: 2_000 }, (_, index) => `${index}`.padEnd(length, "x"));
    const kept = await act(house, "snapshot", { session_id: id, dirty_files: names(100), unpushed_files: names(100) });
    expect(kept.data).toMatchObject({ dirty_files: 2_000, unpushed_files: 2_000 });
    expect(await refuse(house, "snapshot", { session_id: id, dirty_files: names(300) })).toBe("TOO_LARGE");
  });
});

forEachStillStore("activities", (open) => {
  test("[SN15] an activity is one line in the ledger", async () => {
    const house = await open();
    const id = await begin(house);
    const line = {
      kind: "test",
      summary: "Ran them.",
      files: ["tests/a.test.ts"],
      counters: { passed: 12, failed: 0 },
    };
    const trace = await traceOf(house, async () => {
      expect(await act(house, "activity", { session_id: id, ...line })).toEqual({
        status: "ok",
        message: "The step is logged.",
        feedback: info(null),
        data: { session_id: id, kind: "test", logged_at: momentAt(0) },
      });
    });
    expect(trace).toEqual({
      work: [
        {
          kind: "session.activityLogged",
          announced: "session.activity",
          subject: id,
          channels: [`session:${id}`, `agent:${id}`],
          data: { ...line, session_id: id },
          developerId: house.owner.developerId,
        },
      ],
      usage: [used("activity", id)],
    });
  });

  test.each([
    { when: "281 characters", args: { summary: "x".repeat(281) }, code: "INVALID_REQUEST" },
    { when: "another kind", args: { kind: "thought" }, code: "INVALID_REQUEST" },
    {
      when: "51 files",
      args: { files: Array.from({ length: 51 }, (_, index) => `f${index}`) },
      code: "INVALID_REQUEST",
    },
    { when: "a counter that counts down", args: { counters: { left: -1 } }, code: "INVALID_REQUEST" },
    {
      when: "21 counters",
      args: { counters: Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`c${index}`, 1])) },
      code: "INVALID_REQUEST",
    },
  ])("[SN15] an activity with $when is refused", async ({ args, code }) => {
    const house = await open();
    const id = await begin(house);
    const line = { session_id: id, kind: "note", summary: "x".repeat(280) };
    expect(await refuse(house, "activity", { ...line, ...args })).toBe(code);
    expect(await house.eventsOf(() => act(house, "activity", line))).toEqual(["session.activityLogged"]);
  });

  test("[SN15] a character counts once, whatever the script", async () => {
    const house = await open();
    const line = { session_id: await begin(house), kind: "note", summary: "\u{1f9ed}".repeat(280) };
    expect(await house.eventsOf(() => act(house, "activity", line))).toEqual(["session.activityLogged"]);
    expect(await refuse(house, "activity", { ...line, summary: `${line.summary}x` })).toBe("INVALID_REQUEST");
  });
});
