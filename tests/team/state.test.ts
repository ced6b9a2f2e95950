import { expect, test } from "vitest";
import { forEachStillStore, momentAt, traceOf } from "../domain/still-house.ts";
import { bring, planned } from "../workflow/work.ts";
import { type Answer, act, begin, feedbackOf, info, turnedAway } from "./session-scene.ts";
import { ask, day, halfAnHour, nothingYet, readState, type State } from "./state-scene.ts";

forEachStillStore("the state of the team", (open) => {
  test("[TS1] a team that has done nothing yet has every key", async () => {
    const house = await open();
    const trace = await traceOf(house, async () => {
      expect(await ask(house, "state")).toEqual({
        status: "ok",
        message: "0 active, 0 planned, 0 completed in the last 14 days.",
        feedback: info(null),
        data: nothingYet,
      });
    });
    expect(trace.work).toEqual([]);
  });

  test("[TS3] what is more than a thousand is told as that, and not as a thousand", async () => {
    const house = await open();
    for (const part of ["One", "Two"]) {
      const names = Array.from({ length: 501 }, (_, at) => ({ name: `${part} ${at}` }));
      await planned(house, names, { name: part });
    }
    const { message } = await ask<State>(house, "state");
    expect(message).toContain("1,000+ planned");
  });

  test("[TS2] work of every family is told in the team's words, last changed first", async () => {
    const house = await open();
    const names = ["Waits", "Runs", "Pauses", "Is done", "Failed", "Is dropped"];
    const work = await planned(
      house,
      names.map((name) => ({ name })),
      { name: "Shop" },
    );
    for (const [name, status] of [
      ["Runs", "in_progress"],
      ["Pauses", "paused"],
      ["Is done", "completed"],
      ["Failed", "failed"],
      ["Is dropped", "skipped"],
    ] as const) {
      house.clock.advance(1_000);
      await bring(house, work.task(name), status);
    }
    const { mission_id } = await house.call<{ mission_id: string }>("start_mission", { name: "M", objective: "O" });
    const { data, message } = await ask<State>(house, "state");
    const shown = (list: State["active_work"]) => list.map(({ title, status }) => [title, status]);
    expect(message).toBe("2 active, 1 planned, 1 completed in the last 14 days.");
    expect(shown(data.active_work)).toEqual([
      ["Pauses", "active"],
      ["Runs", "active"],
    ]);
    expect(shown(data.planned_work)).toEqual([["Waits", "planned"]]);
    expect(data.recent_completions).toEqual([
      {
        id: work.task("Is done"),
        task_id: work.task("Is done"),
        type: "task",
        title: "Is done",
        status: "done",
        developer: "ada",
        session_id: null,
        workstream_id: work.id,
        scope: null,
        action: null,
        component: null,
        repo: null,
        branch: null,
        priority: null,
        task_type: null,
        auto_created: false,
        result_summary: "It works.",
        created_at: momentAt(0),
        updated_at: momentAt(3_000),
      },
    ]);
    expect(data.planned_workstreams).toMatchObject([
      { id: mission_id, type: "mission", title: "M", status: "planned" },
    ]);
  });

  test("[TS2] what was finished more than 14 days ago is not recent", async () => {
    const house = await open();
    const work = await planned(house, [{ name: "Old" }]);
    await bring(house, work.task("Old"), "completed");
    house.clock.advance(14 * day);
    expect((await readState(house)).recent_completions).toHaveLength(1);
    house.clock.advance(1);
    expect((await readState(house)).recent_completions).toEqual([]);
  });

  test("[TS3] lists are cut, and what is beyond is counted up to a thousand", async () => {
    const house = await open();
    const many = Array.from({ length: 1_100 }, (_, at) => ({ name: `Task ${at}` }));
    await planned(house, many.slice(0, 600));
    await planned(house, many.slice(600));
    const { planned_work, totals } = await readState(house);
    expect(planned_work).toHaveLength(20);
    expect(totals["planned_work"]).toBe(1_000);
    const wide = await house.call<{ plannedWork: object[]; totals: object }>("team_state");
    expect(wide.plannedWork).toHaveLength(50);
    expect(wide.totals).toMatchObject({ plannedWork: 1_000 });
  });

  test("[TS4] a session that has been silent for more than half an hour is told as a warning and kept as feedback", async () => {
    const house = await open();
    const session = await begin(house);
    house.clock.advance(halfAnHour);
    expect((await ask(house, "state")).status).toBe("ok");
    house.clock.advance(1);
    let answer: Answer<State> | undefined;
    const told = await feedbackOf(house, async () => {
      answer = await ask<State>(house, "state");
    });
    const message = "0 active, 0 planned, 0 completed in the last 14 days, 1 stale session.";
    const required_action =
      "Look at stale_sessions before you take over their work: ask their developer with covibe_coordination ask.";
    const record = {
      id: session,
      session_id: session,
      agent_name: "Ada",
      developer: "ada",
      status: "stale",
      agent_type: "claude-code",
      provider: null,
      model: null,
      repo: "acme/shop",
      branch: "main",
      started_at: momentAt(0),
      last_seen_at: momentAt(0),
      ended_at: null,
    };
    expect(answer).toEqual({
      status: "warning",
      message,
      feedback: { type: "warning", required_action },
      data: {
        ...nothingYet,
        recent_sessions: [record],
        stale_sessions: [record],
        next_actions: [
          {
            kind: "stale_session",
            id: session,
            title: "Ada",
            from: null,
            action: `Call covibe_session heartbeat with session_id ${session} if it lives, else end.`,
            since: momentAt(0),
          },
        ],
        totals: { ...nothingYet.totals, recent_sessions: 1, stale_sessions: 1 },
      },
    });
    expect(told).toEqual([
      { kind: "feedback.warning", subject: session, type: "warning", message, required_action, code: null },
    ]);
  });

  test("[TS4] a session that has ended or was heard of again is not stale", async () => {
    const house = await open();
    const [lives, ends] = [await begin(house), await begin(house)];
    house.clock.advance(halfAnHour + 1);
    await act(house, "heartbeat", { session_id: lives });
    await act(house, "end", { session_id: ends });
    const { data, status } = await ask<State>(house, "state");
    expect(status).toBe("ok");
    expect(data.stale_sessions).toEqual([]);
    expect(data.recent_sessions.map(({ id, status }) => [id, status])).toEqual(
      expect.arrayContaining([
        [lives, "active"],
        [ends, "ended"],
      ]),
    );
  });

  test("[TS1] notes and published contexts are in it", async () => {
    const house = await open();
    const { task } = await planned(house, [{ name: "a" }]);
    await house.call("covibe_note", { kind: "decision", text: "Ids, not offsets.", task_id: task("a") });
    house.clock.advance(1);
    await house.call("covibe_note", { kind: "blocker", text: "No access.", task_id: task("a") });
    await act(house, "publish_context", { title: "Paging", summary: "Half done.", repo: "acme/shop", branch: "main" });
    const { risks_decisions, session_contexts } = await readState(house);
    expect(risks_decisions).toMatchObject([
      { kind: "blocker", text: "No access.", task_id: task("a"), needs_person: true, created_at: momentAt(1) },
      { kind: "decision", text: "Ids, not offsets.", task_id: task("a"), needs_person: false },
    ]);
    expect(session_contexts).toEqual([
      {
        id: expect.stringMatching(/^ctx_/),
        context_id: expect.stringMatching(/^ctx_/),
        title: "Paging",
        developer: "ada",
        session_id: null,
        repo: "acme/shop",
        branch: "main",
        created_at: momentAt(1),
        expires_at: momentAt(day + 1),
      },
    ]);
    house.clock.advance(day);
    expect((await readState(house)).session_contexts).toEqual([]);
  });

  test("[TS12] the newest context is shown first, however long the older ones last", async () => {
    const house = await open();
    for (let branch = 1; branch <= 11; branch += 1) {
      house.clock.advance(1_000);
      const ttl_hours = branch === 11 ? 1 : 168;
      await act(house, "publish_context", {
        title: `C${branch}`,
        summary: "Half done.",
        branch: `b${branch}`,
        ttl_hours,
      });
    }
    const { session_contexts } = await readState(house);
    expect(session_contexts.map(({ title }) => title)).toEqual(["C11", ..."C10 C9 C8 C7 C6 C5 C4 C3 C2".split(" ")]);
  });

  test.each([
    "state",
    "feedback",
    "audit_parallel_work",
    "generate_weekly_summary",
  ])("[TS9] %s is linked to a session of the caller's own and refuses any other", async (operation) => {
    const house = await open();
    const { caller: other } = await house.developer("grace");
    const [own, foreign, ended] = [await begin(house), await begin(house, other), await begin(house)];
    await act(house, "end", { session_id: ended });
    const granted = await traceOf(house, () => ask(house, operation, { session_id: own }));
    expect(granted.usage).toEqual([expect.objectContaining({ tool: "covibe_team", operation, agent_id: own })]);
    for (const [session_id, code] of [
      [foreign, "FORBIDDEN"],
      [ended, "INVALID_STATE"],
      ["ag_none", "SESSION_NOT_FOUND"],
    ] as const) {
      const trace = await traceOf(house, async () =>
        expect(await house.refusal("covibe_team", { operation, session_id })).toBe(code),
      );
      expect(trace).toEqual({ work: [], usage: [{ ...turnedAway(operation, code), tool: "covibe_team" }] });
    }
  });
});
