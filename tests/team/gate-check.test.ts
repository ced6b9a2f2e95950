import { expect, test } from "vitest";
import { forEachStillStore, momentAt, traceOf } from "../domain/still-house.ts";
import {
  type Answer,
  alone,
  candidateIds,
  candidatesOf,
  judgeAll,
  newWorker,
  type Worker,
  wording,
  workerOf,
} from "./work-scene.ts";

const minute = 60_000;
const codeOf = (answer: Answer) => answer.data["code"];
const matchesOf = (answer: Answer) => answer.data["matches"] as Record<string, unknown>[];

forEachStillStore("a check", (open) => {
  test("[GA1, GA41, TW1] of new work in an empty team says that there is none and what to call next", async () => {
    const house = await open();
    const ada = workerOf(house);
    let answer: Answer | undefined;
    const { work } = await traceOf(house, async () => {
      answer = await ada.check(alone);
    });
    const checkId = String(answer?.data["check_id"]);
    expect(answer).toEqual({
      status: "ok",
      message: "No other work found.",
      feedback: {
        type: "info",
        required_action: `Call covibe_task with operation start, the same title, task_type feature and check_id ${checkId} within 10 minutes.`,
      },
      data: {
        check_id: expect.stringMatching(/^chk_/),
        requires_verdict: false,
        warning_id: null,
        expires_at: momentAt(10 * minute),
        candidates: [],
        matches: [],
        nearest: [],
        file_conflicts: [],
      },
    });
    expect(work).toEqual([
      {
        kind: "task.checked",
        announced: "task.checked",
        subject: checkId,
        channels: [`task:${checkId}`],
        developerId: house.owner.developerId,
        data: { title: alone, planned_id: null, requires_verdict: false, warning_id: null, candidate_ids: [] },
      },
    ]);
  });

  test("[GA1, TW2] of known work asks for a verdict, and the warning can be read back", async () => {
    const house = await open();
    const taskId = await workerOf(house).begin(wording, { scope: "The delivery worker", repo: "acme/hooks" });
    const bob = await newWorker(house, "bob");
    const answer = await bob.check(wording);
    expect(answer).toMatchObject({ status: "warning", feedback: { type: "warning" } });
    expect(answer.feedback.required_action).toContain(String(answer.data["check_id"]));
    expect(answer.data).toMatchObject({ requires_verdict: true, warning_id: expect.stringMatching(/^warn_/) });
    expect(answer.data["candidates"]).toEqual([
      {
        id: taskId,
        type: "task",
        title: wording,
        scope: "The delivery worker",
        owner: "ada",
        agent: null,
        status: "active",
        repo: "acme/hooks",
        score: expect.any(Number),
        reason: expect.stringContaining("Same title"),
        reasons: expect.arrayContaining(["Same title"]),
        task_type: "feature",
        same_developer: false,
      },
    ]);
    const [feedback] = await house.entries("feedback");
    expect(feedback).toMatchObject({ kind: "feedback.warning", subject: answer.data["check_id"] });
    expect(feedback?.data).toMatchObject({ required_action: answer.feedback.required_action });
  });

  test("[GA2] counts for ten minutes and not longer", async () => {
    const house = await open();
    const ada = workerOf(house);
    await ada.check(alone);
    house.clock.advance(10 * minute - 1);
    expect((await ada.start(alone)).status).toBe("ok");
    await ada.check(wording);
    house.clock.advance(10 * minute);
    expect(codeOf(await ada.start(wording))).toBe("CHECK_REQUIRED");
  });

  test("[GA3] of another developer, another kind or another plan does not count", async () => {
    const house = await open();
    const ada = workerOf(house);
    const bob = await newWorker(house, "bob");
    const planned = String((await bob.plan(alone)).data["task_id"]);
    const hers = await ada.check(alone);
    await bob.stream("check", { title: alone });
    const forPlan = await bob.check(alone, { planned_task_id: planned });
    for (const check_id of [undefined, hers.data["check_id"], forPlan.data["check_id"], "chk_unknown"]) {
      const blocked = await bob.start(alone, check_id === undefined ? {} : { check_id });
      expect(blocked).toMatchObject({ status: "blocked", data: { code: "CHECK_REQUIRED" } });
    }
    const direct = await bob.check(alone);
    const blocked = await bob.task("start_planned", { task_id: planned, check_id: direct.data["check_id"] });
    expect(codeOf(blocked)).toBe("CHECK_REQUIRED");
  });

  test("[GA4] is found whatever the case and spacing of the title", async () => {
    const house = await open();
    const ada = workerOf(house);
    await ada.check("  Translate the   FERRY timetable\tinto Finnish ");
    expect((await ada.start(alone)).status).toBe("ok");
  });

  test("[GA5, GA6] is used up by the start that succeeds, and a start without one is blocked", async () => {
    const house = await open();
    const ada = await workerOf(house).inSession();
    const { data } = await ada.check(alone);
    expect((await ada.start(alone)).status).toBe("ok");
    let again: Answer | undefined;
    const { work } = await traceOf(house, async () => {
      again = await ada.start(alone, { check_id: data["check_id"] });
    });
    expect(again).toEqual({
      status: "blocked",
      message: "That check was used up by an earlier start.",
      feedback: {
        type: "block",
        required_action: "Call covibe_task with operation check, the same title first, then start with its check_id.",
      },
      data: { code: "CHECK_REQUIRED" },
    });
    expect(work).toEqual([]);
    expect((await house.entries("feedback")).at(-1)).toMatchObject({
      kind: "feedback.block",
      data: { code: "CHECK_REQUIRED" },
    });
  });

  test("[GA7] the newest counts where none is named, within one millisecond too", async () => {
    const house = await open();
    const ada = workerOf(house);
    const bob = await newWorker(house, "bob");
    await bob.check(wording);
    await ada.begin(wording);
    const second = await bob.check(wording);
    const blocked = await bob.start(wording);
    expect(blocked.data).toMatchObject({ code: "VERDICT_REQUIRED", check_id: second.data["check_id"] });
  });

  test("[GA6] a foreign warning opens nothing", async () => {
    const house = await open();
    const [ada, bob, carol] = [workerOf(house), await newWorker(house, "bob"), await newWorker(house, "carol")];
    await ada.begin(wording);
    const his = await bob.check(wording);
    await carol.check(wording);
    const blocked = await carol.start(wording, {
      warning_id: his.data["warning_id"],
      confirmation_reason: "My developer wants both.",
    });
    expect(codeOf(blocked)).toBe("VERDICT_REQUIRED");
  });
});

