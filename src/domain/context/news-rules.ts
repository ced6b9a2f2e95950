import type { HouseEvent } from "../../contract/event.ts";
import type { AgentId } from "../../contract/ids.ts";
import { newsKinds } from "../../contract/words.ts";
import type { Listener, NewsKind } from "./news-model.ts";

/** What may have made a task ready to be taken. */
export const readyingKinds: ReadonlySet<string> = new Set([
  "task.created",
  "task.statusChanged",
  "task.completed",
  "task.cancelled",
  "task.released",
  "task.replanned",
  "workflow.planSet",
  "workflow.statusChanged",
  "workflow.parallelismSet",
]);

const eventsOf: Readonly<Record<NewsKind, readonly string[]>> = {
  message: ["message.sent", "coordination.asked", "coordination.announced"],
  answer: ["coordination.replied", "coordination.accepted"],
  decision: ["scope.confirmed", "scope.refused", "scope.joined", "claim.released", "note.resolved", "task.cancelled"],
  task: ["coordination.offered", ...readyingKinds],
  review: ["receipt.settled", "receipt.accepted"],
  conflict: ["coordination.conflictTold", "coordination.codeFreed", "collision.told"],
};

/** The events that can be news of these kinds. */
export const eventKindsOf = (kinds: readonly NewsKind[]): string[] => [
  ...new Set(kinds.flatMap((kind) => eventsOf[kind])),
];

const allEventKinds: ReadonlySet<string> = new Set(eventKindsOf(newsKinds));

const everyone = "everyone";

/** A developer's own agents may become more. */
const joining = "agent.registered";

/**
 * Whom an event may concern, by keys that listeners have too. It may name too many, who then look and find nothing; it
 * must never leave anybody out.
 */
export function keysOfEvent(event: Pick<HouseEvent, "kind" | "subject" | "data"> & Author): readonly string[] {
  const { kind, subject, data, developerId } = event;
  if (kind === joining) return developerId === null ? [] : [`joining:${developerId}`];
  if (!allEventKinds.has(kind)) return [];
  switch (kind) {
    case "message.sent":
      return [`agent:${String(data["recipient_id"])}`];
    case "coordination.announced":
      return [everyone];
    case "note.resolved":
    case "workflow.planSet":
    case "workflow.statusChanged":
    case "workflow.parallelismSet":
      return [`workflow:${String(data["workflow_id"] ?? subject)}`];
    default:
      return [
        ...(kind.startsWith("task.") || kind.startsWith("receipt.") ? [`task:${subject}`] : []),
        ...(typeof data["workflow_id"] === "string" ? [`workflow:${data["workflow_id"]}`] : []),
        ...(typeof data["developer_id"] === "string" ? [`developer:${data["developer_id"]}`] : []),
        ...(kind.startsWith("scope.") && developerId !== null ? [`developer:${developerId}`] : []),
      ];
  }
}

interface Author {
  readonly developerId: string | null;
}

export const keysOfListener = (listener: Listener, isWholeCrew: boolean): string[] => [
  everyone,
  `developer:${listener.developerId}`,
  ...(isWholeCrew ? [`joining:${listener.developerId}`] : []),
  ...[...listener.agents].map((id) => `agent:${id}`),
  ...[...listener.tasks].map((id) => `task:${id}`),
  ...[...listener.workflows].map((id) => `workflow:${id}`),
];

/** Whether what was meant for one agent, or for whichever of a developer's comes next, is for this listener. */
export const isFor = ({ agents }: Listener, id: AgentId | null): boolean => id === null || agents.has(id);

/** Whether it was done in a session of the listener's own: nobody waits for what they did themselves. */
export const isOwnDoing = ({ agents }: Listener, { data }: Pick<HouseEvent, "data">): boolean =>
  typeof data["session_id"] === "string" && agents.has(data["session_id"]);
