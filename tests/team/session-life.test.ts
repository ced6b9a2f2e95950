import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { homeAt } from "../../src/adapters/home.ts";
import { readSettings } from "../../src/adapters/settings.ts";
import { dispatch } from "../../src/engine/dispatch.ts";
import { openTestHouse } from "../../src/testing/house.ts";
import { forEachStillStore, momentAt, traceOf } from "../domain/still-house.ts";
import { oneTask } from "../workflow/work.ts";
import { act, begin, feedbackOf, info, refuse, turnedAway, typedCaller, used } from "./session-scene.ts";

const minute = 60_000;

forEachStillStore("sessions", (open) => {
  test("[SN1] starting answers the id and the next call, and is recorded as an agent and as a session", async () => {
    const house = await open();
    let id = "";
    const trace = await traceOf(house, async () => {
      const answer = await act<{ session_id: string }>(house, "start", {
        agent_name: "  Ada  ",
        agent_type: "codex",
        provider: "openai",
        model: "gpt-5",
        repo: "acme/shop",
        branch: "work/paging",
        worktree: "/srv/shop",
      });
      id = answer.data.session_id;
      expect(answer).toEqual({
        status: "ok",
        message: "The session has started.",
        feedback: info(
          "Call covibe_task with operation check, this session_id and what you mean to do, before you begin.",
        ),
        data: {
          session_id: expect.stringMatching(/^ag_[0-9a-z]{26}$/),
          agent_name: "Ada",
          agent_type: "codex",
          provider: "openai",
          model: "gpt-5",
          repo: "acme/shop",
          branch: "work/paging",
          worktree: "/srv/shop",
          stale_after_minutes: 30,
        },
      });
    });
    expect(trace).toEqual({
      work: [
        expect.objectContaining({
          kind: "agent.registered",
          subject: id,
          data: { name: "Ada", runtime: "codex", role: "worker", status: "online" },
        }),
        {
          kind: "session.started",
          announced: "session.started",
          subject: id,
          channels: [`session:${id}`, `agent:${id}`],
          data: {
            agent_name: "Ada",
            agent_type: "codex",
            provider: "openai",
            model: "gpt-5",
            repo: "acme/shop",
            branch: "work/paging",
          },
          developerId: house.owner.developerId,
        },
      ],
      usage: [used("start")],
    });
    expect(await house.call("agent_get", { id })).toMatchObject({ name: "Ada", runtime: "codex", status: "online" });
  });

  test("[SN2] a start may leave out everything", async () => {
    const house = await open();
    const { data } = await act(house, "start");
    expect(data).toMatchObject({ agent_name: "agent", agent_type: null, repo: null, branch: null, worktree: null });
    expect((await act(house, "start", { agent_type: "aider" })).data).toMatchObject({ agent_name: "aider" });
  });

  test.each([
    { reported: undefined, kinds: ["agent.registered", "session.started"] },
    { reported: "cursor", kinds: ["agent.registered", "session.started"] },
    { reported: " Cursor", kinds: ["agent.registered", "session.started"] },
    { reported: "codex", kinds: ["agent.registered", "session.started", "session.agentMismatched"] },
  ])("[SN3] a token for cursor is believed when the agent says $reported", async ({ reported, kinds }) => {
    const house = await open();
    const caller = await typedCaller(house, "cursor");
    let id = "";
    const { work } = await traceOf(house, async () => {
      const { data } = await act(house, "start", reported === undefined ? {} : { agent_type: reported }, caller);
      expect(data["agent_type"]).toBe("cursor");
      id = String(data["session_id"]);
    });
    expect(work.map(({ kind }) => kind)).toEqual(kinds);
    if (kinds.length < 3) return;
    expect(work[2]).toEqual({
      kind: "session.agentMismatched",
      announced: "session.agent_mismatch",
      subject: id,
      channels: [`session:${id}`, `agent:${id}`],
      data: { token_type: "cursor", reported_type: "codex" },
      developerId: house.owner.developerId,
    });
  });

  test("[SN7, SN5] a heartbeat says when the session was seen and is linked to it", async () => {
    const house = await open();
    const id = await begin(house);
    house.clock.advance(5 * minute);
    const trace = await traceOf(house, async () => {
      expect(await act(house, "heartbeat", { session_id: id, companion_version: "1.2.3" })).toEqual({
        status: "ok",
        message: "The session is alive.",
        feedback: info(null),
        data: { session_id: id, last_seen_at: momentAt(5 * minute), registered_repos: 0 },
      });
    });
    expect(trace).toEqual({
      work: [
        {
          kind: "session.seen",
          announced: "session.heartbeat",
          subject: id,
          channels: [`session:${id}`, `agent:${id}`],
          data: { registered_repos: 0, companion_version: "1.2.3", session_id: id },
          developerId: house.owner.developerId,
        },
      ],
      usage: [used("heartbeat", id)],
    });
    expect(await house.call("agent_get", { id })).toMatchObject({ last_heartbeat: momentAt(5 * minute) });
  });

  test("[SN7] a machine's heartbeat without a session changes nothing", async () => {
    const house = await open();
    const trace = await traceOf(house, async () => {
      const { data } = await act(house, "heartbeat", { registered_repos: ["acme/shop", "acme/shop"] });
      expect(data).toEqual({ session_id: null, last_seen_at: momentAt(0), registered_repos: 1 });
    });
    expect(trace).toEqual({ work: [], usage: [used("heartbeat")] });
  });

  test("[SN8] watched repositories are registered once by path, a private developer's not at all", async () => {
    const house = await open();
    const watched = { registered_repos: ["/srv/code/shop", "/srv/code/shop/", "acme/other"] };
    expect(await house.eventsOf(() => act(house, "heartbeat", watched))).toEqual(["repository.registered"]);
    expect(await house.eventsOf(() => act(house, "heartbeat", watched))).toEqual([]);
    const { caller } = await house.developer("hidden", { private: true });
    const theirs = { registered_repos: ["/srv/code/hidden"] };
    expect(await house.eventsOf(() => act(house, "heartbeat", theirs, caller))).toEqual([]);
    const { repositories } = await house.call<{ repositories: { path: string }[] }>("repository_list");
    expect(repositories.map(({ path }) => path)).toEqual(["/srv/code/shop"]);
    const many = Array.from({ length: 201 }, (_, index) => `acme/${index}`);
    expect(await refuse(house, "heartbeat", { registered_repos: many })).toBe("INVALID_REQUEST");
    expect(await refuse(house, "heartbeat", { registered_repos: ["/srv/../etc"] })).toBe("INVALID_INPUT");
    expect(await refuse(house, "heartbeat", { registered_repos: ["/root"] })).toBe("FORBIDDEN");
  });

  test("[SN9] a companion's version of 64 characters is taken and a longer one refused", async () => {
    const house = await open();
    const trace = await traceOf(house, async () => {
      expect((await act(house, "heartbeat", { companion_version: "1".repeat(64) })).status).toBe("ok");
      expect(await refuse(house, "heartbeat", { companion_version: "1".repeat(65) })).toBe("INVALID_REQUEST");
    });
    expect(trace).toEqual({ work: [], usage: [used("heartbeat"), turnedAway("heartbeat", "INVALID_REQUEST")] });
  });

  test("[SN6] a silence of 30 minutes is still a life; after a longer one the next call brings the session back", async () => {
    const house = await open();
    const id = await begin(house);
    house.clock.advance(30 * minute);
    expect(await house.eventsOf(() => house.sweep())).toEqual([]);
    house.clock.advance(1);
    expect(await house.eventsOf(() => house.sweep())).toEqual(["agent.wentStale"]);
    const { work } = await traceOf(house, () => act(house, "heartbeat", { session_id: id }));
    expect(work.map(({ kind, data }) => [kind, data])).toEqual([
      ["agent.updated", { fields: ["status"], status: "online", session_id: id }],
      ["session.seen", { registered_repos: 0, companion_version: null, session_id: id }],
    ]);
    expect(await house.call("agent_get", { id })).toMatchObject({ status: "online" });
  });

  test("[SN5] any call that names the session keeps it alive", async () => {
    const house = await open();
    const id = await begin(house);
    for (const [operation, args] of [
      ["activity", { kind: "note", summary: "Read the code." }],
      ["get_context", {}],
      ["publish_context", { title: "Paging", summary: "Begun." }],
      ["snapshot", {}],
    ] as const) {
      house.clock.advance(20 * minute);
      const { usage } = await traceOf(house, () => act(house, operation, { session_id: id, ...args }));
      expect(usage).toEqual([used(operation, id)]);
    }
    expect(await house.eventsOf(() => house.sweep())).toEqual([]);
  });

  test("[SN20] a session shows by which ways it was heard of, the last first, and hides it with its private owner", async () => {
    const house = await open();
    const { caller: bob } = await house.developer("bob", { private: true });
    const beat = async (id: string, madeBy?: "hook" | "watch") => {
      house.clock.advance(minute);
      const args = { operation: "heartbeat", session_id: id };
      const reply = await dispatch(house.house, {
        tool: "covibe_session",
        args,
        caller: bob,
        transport: "http",
        madeBy,
      });
      expect(reply.ok).toBe(true);
    };
    const signals = async (caller = bob) =>
      (await house.call<{ sessions: { signals: unknown }[] }>("session_list", {}, caller)).sessions[0]?.signals;
    const id = await begin(house, bob);
    expect(await signals()).toEqual([{ way: "call", at: momentAt(0) }]);
    await beat(id, "hook");
    await beat(id, "watch");
    await beat(id, "hook");
    expect(await signals()).toEqual([
      { way: "hook", at: momentAt(3 * minute) },
      { way: "watch", at: momentAt(2 * minute) },
      { way: "call", at: momentAt(0) },
    ]);
    expect(await signals(house.owner)).toEqual([]);
  });

  test("[SN5] of many calls from one session at the same moment each is granted", async () => {
    const house = await open();
    const id = await begin(house);
    const line = { session_id: id, kind: "note", summary: "Read the code." };
    const kinds = await house.eventsOf(() =>
      Promise.all(Array.from({ length: 16 }, () => act(house, "activity", line))),
    );
    expect(kinds).toEqual(Array.from({ length: 16 }, () => "session.activityLogged"));
  });

  test("[SN16] ending takes the agent offline, gives its task back and keeps the summary in the ledger", async () => {
    const house = await open();
    const id = await begin(house);
    const task = await oneTask(house);
    await house.call("task_claim", { task_id: task, agent_id: id });
    await act(house, "snapshot", { session_id: id, dirty_files: ["src/a.ts"] });
    house.clock.advance(minute);
    const trace = await traceOf(house, async () => {
      expect(await act(house, "end", { session_id: id, summary: "Paging is there." })).toEqual({
        status: "ok",
        message: "The session has ended.",
        feedback: info(null),
        data: { session_id: id, ended_at: momentAt(minute), tasks_released: 1 },
      });
    });
    expect(trace.work.map(({ kind, subject, data }) => [kind, subject, data])).toEqual([
      ["session.ended", id, { summary: "Paging is there.", session_id: id }],
      ["agent.unregistered", id, { status: "offline", session_id: id }],
      ["task.released", task, expect.objectContaining({ agent_id: id, reason: "the agent went offline" })],
    ]);
    expect(trace.work[0]).toMatchObject({ announced: "session.ended", channels: [`session:${id}`, `agent:${id}`] });
    expect(trace.usage).toEqual([used("end", id)]);
    const other = await begin(house, house.owner, { agent_name: "Bo" });
    const { data } = await act(house, "snapshot", { session_id: other, dirty_files: ["src/a.ts"] });
    expect(data["overlap_warnings"]).toEqual([]);
  });

  test("[SN16] a session that went stale can still be ended", async () => {
    const house = await open();
    const id = await begin(house);
    house.clock.advance(31 * minute);
    await house.sweep();
    expect(await house.eventsOf(() => act(house, "end", { session_id: id }))).toEqual(["session.ended"]);
  });

  test("[SN17] ending twice warns, and the end stays one", async () => {
    const house = await open();
    const id = await begin(house);
    await act(house, "end", { session_id: id });
    house.clock.advance(minute);
    const next = "Start a new one with covibe_session, operation start, if there is more to do.";
    const feedback = await feedbackOf(house, async () => {
      const trace = await traceOf(house, async () => {
        expect(await act(house, "end", { session_id: id })).toEqual({
          status: "warning",
          message: "The session had ended already.",
          feedback: { type: "warning", required_action: next },
          data: { session_id: id, ended_at: momentAt(0), tasks_released: 0 },
        });
      });
      expect(trace.work).toEqual([]);
    });
    expect(feedback).toEqual([
      expect.objectContaining({ kind: "feedback.warning", subject: id, required_action: next }),
    ]);
  });

  test("[SN18] what the agent does under its other name counts for the session", async () => {
    const house = await open();
    const id = await begin(house);
    house.clock.advance(20 * minute);
    await house.call("agent_heartbeat", { agent_id: id });
    house.clock.advance(20 * minute);
    expect(await house.eventsOf(() => house.sweep())).toEqual([]);
    expect(await house.eventsOf(() => house.call("agent_unregister", { id }))).toEqual([
      "session.ended",
      "agent.unregistered",
    ]);
    expect(await refuse(house, "heartbeat", { session_id: id })).toBe("INVALID_STATE");
  });
});

