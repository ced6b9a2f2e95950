import { expect, test } from "vitest";
import type { Caller } from "../../src/contract/caller.ts";
import type { TestHouse } from "../../src/testing/house.ts";
import { forEachStillStore, momentAt } from "../domain/still-house.ts";
import { bring, planned } from "../workflow/work.ts";
import { type Answer, act, begin } from "./session-scene.ts";
import { ask, day, halfAnHour, readInbox, readState } from "./state-scene.ts";
import { claudeReport, ingest } from "./usage.ts";

const coordinate = <Data = Record<string, unknown>>(
  house: TestHouse,
  operation: string,
  args: Record<string, unknown>,
  caller: Caller = house.owner,
) => house.call<Answer<Data>>("covibe_coordination", { operation, ...args }, caller);

/** A task of the caller's own in some status. */
async function task(house: TestHouse, name: string, status: string, caller = house.owner): Promise<string> {
  const work = await planned(house, [{ name }], { name: "Shop" }, caller);
  await bring(house, work.task(name), status, caller);
  return work.task(name);
}

const kindsOf = async (house: TestHouse, caller?: Caller) => (await readInbox(house, caller)).map(({ kind }) => kind);

const title = "Add pagination to the orders list endpoint";

forEachStillStore("the inbox", (open) => {
  test("[TS40] nothing waits in a new house", async () => {
    expect(await readInbox(await open())).toEqual([]);
  });

  test("[TS40, TS7, DI12] the most urgent kind comes first, then what has waited longest; agents get the same as next actions", async () => {
    const house = await open();
    const { caller: grace } = await house.developer("grace");
    const session = await begin(house);
    const stale = await task(house, "Forgotten", "in_progress");
    house.clock.advance(day + 1);
    const failed = await task(house, "Broke", "failed");
    house.clock.advance(1);
    const hers = await begin(house, grace, { agent_name: "Grace’s agent" });
    const question = { to: "ada", question: "Which port?", session_id: hers };
    const asked = await coordinate<{ ask_id: string }>(house, "ask", question, grace);
    house.clock.advance(1);
    await coordinate(house, "ask", { to: "ada", question: "And which host?" }, grace);
    const items = await readInbox(house);
    expect(items).toEqual([
      {
        kind: "ask",
        id: asked.data.ask_id,
        title: "Which port?",
        developer: "ada",
        from: "grace",
        agent_id: hers,
        agent: "Grace’s agent",
        action: `crewdeck call covibe_coordination --operation reply --ask-id ${asked.data.ask_id} --answer TEXT`,
        since: momentAt(day + 2),
      },
      expect.objectContaining({ kind: "ask", title: "And which host?", agent_id: null }),
      expect.objectContaining({ kind: "failed_task", id: failed, title: "Broke", since: momentAt(day + 1) }),
      expect.objectContaining({ kind: "stale_task", id: stale, title: "Forgotten" }),
      expect.objectContaining({
        kind: "stale_session",
        id: session,
        title: "Ada",
        agent_id: session,
        since: momentAt(0),
      }),
    ]);
    const { next_actions } = await readState(house);
    expect(next_actions.map(({ kind, id }) => [kind, id])).toEqual(items.map(({ kind, id }) => [kind, id]));
    expect(next_actions[0]).toEqual({
      kind: "ask",
      id: asked.data.ask_id,
      title: "Which port?",
      from: "grace",
      action: `Call covibe_coordination reply with ask_id ${asked.data.ask_id}.`,
      since: momentAt(day + 2),
    });
    expect((await ask(house, "state", {}, grace)).data["next_actions"]).toEqual([]);
  });

  test("[TS41] a question waits until it is answered", async () => {
    const house = await open();
    const { caller: grace } = await house.developer("grace");
    const { data } = await coordinate<{ ask_id: string }>(house, "ask", { to: "grace", question: "Which port?" });
    expect(await kindsOf(house, grace)).toEqual(["ask"]);
    expect(await kindsOf(house)).toEqual([]);
    await coordinate(house, "reply", { ask_id: data.ask_id, answer: "3001." }, grace);
    expect(await kindsOf(house, grace)).toEqual([]);
  });

  test("[TS41] a handoff waits until it is accepted", async () => {
    const house = await open();
    const { caller: grace } = await house.developer("grace");
    const { data } = await coordinate<{ handoff_id: string }>(house, "handoff", { to: "grace", summary: "Half done." });
    expect(await readInbox(house, grace)).toMatchObject([{ kind: "handoff", title: "Half done.", from: "ada" }]);
    await coordinate(house, "accept", { handoff_id: data.handoff_id }, grace);
    expect(await kindsOf(house, grace)).toEqual([]);
  });

  test("[TS41] an issue waits until a person has looked at it", async () => {
    const house = await open();
    const id = await task(house, "Paging", "pending");
    const note = { kind: "blocker", text: "No access to the database.", task_id: id };
    const { data } = await house.call<Answer<{ note_id: string }>>("covibe_note", note);
    expect(await readInbox(house)).toMatchObject([
      { kind: "issue", id: data.note_id, title: note.text, action: `crewdeck issue resolve ${data.note_id}` },
    ]);
    await house.call("issue_resolve", { id: data.note_id });
    expect(await kindsOf(house)).toEqual([]);
  });

  test("[TS41] a failed task waits until it is taken up again, an untouched one until it moves", async () => {
    const house = await open();
    const failed = await task(house, "Broke", "failed");
    const slow = await task(house, "Slow", "in_progress");
    expect(await kindsOf(house)).toEqual(["failed_task"]);
    house.clock.advance(day);
    expect(await kindsOf(house)).toEqual(["failed_task"]);
    house.clock.advance(1);
    expect(await kindsOf(house)).toEqual(["failed_task", "stale_task"]);
    await house.call("task_update_status", { id: failed, status: "pending" });
    await house.call("task_update_status", { id: slow, status: "completed", outcome: "At last." });
    expect(await kindsOf(house)).toEqual([]);
  });

  test("[TS41] a silent session waits until it is heard of or ended", async () => {
    const house = await open();
    const [back, over] = [await begin(house), await begin(house)];
    house.clock.advance(halfAnHour + 1);
    expect(await kindsOf(house)).toEqual(["stale_session", "stale_session"]);
    await act(house, "heartbeat", { session_id: back });
    await act(house, "end", { session_id: over });
    expect(await kindsOf(house)).toEqual([]);
  });

  test("[TS41] a refused claim is told until its developer has one, or for four hours", async () => {
    const house = await open();
    const { caller: grace } = await house.developer("grace");
    const code = { repo: "shop", paths: ["src/login/**"] };
    await coordinate(house, "claim", { ...code, ttl_minutes: 1_440 }, grace);
    await coordinate(house, "claim", code);
    await coordinate(house, "claim", code);
    expect(await readInbox(house)).toMatchObject([{ kind: "refused_claim", title: null, since: momentAt(0) }]);
    expect(await kindsOf(house, grace)).toEqual([]);
    house.clock.advance(4 * 3_600_000 + 1);
    expect(await kindsOf(house)).toEqual([]);
    await coordinate(house, "claim", code);
    expect(await kindsOf(house)).toEqual(["refused_claim"]);
    house.clock.advance(1);
    await coordinate(house, "claim", { repo: "shop", paths: ["src/paging/**"] });
    expect(await kindsOf(house)).toEqual([]);
  });

  test("[TS41] a refused claim is settled once what was in its way is released", async () => {
    const house = await open();
    const { caller: grace } = await house.developer("grace");
    const code = { repo: "shop", paths: ["src/login/**"] };
    const held = await coordinate(house, "claim", code, grace);
    await coordinate(house, "claim", code);
    expect(await kindsOf(house)).toEqual(["refused_claim"]);
    await coordinate(house, "release", { claim_id: held.data["claim_id"] }, grace);
    expect(await kindsOf(house)).toEqual([]);
  });

  test("[TS41, DC4] of two refused claims each is settled by what was in its own way", async () => {
    const house = await open();
    const { caller: grace } = await house.developer("grace");
    const [one, other] = [await begin(house), await begin(house)];
    const want = async (path: string, session_id: string) => {
      const code = { repo: "shop", paths: [path] };
      const held = await coordinate(house, "claim", code, grace);
      await coordinate(house, "claim", { ...code, session_id });
      return held.data["claim_id"];
    };
    const [first] = [await want("src/login/**", one), await want("src/mail/**", other)];
    expect((await readInbox(house)).map(({ id }) => id).sort()).toEqual([one, other].sort());
    await coordinate(house, "release", { claim_id: first }, grace);
    expect((await readInbox(house)).map(({ id }) => id)).toEqual([other]);
    const { conflicts } = await house.call<{ conflicts: object[] }>("claim_conflicts");
    expect(conflicts).toMatchObject([{ item_id: other, paths: ["src/mail/**"] }]);
  });

  test("[TS41] a start that must be judged waits as long as its check counts", async () => {
    const house = await open();
    const { caller: grace } = await house.developer("grace");
    const work = await planned(house, [{ name: title }], {}, grace);
    await bring(house, work.task(title), "in_progress", grace);
    const { data } = await house.call<Answer<{ check_id: string }>>("covibe_task", {
      operation: "check",
      title,
      task_type: "feature",
    });
    expect(await readInbox(house)).toMatchObject([{ kind: "blocked_start", id: data.check_id, title }]);
    expect((await readState(house)).overlap_warnings).toMatchObject([{ title, status: "open", matches: 1 }]);
    expect(await kindsOf(house, grace)).toEqual([]);
    await house.call("covibe_task", {
      operation: "start",
      title,
      task_type: "feature",
      check_id: data.check_id,
      scope_verdict: [
        { candidate_id: work.task(title), verdict: "different_scope", reason: "Orders of another shop." },
      ],
    });
    expect(await kindsOf(house)).toEqual([]);
  });

  test("[TS41] a start that must be judged waits until a person has confirmed it", async () => {
    const house = await open();
    const said = { title, task_type: "feature" };
    await house.call("covibe_task", { operation: "plan", ...said }, (await house.developer("grace")).caller);
    const checked = await house.call<Answer<{ check_id: string }>>("covibe_task", { operation: "check", ...said });
    const { check_id } = checked.data;
    expect(await readInbox(house)).toMatchObject([
      {
        kind: "blocked_start",
        id: check_id,
        action: `crewdeck call check_confirm --check-id ${check_id} --reason TEXT`,
      },
    ]);
    await house.call("check_confirm", { check_id, reason: "Both are wanted: one is the fallback." });
    expect(await kindsOf(house)).toEqual([]);
  });

  test("[TS41] a budget that is spent waits until it is raised", async () => {
    const house = await open();
    await house.call("budget_set", { developer: "ada", limit_usd: 2 });
    await ingest(house, claudeReport(3));
    expect(await readInbox(house)).toMatchObject([{ kind: "budget", id: house.owner.developerId, title: null }]);
    await house.call("budget_set", { developer: "ada", limit_usd: 5 });
    expect(await kindsOf(house)).toEqual([]);
  });

  test("[TS41] a blocked task waits until it goes on", async () => {
    const house = await open();
    const said = { title, task_type: "feature" };
    await house.call("covibe_task", { operation: "check", ...said });
    const { data } = await house.call<Answer<{ task_id: string }>>("covibe_task", { operation: "start", ...said });
    await house.call("covibe_task", { operation: "update", task_id: data.task_id, status: "blocked" });
    expect(await readInbox(house)).toMatchObject([{ kind: "blocked_task", id: data.task_id, title }]);
    await house.call("covibe_task", { operation: "update", task_id: data.task_id, status: "active" });
    expect(await kindsOf(house)).toEqual([]);
  });

  test("[TS42] the inbox of everyone leaves out private people and the words of others' letters", async () => {
    const house = await open();
    const { caller: grace } = await house.developer("grace");
    const { caller: mallory } = await house.developer("mallory", { private: true });
    await coordinate(house, "ask", { to: "grace", question: "Shall we merge?" });
    house.clock.advance(1);
    const session_id = await begin(house, mallory, { agent_name: "Mallory’s" });
    await coordinate(house, "ask", { to: "grace", question: "A secret?", session_id }, mallory);
    await task(house, "Hidden", "failed", mallory);
    await task(house, "Seen", "failed", grace);
    const { caller: other } = await house.developer("edsger");
    const seenBy = async (caller: Caller) =>
      (await readInbox(house, caller, { everyone: true })).map(({ kind, title, developer, from }) => ({
        kind,
        title,
        developer,
        from,
      }));
    const expected = (words: string | null, secret: string | null) => [
      { kind: "ask", title: words, developer: "grace", from: "ada" },
      { kind: "ask", title: secret, developer: "grace", from: "@private" },
      { kind: "failed_task", title: "Seen", developer: "grace", from: null },
    ];
    expect(await seenBy(other)).toEqual(expected(null, null));
    expect(await seenBy(house.owner)).toEqual(expected("Shall we merge?", null));
    expect(await seenBy(grace)).toEqual(expected("Shall we merge?", "A secret?"));
    expect(JSON.stringify(await readInbox(house, grace, { everyone: true }))).not.toContain(session_id);
    expect((await readInbox(house, mallory)).map(({ title }) => title)).toEqual(["Hidden"]);
  });
});
