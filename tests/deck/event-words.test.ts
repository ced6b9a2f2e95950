import { afterAll, expect, test } from "vitest";
import { knownEvents } from "../../src/contract/event.ts";
import { sentences } from "../../src/contract/event-words.ts";
import type { LiveEvent } from "../../src/dashboard/data/event.ts";
import { forgetNames, learnName } from "../../src/dashboard/data/names.ts";
import { actorOf, placeOfEvent, sayAbout, sayEvent } from "../../src/dashboard/data/say-event.ts";
import { nouns } from "../../src/dashboard/views/activity/activity-model.ts";
import "../../src/tools/catalog.ts";

afterAll(forgetNames);

const event = (kind: string, data: Record<string, unknown>, subject = "tk_1"): LiveEvent => ({
  event: kind,
  kind,
  subject,
  actor: null,
  data,
  cursor: kind,
  ts: "2026-01-01T00:00:00.000Z",
});

const lineOf = (one: LiveEvent): string => {
  const said = sayEvent(one);
  return `${sayAbout(said)} ${said.what}${said.more && `, ${said.more}`}`;
};

test("[DK43] every kind that the house can record has a sentence, and no sentence is about nothing", () => {
  expect(Object.keys(sentences).sort()).toEqual([...knownEvents.keys()].sort());
});

test("[DK43] every noun of the ledger can be asked for", () => {
  const known = new Set([...knownEvents.keys()].map((kind) => kind.split(".")[0]));
  expect(Object.keys(nouns).sort()).toEqual([...known].sort());
});

test("[DK43] a sentence holds together even when the event says nothing more", () => {
  for (const kind of knownEvents.keys()) {
    const line = lineOf(event(kind, {}));
    expect(line, kind).not.toMatch(/undefined|NaN|null|\[object/);
    expect(line, kind).toMatch(/^\S+ \S/);
  }
});

test.each([
  [event("task.statusChanged", { from: "active", to: "failed" }), "Paint failed, was active"],
  [event("task.statusChanged", { from: "preparing", to: "active" }), "Paint is active, was preparing"],
  [event("note.reached", { task_id: "tk_1", progress: 35 }, "cp_1"), "Paint reached a milestone, 35%"],
  [event("phase.begun", { workflow_id: "wf_1", number: 2, name: "Page" }, "ph_1"), "House started phase 2, Page"],
  [event("token.created", { label: "this machine" }, "tok_1"), "Token created, this machine"],
  [
    event("claim.taken", { session_id: "ag_1", paths: ["src/**"], symbols: [], repo: "shop" }, "cl_1"),
    "Ada claimed: src/**, shop",
  ],
  [
    event("span.recorded", { session_id: "ag_1", model: "m", total_tokens: 77_000, cost_usd: 0.2013 }, "sp_1"),
    "Ada used 77,000 tokens, m · $0.20",
  ],
  [
    event(
      "message.sent",
      { sender_id: "ag_1", recipient_id: "ag_2", message_type: "query", priority: "high" },
      "msg_1",
    ),
    "Ada wrote to Bob, query · high",
  ],
  [
    event("session.started", { repo: "my_shop", branch: "fix/the_cart", model: null }, "ag_1"),
    "Ada started a session, my_shop · fix/the_cart",
  ],
  [event("agent.registered", { runtime: "claude_code", role: "worker" }, "ag_1"), "Ada joined, claude code · worker"],
  [event("coordination.asked", { session_id: "ag_1" }, "msg_1"), "Ada asked a question"],
  [{ ...event("coordination.replied", {}, "msg_1"), actor: "bob" }, "bob answered a question"],
  [event("task.started", { developer: "@private" }), "@private task started"],
  [event("kite.flownHigh", {}), "Paint flown high"],
])("[DK40] an event is a sentence that names what it is about: %#", (given, expected) => {
  learnName("tk_1", "Paint");
  learnName("wf_1", "House");
  learnName("ag_1", "Ada");
  learnName("ag_2", "Bob");
  expect(lineOf(given)).toBe(expected);
});

test("[DK40] a line leads to the page of what it is about", () => {
  expect(placeOfEvent(event("note.decided", { task_id: "tk_2" }, "cp_1"))).toBe("/tasks/tk_2");
  expect(placeOfEvent(event("phase.ended", { workflow_id: "wf_2" }, "ph_1"))).toBe("/workflows/wf_2");
  expect(placeOfEvent(event("message.sent", {}, "msg_1"))).toBe("/messages");
  expect(placeOfEvent(event("token.created", {}, "tok_1"))).toBeUndefined();
});

test("[DK44] a line names the agent that acted, else the developer, else Crewdeck", () => {
  const taken = event("task.claimed", { agent_id: "ag_1", fence: 1 });
  expect(actorOf(taken)).toEqual({ id: "ag_1" });
  expect(actorOf(event("agent.registered", {}, "ag_2"))).toEqual({ id: "ag_2" });
  expect(actorOf({ ...event("token.created", {}), actor: "ada" })).toEqual({ words: "ada" });
  expect(actorOf({ ...event("vault.dropped", {}), actor: null })).toEqual({ words: "Crewdeck" });
});