test("[SN10] a server that offers a companion says which, and whether the machine's is another", async () => {
  const release = { version: "2.0.0", tarballSha256: "ab".repeat(32) };
  const house = await openTestHouse("sqlite", { ports: { agent: { readCompanion: async () => release } } });
  const offered = { latest_version: "2.0.0", tarball_sha256: "ab".repeat(32) };
  const beat = (args: Record<string, unknown>) => act(house, "heartbeat", args);
  expect((await beat({ companion_version: "2.0.0" })).data["companion"]).toEqual({
    ...offered,
    update_available: false,
  });
  for (const companion_version of ["1.9.9", "3.0.0"]) {
    const { data, feedback } = await beat({ companion_version });
    expect(data["companion"]).toEqual({ ...offered, update_available: true });
    expect(feedback.required_action).toBe("Bring the companion of this machine to companion.latest_version.");
  }
  expect((await beat({})).data).not.toHaveProperty("companion");
});

test("[SN10] what a server offers is a setting, whole or not at all", () => {
  const dir = mkdtempSync(join(tmpdir(), "crewdeck-companion-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const read = (companion: unknown) => {
    writeFileSync(join(dir, "config.json"), JSON.stringify({ companion }));
    return readSettings(homeAt(dir), {}).companion;
  };
  const release = { version: "2.0.0", tarballSha256: "ab".repeat(32) };
  expect(read(release)).toEqual(release);
  expect(read(undefined)).toBeUndefined();
  for (const wrong of [{ version: "2.0.0" }, { ...release, tarballSha256: "short" }, { ...release, url: "x" }]) {
    expect(() => read(wrong)).toThrow();
  }
});
