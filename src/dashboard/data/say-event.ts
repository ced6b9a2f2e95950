import { type LiveEvent, textIn } from "./event.ts";
import { nameOf, shortId } from "./names.ts";

/** An event in words: what happened to what, and what more there is to know. */
export interface Said {
  readonly what: string;
  readonly more: string;
}

const words: Readonly<Record<string, string>> = {
  "agent.heartbeat": "is alive",
  "agent.unregistered": "left",
  "agent.wentStale": "fell silent and counts as gone",
  "task.created": "was planned",
  "task.planSet": "got its plan",
  "task.replanned": "is planned anew",
  "task.assigned": "got a worktree",
  "task.released": "was given back",
  "workflow.created": "was begun",
  "workflow.planSet": "was planned",
  "mission.started": "was started",
  "mission.ended": "has ended",
  "mission.blocked": "waits for a person",
  "note.added": "noted",
  "note.decided": "decided",
  "note.raised": "raised an issue",
  "note.reached": "reached a milestone",
  "note.resolved": "was resolved",
  "repository.registered": "was registered",
  "token.created": "was created",
  "token.revoked": "was revoked",
  "developer.created": "joined",
  "team.founded": "was founded",
  "message.read": "was read",
  "message.archived": "was archived",
};

export function sayEvent(event: LiveEvent): Said {
  const { kind, data } = event;
  switch (kind) {
    case "task.statusChanged":
    case "workflow.statusChanged":
      return { what: `is ${textIn(data, "to") ?? "changed"}`, more: `was ${textIn(data, "from") ?? "new"}` };
    case "task.claimed":
      return { what: `was taken by ${sayName(textIn(data, "agent_id"))}`, more: "" };
    case "message.sent":
      return {
        what: `${sayName(textIn(data, "sender_id"))} wrote to ${sayName(textIn(data, "recipient_id"))}`,
        more: [textIn(data, "message_type")?.replaceAll("_", " "), importance(textIn(data, "priority"))]
          .filter(Boolean)
          .join(" · "),
      };
    case "agent.registered":
      return { what: "came aboard", more: [textIn(data, "runtime"), textIn(data, "role")].filter(Boolean).join(" · ") };
    case "agent.updated":
      return { what: `is ${textIn(data, "status") ?? "changed"}`, more: "" };
    default:
      return words[kind] === undefined ? { what: humanise(kind), more: restOf(data) } : { what: words[kind], more: "" };
  }
}

/** The name of a record, or the end of its id. */
export const sayName = (id: string | undefined): string =>
  id === undefined || id === "" ? "the server" : (nameOf(id) ?? shortId(id));

/** Which record a line is about: notes and messages speak of the task or the thread they belong to. */
export function subjectOf({ kind, subject, data }: LiveEvent): string {
  if (kind.startsWith("note.")) return textIn(data, "task_id") ?? textIn(data, "workflow_id") ?? subject;
  return subject;
}

/** Where a record is shown, by what its id begins with. */
export function placeOf(id: string): string | undefined {
  const name = nameOf(id);
  if (id.startsWith("tk_")) return `/tasks/${id}`;
  if (id.startsWith("wf_")) return `/workflows/${id}`;
  if (id.startsWith("ag_")) return `/agents?show=all${name ? `&q=${encodeURIComponent(name)}` : ""}`;
  if (id.startsWith("msg_")) return "/messages";
  return undefined;
}

const importance = (priority: string | undefined): string =>
  priority === "high" || priority === "urgent" ? priority : "";

const humanise = (kind: string): string => {
  const past = kind.split(".").at(-1) ?? kind;
  return past.replace(/([A-Z])/g, " $1").toLowerCase();
};

/** A few small facts, without the ids that stand elsewhere in the line. */
function restOf(data: LiveEvent["data"]): string {
  return Object.entries(data)
    .filter(([key, value]) => !key.endsWith("id") && key !== "name" && ["string", "number"].includes(typeof value))
    .slice(0, 3)
    .map(([key, value]) =>
      key === "status" || key === "kind" ? String(value) : `${key.replaceAll("_", " ")} ${value}`,
    )
    .join(" · ");
}
