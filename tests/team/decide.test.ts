import { expect, test } from "vitest";
import type { TestHouse } from "../../src/testing/house.ts";
import { forEachStillStore, traceOf } from "../domain/still-house.ts";
import { coordinate, take } from "./coordination-scene.ts";
import { act, begin } from "./session-scene.ts";
import { candidateIds, newWorker, type Worker, wording, workerOf } from "./work-scene.ts";

interface Carrying {
  readonly notices?: readonly { readonly about: string; readonly text: string }[];
}

/** A harmless call of a session's, and what its answer carries. */
const heard = async (worker: Worker): Promise<Carrying["notices"]> =>
  ((await worker.call("covibe_session", { operation: "heartbeat" })) as Carrying).notices;

/** Bob's agent wants to start what the owner does already. */
async function doubt(house: TestHouse): Promise<{ bob: Worker; check_id: string; candidate_id: string }> {
  const candidate_id = await workerOf(house).begin(wording);
  const bob = await (await newWorker(house, "bob")).inSession();
  const checked = await bob.check(wording);
  expect(candidateIds(checked)).toEqual([candidate_id]);
  return { bob, check_id: String(checked.data["check_id"]), candidate_id };
}

forEachStillStore("what people decide", (open) => {
  test("[NC1, NC2] the answer to a question comes with the asker's next answer, once, and with nobody else's", async () => {
    const house = await open();
    const bob = await newWorker(house, "bob");
    const [asker, other] = [await bob.inSession(), await bob.inSession()];
    const to = house.owner.handle;
    const asked = await asker.call("covibe_coordination", { operation: "ask", to, question: "May I rename it?" });
    const ask_id = String(asked.data["ask_id"]);
    const { work } = await traceOf(house, () =>
      coordinate(house, "reply", { ask_id, answer: "Yes, but keep the old name." }),
    );
    expect(work[0]?.channels).toContain(`agent:${asker.session}`);
    expect(await heard(other)).toBeUndefined();
    expect(await heard(workerOf(house))).toBeUndefined();
    expect(await heard(asker)).toEqual([
      { about: ask_id, text: `${to} answered your question: Yes, but keep the old name.` },
    ]);
    expect(await heard(asker)).toBeUndefined();
  });

  test("[NC2] an answer to a question from no session goes to whichever agent calls next", async () => {
    const house = await open();
    const bob = await newWorker(house, "bob");
    const asked = await bob.call("covibe_coordination", {
      operation: "ask",
      to: house.owner.handle,
      question: "Ready?",
    });
    await coordinate(house, "reply", { ask_id: asked.data["ask_id"], answer: "Ready." });
    expect(await heard(await bob.inSession())).toHaveLength(1);
  });

  test("[NC3] five notices at once, and none after a day", async () => {
    const house = await open();
    const bob = await (await newWorker(house, "bob")).inSession();
    const ask = { operation: "ask", to: house.owner.handle, question: "And this?" };
    const answer = "long ".repeat(200);
    const asked = [1, 2, 3, 4, 5, 6].map(async () => (await bob.call("covibe_coordination", ask)).data["ask_id"]);
    for (const ask_id of await Promise.all(asked)) await coordinate(house, "reply", { ask_id, answer });
    const first = await heard(bob);
    expect(first).toHaveLength(5);
    expect(first?.[0]?.text.length).toBeLessThan(340);
    house.clock.advance(25 * 3_600_000);
    expect(await heard(bob)).toBeUndefined();
  });

  test("[NC4] of two calls at the same moment one carries the notice", async () => {
    const house = await open();
    const { bob, check_id } = await doubt(house);
    await house.call("check_refuse", { check_id, reason: "Not now." }, bob.caller);
    const carried = await Promise.all([heard(bob), heard(bob), heard(bob)]);
    expect(carried.filter((notices) => notices !== undefined)).toHaveLength(1);
  });

  test("[DC1] a refused start tells the agent why, and needs a new check", async () => {
    const house = await open();
    const { bob, check_id } = await doubt(house);
    const refused = { check_id, reason: "Ada finishes this today." };
    const { work } = await traceOf(house, async () => {
      expect(await house.call("check_refuse", refused, bob.caller)).toEqual(refused);
    });
    expect(work).toMatchObject([
      { kind: "scope.refused", subject: check_id, data: { title: wording, reason: refused.reason } },
    ]);
    expect(await house.call("inbox", {}, bob.caller)).toEqual({ items: [] });
    const started = (await bob.start(wording, { check_id })) as Awaited<ReturnType<Worker["start"]>> & Carrying;
    expect(started).toMatchObject({ status: "blocked", data: { code: "CHECK_REQUIRED" } });
    expect(started.notices).toEqual([
      { about: check_id, text: `bob refused the start of "${wording}": Ada finishes this today.` },
    ]);
  });

  test("[DC2] joined work asks its owner and tells the agent what to work with", async () => {
    const house = await open();
    const { bob, check_id, candidate_id } = await doubt(house);
    const joined = await house.call<{ ask_id: string }>("check_join", { check_id, candidate_id }, bob.caller);
    expect(joined).toEqual({
      check_id,
      candidate_id,
      owner: house.owner.handle,
      ask_id: expect.stringMatching(/^msg_/),
    });
    expect(await house.call("inbox")).toMatchObject({ items: [{ kind: "ask", id: joined.ask_id, from: "bob" }] });
    expect((await heard(bob))?.[0]?.text).toContain(candidate_id);
    await coordinate(house, "reply", { ask_id: joined.ask_id, answer: "Take the tests." });
    expect((await heard(bob))?.[0]?.text).toContain("Take the tests.");
  });

  test("[DC3] check_refuse and check_join: NOT_FOUND, FORBIDDEN, INVALID_STATE", async () => {
    const house = await open();
    const { bob, check_id, candidate_id } = await doubt(house);
    const reason = "No.";
    const join = (args: object, caller = bob.caller) =>
      house.refusal("check_join", { check_id, candidate_id, ...args }, caller);
    expect(await house.refusal("check_refuse", { check_id: "chk_nowhere", reason }, bob.caller)).toBe("NOT_FOUND");
    expect(await join({ check_id: "chk_nowhere" })).toBe("NOT_FOUND");
    expect(await house.refusal("check_refuse", { check_id, reason })).toBe("FORBIDDEN");
    expect(await join({}, house.owner)).toBe("FORBIDDEN");
    expect(await join({ candidate_id: "tk_other" })).toBe("NOT_FOUND");
    await house.call("check_refuse", { check_id, reason }, bob.caller);
    expect(await house.refusal("check_refuse", { check_id, reason }, bob.caller)).toBe("INVALID_STATE");
    expect(await join({})).toBe("INVALID_STATE");
  });

  test("[DC4, DC5] a refused claim shows path, holder and since when, and the owner releases it", async () => {
    const house = await open();
    const bob = await (await newWorker(house, "bob")).inSession();
    const { data } = await take(house, ["src/login/**"], { session_id: bob.session }, bob.caller);
    const wants = await begin(house);
    expect((await take(house, ["src/login/form.ts"], { session_id: wants })).status).toBe("blocked");
    const { conflicts } = await house.call<{ conflicts: object[] }>("claim_conflicts");
    expect(conflicts).toMatchObject([
      {
        item_id: wants,
        claim_id: data.claim_id,
        paths: ["src/login/form.ts"],
        holder: "bob",
        holder_agent: "Test",
        wanted_by: wants,
        may_release: true,
      },
    ]);
    const release = { claim_id: data.claim_id, reason: "I need it today." };
    expect(await house.call("claim_release", release)).toMatchObject({ paths: ["src/login/**"] });
    expect(await house.call("claim_conflicts")).toEqual({ conflicts: [] });
    expect((await heard(bob))?.[0]?.text).toBe(
      `${house.owner.handle} released your claim on src/login/**: I need it today.`,
    );
    expect((await take(house, ["src/login/form.ts"], { session_id: wants })).status).toBe("ok");
  });

  test("[DC5] claim_release: NOT_FOUND, FORBIDDEN for a teammate, INVALID_STATE once it is over", async () => {
    const house = await open();
    const bob = await newWorker(house, "bob");
    const { data } = await take(house, ["src/login/**"]);
    const { claim_id } = data;
    expect(await house.refusal("claim_release", { claim_id: "cl_nowhere" })).toBe("NOT_FOUND");
    expect(await house.refusal("claim_release", { claim_id }, bob.caller)).toBe("FORBIDDEN");
    await house.call("claim_release", { claim_id });
    expect(await house.refusal("claim_release", { claim_id })).toBe("INVALID_STATE");
  });

  test("[DC6] a handoff shows its context before it is accepted; handoff_get: NOT_FOUND, FORBIDDEN, INVALID_STATE", async () => {
    const house = await open();
    const bob = await newWorker(house, "bob");
    const task_id = await bob.begin("Translate the ferry timetable into Finnish");
    await act(house, "publish_context", { title: "Timetable", summary: "Half done.", repo: "acme/ferry" }, bob.caller);
    const offered = await bob.call("covibe_coordination", {
      operation: "handoff",
      to: house.owner.handle,
      summary: "The harbours are missing.",
      task_id,
    });
    const handoff_id = String(offered.data["handoff_id"]);
    expect(await house.call("handoff_get", { handoff_id })).toMatchObject({
      from: "bob",
      summary: "The harbours are missing.",
      task: { id: task_id },
      context: { title: "Timetable", summary: "Half done.", repo: "acme/ferry" },
    });
    expect(await house.refusal("handoff_get", { handoff_id: "msg_nowhere" })).toBe("NOT_FOUND");
    expect(await house.refusal("handoff_get", { handoff_id }, bob.caller)).toBe("FORBIDDEN");
    await coordinate(house, "accept", { handoff_id });
    expect(await house.refusal("handoff_get", { handoff_id })).toBe("INVALID_STATE");
  });
});
