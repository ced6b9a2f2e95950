import { expect, test } from "vitest";
import type { Caller } from "../../src/contract/caller.ts";
import type { TestHouse } from "../../src/testing/house.ts";
import { forEachStillStore } from "../domain/still-house.ts";
import { bring, planned } from "../workflow/work.ts";
import { act, begin } from "./session-scene.ts";
import { ask, halfAnHour, readState, type State } from "./state-scene.ts";

const title = "Add pagination to the orders list endpoint";
const marks = ["mallory", "pagination", "HiddenAgent", "hidden/repo", "hidden-branch", "hidden-model", "Hidden words"];

/** Everything that can be told of somebody: work in every state, notes, a session, a context, a warning, an audit. */
async function leaveTraces(house: TestHouse, mallory: Caller): Promise<void> {
  const session = await begin(house, mallory, {
    agent_name: "HiddenAgent",
    repo: "hidden/repo",
    branch: "hidden-branch",
    model: "hidden-model",
  });
  for (const status of ["pending", "in_progress", "completed", "failed"]) {
    const work = await planned(house, [{ name: title }], { name: `Hidden words ${title}` }, mallory);
    await bring(house, work.task(title), status, mallory);
    const note = { task_id: work.task(title), text: "Hidden words" };
    await house.call("covibe_note", { ...note, kind: "decision" }, mallory);
    await house.call("covibe_note", { ...note, kind: "blocker" }, mallory);
  }
  const context = { title: "Hidden words", summary: "Hidden words", repo: "hidden/repo", branch: "hidden-branch" };
  await act(house, "publish_context", { ...context, session_id: session }, mallory);
  await house.call("covibe_task", { operation: "check", title, task_type: "feature" }, mallory);
  await house.call("covibe_workstream", { operation: "plan", title: `Hidden words ${title}` }, mallory);
  await ask(house, "audit_parallel_work", {}, mallory);
  house.clock.advance(halfAnHour + 1);
}

forEachStillStore("private developers", (open) => {
  test("[TS8] nobody else learns more of them than that they exist, and they themselves see all", async () => {
    const house = await open();
    const { caller: mallory } = await house.developer("mallory", { private: true });
    const { caller: grace } = await house.developer("grace");
    await leaveTraces(house, mallory);
    for (const [who, caller] of [
      ["the owner", house.owner],
      ["a member", grace],
    ] as const) {
      for (const [what, tell] of Object.entries({
        state: () => ask(house, "state", {}, caller),
        audit: () => ask(house, "audit_parallel_work", {}, caller),
        week: () => ask(house, "generate_weekly_summary", {}, caller),
        feedback: () => ask(house, "feedback", {}, caller),
        "state over HTTP": () => house.call("team_state", {}, caller),
        "latest week": () => house.call("summary_get", {}, caller),
        inbox: () => house.call("inbox", { everyone: true }, caller),
      })) {
        const told = JSON.stringify(await tell());
        const found = marks.filter((mark) => told.includes(mark));
        expect({ who, what, found }).toEqual({ who, what, found: [] });
      }
    }
    const seen = await readState(house, grace);
    const counts = (state: State) => Object.entries(state).map(([key, list]) => [key, Object.keys(list).length]);
    const own = await readState(house, mallory);
    expect(counts({ ...seen, next_actions: [] })).toEqual(counts({ ...own, next_actions: [] }));
    for (const mark of marks.filter((mark) => mark !== "hidden-model")) expect(JSON.stringify(own)).toContain(mark);
  });
});
