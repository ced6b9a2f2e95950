import type { Api } from "./api.ts";
import { agentText, cleanText } from "./text.ts";

/** Names for the ids in a list: an agent with its client and owner, everything else by its title. */
export async function nameRecords(
  api: Api,
  ids: readonly (string | null | undefined)[],
): Promise<(id: string) => string> {
  const terms = [...new Set(ids.filter((id): id is string => Boolean(id)))];
  const names = new Map<string, string>();
  for (let at = 0; at < terms.length; at += mostTerms) {
    const { found } = await api.call("record_find", { terms: terms.slice(at, at + mostTerms) });
    for (const { term, candidates } of found) {
      const record = candidates.find(({ id }) => id === term);
      if (record?.kind === "agent") {
        names.set(term, agentText({ name: record.title, client: record.client, owner: record.developer }));
      } else if (record) names.set(term, record.title);
    }
  }
  return (id) => cleanText(names.get(id) ?? id);
}

/** Who works on a task: the agent with its client and owner, else the task's owner. */
export const holderOf = (task: HeldTask, nameOf: (id: string) => string): string =>
  task.claimed_by === null || nameOf(task.claimed_by) === task.claimed_by
    ? agentText({ name: task.holder, client: task.runtime, owner: task.developer })
    : nameOf(task.claimed_by);

interface HeldTask {
  readonly claimed_by: string | null;
  readonly holder: string | null;
  readonly runtime: string | null;
  readonly developer: string;
}

const mostTerms = 200;

/** What people call a task by; where its number is not known, its id. */
export const callTask = ({ id, number }: { readonly id: string; readonly number: number | undefined }): string =>
  number === undefined ? id : `#${number}`;

/** The numbers of a workflow's tasks, by their ids. */
export async function readNumbers(api: Api, workflow_id: string): Promise<ReadonlyMap<string, number>> {
  const numbers = new Map<string, number>();
  for (let offset = 0; offset === numbers.size; offset += mostTasks) {
    const { tasks } = await api.call("task_list", { workflow_id, limit: mostTasks, offset });
    for (const { id, number } of tasks) numbers.set(id, number);
  }
  return numbers;
}

const mostTasks = 500;

/** A task as a person speaks of it. */
export async function readTask(
  api: Api,
  id: string,
): Promise<{ name: string; number: number | undefined; id: string }> {
  const [task] = (await api.call("task_list", { id })).tasks;
  return { id, name: task?.name ?? id, number: task?.number };
}
