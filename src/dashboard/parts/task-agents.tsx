import { useMemo, useSyncExternalStore } from "react";
import type { Lifecycle } from "../../contract/lifecycle.ts";
import { type Instance, instancesReading, isOver } from "../data/instances.ts";
import { useReading } from "../data/use-reading.ts";
import { lazyPart } from "./lazy-part.tsx";
import type { MenuItem } from "./menu.tsx";

const TaskAgentDialog = lazyPart("TaskAgentDialog", () => import("./task-agent-dialogs.tsx"));

interface TaskAtHand {
  readonly id: string;
  readonly name: string;
  readonly repository: string | null;
  readonly isOver: boolean;
}

export type AskedOfAgent =
  | { readonly what: "start"; readonly task: TaskAtHand }
  | { readonly what: "review" | "pull"; readonly task: TaskAtHand; readonly instanceId: string };

/** What has failed can be tried once more. */
export const isEnded = (status: Lifecycle): boolean => status === "done" || status === "cancelled";

/** The newest agent that was started for a task and is not over. */
export function useTaskInstance(id: string): Instance | undefined {
  const { value } = useReading(instancesReading);
  return useMemo(() => findFor(value, id), [value, id]);
}

const findFor = (instances: readonly Instance[] | undefined, id: string): Instance | undefined =>
  instances?.find((one) => one.task_id === id && one.type !== "review" && !isOver(one));

/** What people can ask of agents about a task, as items of a menu. */
export function askItems(
  task: TaskAtHand,
  instances: readonly Instance[] | undefined,
  onAsk: (asked: AskedOfAgent) => void,
): MenuItem[] {
  const instance = findFor(instances, task.id);
  const noAgent = instance ? undefined : "No agent was started for this task";
  const ask = (what: "review" | "pull") => (): void => {
    if (instance) onAsk({ what, task, instanceId: instance.id });
  };
  return [
    {
      label: "Start an agent…",
      letter: "g",
      disabledBecause: task.isOver ? "The task has ended" : instance && "An agent is already working on it",
      choose: () => onAsk({ what: "start", task }),
    },
    {
      label: "Request a review…",
      letter: "v",
      disabledBecause: noAgent ?? (instance?.status === "waiting_review" ? "A review is in progress" : undefined),
      choose: ask("review"),
    },
    {
      label: "Open a pull request…",
      letter: "u",
      disabledBecause: noAgent ?? (instance?.status === "pr_created" ? "It has an open pull request" : undefined),
      choose: ask("pull"),
    },
  ];
}

let asked: AskedOfAgent | undefined;
const listeners = new Set<() => void>();

/** Opens the dialog for it, over whatever view there is. */
export function askAgent(next: AskedOfAgent | undefined): void {
  asked = next;
  for (const listener of listeners) listener();
}

/** The dialog that was asked for; once for the whole page. */
export function AgentDialogs() {
  const shown = useSyncExternalStore(subscribe, () => asked);
  return shown && <TaskAgentDialog asked={shown} onClose={() => askAgent(undefined)} />;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
