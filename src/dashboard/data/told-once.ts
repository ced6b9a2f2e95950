import { type LiveEvent, textIn } from "./event.ts";

/**
 * The events of which each tells an act of its own: planning or starting a new task also creates it, and accepting a
 * handoff also gives the task another owner and moves its claims. The ledger keeps them all; a reader needs one line.
 */
export function toldOnce<Event extends LiveEvent>(events: readonly Event[]): readonly Event[] {
  const acts = new Set(events.flatMap(actsOf));
  return events.filter((event) => !acts.has(partOf(event) ?? ""));
}

/** What else an event says has happened, as the events of it are called by `partOf`. */
function actsOf({ kind, subject, ts, actor, data }: LiveEvent): string[] {
  if (kind === "task.planned" || kind === "task.started") return [`created ${subject} ${ts}`];
  if (kind !== "coordination.accepted") return [];
  return [`handed over ${textIn(data, "task_id")} ${ts}`, `claims ${actor} ${ts}`];
}

function partOf({ kind, subject, ts, actor }: LiveEvent): string | undefined {
  switch (kind) {
    case "task.created":
      return `created ${subject} ${ts}`;
    case "task.handedOver":
      return `handed over ${subject} ${ts}`;
    case "claim.moved":
      return `claims ${actor} ${ts}`;
    default:
      return undefined;
  }
}
