import { expect, test } from "vitest";
import type { Caller } from "../../src/contract/caller.ts";
import type { TestHouse } from "../../src/testing/house.ts";
import { forEachStillStore, momentAt, traceOf, usedWell, wasRefused } from "../domain/still-house.ts";
import { planned } from "../workflow/work.ts";
import { type Answer, act, begin, info } from "./session-scene.ts";

const note = (house: TestHouse, args: Record<string, unknown>, caller?: Caller) =>
  house.call<Answer<{ note_id: string }>>("covibe_note", { text: "Ids, not offsets.", ...args }, caller);

interface Mission {
  readonly mission_id: string;
}

const mission = async (house: TestHouse): Promise<{ mission: string; task: string }> => {
  const { mission_id } = await house.call<Mission>("start_mission", { name: "Shop", objective: "It pages." });
  const ask = { mission_id, name: "Page", goal: "It pages." };
  return { mission: mission_id, task: (await house.call<{ task_id: string }>("start_task", ask)).task_id };
};

forEachStillStore("team notes", (open) => {
  test("[TN1] a decision on a task is recorded and is one of the task's checkpoints", async () => {
    const house = await open();
    const session = await begin(house);
    const { id: workflow, task } = await planned(house, [{ name: "a" }]);
    let id = "";
    const trace = await traceOf(house, async () => {
      const answer = await note(house, { kind: "decision", task_id: task("a"), session_id: session });
      id = answer.data.note_id;
      expect(answer).toEqual({
        status: "ok",
        message: "The decision is noted.",
        feedback: info(null),
        data: {
          note_id: expect.stringMatching(/^cp_/),
          kind: "decision",
          task_id: task("a"),
          workstream_id: workflow,
          created_at: momentAt(0),
        },
      });
    });
    expect(trace).toEqual({
      work: [
        {
          kind: "note.decided",
          announced: "decision:created",
          subject: id,
          channels: [`note:${id}`, `task:${task("a")}`, `workflow:${workflow}`, `agent:${session}`],
          data: { workflow_id: workflow, task_id: task("a"), kind: "decision", sequence: 1, session_id: session },
          developerId: house.owner.developerId,
        },
      ],
      usage: [usedWell("covibe_note", session)],
    });
    await note(house, { kind: "blocker", task_id: task("a"), text: "No access." });
    const { checkpoints } = await house.call<{ checkpoints: object[] }>("checkpoint_list", { task_id: task("a") });
    expect(checkpoints).toEqual([
      expect.objectContaining({ id, type: "decision", sequence: 1, summary: "Ids, not offsets." }),
      expect.objectContaining({ type: "blocker", sequence: 2, summary: "No access." }),
    ]);
  });

  test("[TN2] a note may be about a workstream, or about neither", async () => {
    const house = await open();
    const { id: workflow } = await planned(house, [{ name: "a" }]);
    const { work } = await traceOf(house, async () => {
      const whole = await note(house, { kind: "decision", workstream_id: workflow });
      expect(whole.data).toMatchObject({ task_id: null, workstream_id: workflow });
      const free = await note(house, { kind: "blocker" });
      expect(free.data).toMatchObject({ task_id: null, workstream_id: null });
      expect(free.feedback).toEqual(info(null));
    });
    expect(work.map(({ kind, data }) => [kind, data])).toEqual([
      ["note.decided", { workflow_id: workflow, task_id: null, kind: "decision", sequence: 0 }],
      ["note.added", { workflow_id: null, task_id: null, kind: "blocker", sequence: 0 }],
    ]);
  });

  test("[TN3] a blocker blocks its mission until a person resolves it; a decision is one of the mission's", async () => {
    const house = await open();
    const { mission: id, task } = await mission(house);
    const blocker = await note(house, { kind: "blocker", task_id: task, text: "No access." });
    expect(blocker).toMatchObject({
      message: "The blocker is noted and stays open.",
      feedback: info("If the work cannot go on, call covibe_task with operation update and status blocked."),
    });
    await note(house, { kind: "decision", workstream_id: id });
    const read = () => house.call("get_context", { mission_id: id, include: ["decisions", "blockers"] });
    expect(await read()).toMatchObject({
      mission_status: "BLOCKED",
      blockers: [expect.objectContaining({ id: blocker.data.note_id, description: "No access." })],
      decisions: [expect.objectContaining({ chosen: "Ids, not offsets." })],
    });
    await house.call("issue_resolve", { id: blocker.data.note_id });
    expect(await read()).toMatchObject({ mission_status: "IN_PROGRESS", blockers: [] });
  });

  test("[TN4] covibe_note refuses FORBIDDEN, TASK_NOT_FOUND, WORKFLOW_NOT_FOUND, SESSION_NOT_FOUND and INVALID_STATE", async () => {
    const house = await open();
    const { caller: bob } = await house.developer("bob");
    const { id: workflow, task } = await planned(house, [{ name: "a" }]);
    const session = await begin(house);
    const ended = await begin(house, bob);
    await act(house, "end", { session_id: ended }, bob);
    const cases = [
      { args: { task_id: task("a") }, code: "FORBIDDEN" },
      { args: { workstream_id: workflow }, code: "FORBIDDEN" },
      { args: { session_id: session }, code: "FORBIDDEN" },
      { args: { task_id: "tk_unknown" }, code: "TASK_NOT_FOUND" },
      { args: { workstream_id: "wf_unknown" }, code: "WORKFLOW_NOT_FOUND" },
      { args: { session_id: "ag_unknown" }, code: "SESSION_NOT_FOUND" },
      { args: { session_id: ended }, code: "INVALID_STATE" },
      { args: { kind: "milestone" }, code: "INVALID_REQUEST" },
      { args: { text: "   " }, code: "INVALID_REQUEST" },
    ];
    const trace = await traceOf(house, async () => {
      for (const { args, code } of cases) {
        const ask = { kind: "decision", text: "Mine.", ...args };
        expect(await house.refusal("covibe_note", ask, bob)).toBe(code);
      }
    });
    expect(trace).toEqual({ work: [], usage: cases.map(({ code }) => wasRefused("covibe_note", code)) });
  });

  test("[TN5] covibe_note refuses a task of another workstream with WORKFLOW_MISMATCH", async () => {
    const house = await open();
    const [one, other] = [await planned(house, [{ name: "a" }]), await planned(house, [{ name: "b" }])];
    const ask = { kind: "decision", text: "Mine.", task_id: one.task("a") };
    expect(await house.refusal("covibe_note", { ...ask, workstream_id: other.id })).toBe("WORKFLOW_MISMATCH");
    expect((await note(house, { ...ask, workstream_id: one.id })).status).toBe("ok");
  });
});