forEachStillStore("what a check finds", (open) => {
  test("[GA8] is open work of every family and closed work of the last 14 days", async () => {
    const house = await open();
    const bob = await newWorker(house, "bob");
    const { id } = await house.call<{ id: string }>("workflow_create", {
      name: "Hooks",
      source_type: "prompt",
      source_content: "Do it.",
      repository_path: "/srv/code/hooks",
    });
    const tasks = [{ name: wording, description: "With jitter.", sequence: 1 }];
    await house.call("workflow_set_plan", { id, plan: { summary: "One", approach: "At once", tasks } });
    const [candidate] = candidatesOf(await bob.check(wording));
    expect(candidate).toMatchObject({ title: wording, owner: "ada", status: "planned", repo: "/srv/code/hooks" });

    const ada = workerOf(house);
    const done = await ada.begin(alone);
    await ada.task("complete", { task_id: done, result_summary: "It is translated." });
    expect(matchesOf(await bob.check(alone))).toMatchObject([{ id: done, status: "done" }]);
    house.clock.advance(14 * 24 * 60 * minute + 1);
    expect(matchesOf(await bob.check(alone))).toEqual([]);
  });

  test("[GA9] is marked where it is one's own, and asks for nothing where it is of the same session", async () => {
    const house = await open();
    const here = await workerOf(house).inSession();
    const there = await workerOf(house).inSession();
    const taskId = await here.begin(wording);
    const same = await here.check(wording);
    expect(same).toMatchObject({ status: "ok", data: { requires_verdict: false } });
    expect(matchesOf(same)).toMatchObject([{ id: taskId, same_developer: true }]);
    const other = await there.check(wording);
    expect(other.data["requires_verdict"]).toBe(true);
    expect(candidatesOf(other)).toMatchObject([{ id: taskId, same_developer: true }]);
  });

  test("[GA10, GA11] needs no verdict where it is closed, and is kept as a warning that never blocks", async () => {
    const house = await open();
    const ada = workerOf(house);
    const bob = await newWorker(house, "bob");
    const [done, given] = [await ada.begin(wording), await ada.begin(alone)];
    await ada.task("complete", { task_id: done, result_summary: "It retries." });
    await ada.task("cancel", { task_id: given, reason: "Nobody reads Finnish." });
    for (const [title, status] of [[wording, "done"] as const, [alone, "cancelled"] as const]) {
      const answer = await bob.check(title);
      expect(answer).toMatchObject({ status: "ok", feedback: { type: "info" } });
      expect(answer.data).toMatchObject({ requires_verdict: false, candidates: [], warning_id: expect.any(String) });
      expect(matchesOf(answer)).toMatchObject([{ status }]);
      expect((await bob.start(title)).status).toBe("ok");
    }
    expect(await house.entries("feedback")).toEqual([]);
  });

  test("[GA12] is neither one's own workstream for a task, nor what the server made", async () => {
    const house = await open();
    const ada = workerOf(house);
    const bob = await newWorker(house, "bob");
    const stream = await ada.beginStream(wording);
    expect((await ada.check(wording)).data).toMatchObject({ matches: [] });
    expect(candidatesOf(await bob.check(wording))).toMatchObject([{ id: stream }]);
    const task = await ada.begin(alone);
    expect(candidateIds(await bob.check(alone))).toEqual([task]);
  });

  test("[GA13] asks for nothing where actions are opposed or components differ", async () => {
    const house = await open();
    await workerOf(house).begin(wording, { action: "create", component: "worker" });
    const bob = await newWorker(house, "bob");
    const opposed = await bob.check(wording, { action: "remove" });
    expect(opposed.data["requires_verdict"]).toBe(false);
    expect(matchesOf(opposed)).toMatchObject([{ action_divergent: true }]);
    const elsewhere = await bob.check(wording, { component: "web" });
    expect(elsewhere.data).toMatchObject({ requires_verdict: false, warning_id: expect.any(String) });
    expect(matchesOf(elsewhere)[0]).not.toHaveProperty("action_divergent");
    const same = await bob.check(wording, { action: "create", component: "Worker" });
    expect(same.data["requires_verdict"]).toBe(true);
  });

  test("[GA16] of files that opposed work targets says so, whatever the titles", async () => {
    const house = await open();
    const ada = workerOf(house);
    const file = { target_files: ["src/a.ts"], repo: "acme/hooks" };
    await ada.begin(alone, { ...file, action: "create" });
    const bob = await newWorker(house, "bob");
    const removal = await bob.check(wording, { ...file, action: "remove" });
    expect(removal).toMatchObject({
      status: "ok",
      data: { file_conflicts: [{ action: "create", action_divergent: true }] },
    });
    for (const said of [{ action: "modify" }, {}]) {
      const [conflict] = (await bob.check(wording, { ...file, ...said })).data["file_conflicts"] as object[];
      expect(conflict).not.toHaveProperty("action_divergent");
    }
  });

  test("[GA14] of private people is only how like it is", async () => {
    const house = await open();
    const eve = await newWorker(house, "eve", { private: true });
    const taskId = await eve.begin(wording, { scope: "Secret scope", repo: "eve/secret", target_files: ["a.ts"] });
    const bob = await newWorker(house, "bob");
    const answer = await bob.check(wording, { repo: "eve/secret", target_files: ["a.ts"] });
    expect(candidatesOf(answer)).toEqual([
      {
        id: taskId,
        type: "task",
        title: "@private",
        scope: null,
        owner: "@private",
        agent: null,
        status: "active",
        repo: null,
        score: expect.any(Number),
        reason: "Same title or ticket",
        reasons: ["Same title or ticket"],
        task_type: null,
        same_developer: false,
        file_overlap: ["a.ts"],
      },
    ]);
    expect(answer.data["file_conflicts"]).toMatchObject([{ owner: "@private", files: ["a.ts"], action: null }]);
    expect(JSON.stringify(answer)).not.toMatch(/Secret scope|"eve"/);
  });

  test("[GA15] is at most five candidates, and the others are no news to the start", async () => {
    const house = await open();
    const others: Worker[] = [];
    for (const handle of ["bob", "carol", "dan", "erin", "frank", "grace", "heidi"]) {
      const worker = await newWorker(house, handle);
      others.push(worker);
      const checked = await worker.check(wording);
      await worker.start(wording, candidateIds(checked).length === 0 ? {} : judgeAll(checked));
    }
    const ada = workerOf(house);
    const checked = await ada.check(wording);
    expect(candidateIds(checked)).toHaveLength(5);
    expect((await ada.start(wording, judgeAll(checked))).status).toBe("ok");
  });

  test("[GA38] of files is told across an unnamed repository, and never between two", async () => {
    const house = await open();
    const [ada, bob] = [workerOf(house), await newWorker(house, "bob")];
    const [known, unnamed] = [["src/known.ts"], ["src/unnamed.ts"]];
    const inRepo = await ada.begin(alone, { repo: "acme/hooks", target_files: known });
    const inNone = await ada.begin(wording, { target_files: unnamed });
    const met = async (repo: string | undefined) => {
      const about = { target_files: [...known, ...unnamed], ...(repo === undefined ? {} : { repo }) };
      const { data } = await bob.check("Paint the boat shed", about);
      return (data["file_conflicts"] as { task_id: string }[]).map(({ task_id }) => task_id).sort();
    };
    expect(await met(undefined)).toEqual([inRepo, inNone].sort());
    expect(await met("acme/hooks")).toEqual([inRepo, inNone].sort());
    expect(await met("acme/other")).toEqual([inNone]);
  });

  test("[GA16] of files is told and decides nothing", async () => {
    const house = await open();
    const ada = workerOf(house);
    const bob = await (await newWorker(house, "bob")).inSession();
    const repo = "acme/hooks";
    const target = await ada.begin(alone, { repo, target_files: ["./src/a.ts", "src/b.ts"], action: "fix" });
    const session = await ada.inSession();
    await session.call("covibe_session", {
      operation: "snapshot",
      repo,
      dirty_files: ["src/a.ts"],
      unpushed_files: ["src/c.ts"],
    });
    const files = ["src/a.ts", "src/c.ts", "src/d.ts"];
    const answer = await bob.check(wording, { repo, target_files: files });
    expect(answer.status).toBe("ok");
    expect(answer.data["file_conflicts"]).toHaveLength(3);
    expect(answer.data["file_conflicts"]).toEqual(
      expect.arrayContaining([
        { source: "target", task_id: target, owner: "ada", same_developer: false, files: ["src/a.ts"], action: "fix" },
        { source: "dirty", session_id: session.session, owner: "ada", same_developer: false, files: ["src/a.ts"] },
        { source: "unpushed", session_id: session.session, owner: "ada", same_developer: false, files: ["src/c.ts"] },
      ]),
    );
    expect((await bob.check(wording, { repo: "acme/other", target_files: files })).data["file_conflicts"]).toEqual([]);
    expect((await session.check(wording, { repo, target_files: ["src/b.ts"] })).data["file_conflicts"]).toMatchObject([
      { task_id: target, same_developer: true },
    ]);
    const claim = await ada.call("covibe_coordination", {
      operation: "claim",
      repo,
      paths: ["src/*.ts"],
      task_id: target,
    });
    expect((await bob.check(wording, { repo, target_files: ["src/d.ts"] })).data["file_conflicts"]).toEqual([
      { source: "claim", claim_id: claim.data["claim_id"], owner: "ada", same_developer: false, files: ["src/d.ts"] },
    ]);
    await ada.task("complete", { task_id: target, result_summary: "Translated." });
    await session.call("covibe_session", { operation: "end" });
    expect((await bob.check(wording, { repo, target_files: files })).data["file_conflicts"]).toEqual([]);
  });
});
