import { callTool, post } from "../../data/api.ts";
import { type Reading, readAgain } from "../../data/store.ts";
import type { Work } from "../../parts/compare.tsx";

export type PlanKind = "task" | "workstream";

export const planTitles: Readonly<Record<PlanKind, string>> = { task: "Plan a task", workstream: "Plan a workstream" };

export const taskTypes = ["feature", "bug", "refactor", "chore", "docs", "test", "spike"] as const;
export const actions = ["create", "modify", "remove", "fix", "audit"] as const;
export const priorities = ["low", "normal", "high", "urgent"] as const;

/** What is typed into the dialog; what is left empty is not sent. */
export interface PlanForm {
  readonly title: string;
  readonly task_type: string;
  /** Empty lets the server choose. */
  readonly workstream_id: string;
  readonly description: string;
  readonly scope: string;
  readonly action: string;
  readonly component: string;
  readonly repo: string;
  readonly branch: string;
  readonly priority: string;
  /** One for each line. */
  readonly target_files: string;
}

export const emptyPlan: PlanForm = {
  title: "",
  task_type: "feature",
  workstream_id: "",
  description: "",
  scope: "",
  action: "",
  component: "",
  repo: "",
  branch: "",
  priority: "",
  target_files: "",
};

/** The arguments of the plan, as agents send them too. */
export function planArgs(
  kind: PlanKind,
  { task_type, workstream_id, target_files, ...texts }: PlanForm,
): Record<string, unknown> {
  const said = Object.entries(texts).flatMap(([name, text]) => (text.trim() === "" ? [] : [[name, text.trim()]]));
  const files = filesIn(target_files);
  return {
    ...Object.fromEntries(said),
    ...(kind === "task" ? { task_type } : {}),
    ...(kind === "task" && workstream_id !== "" ? { workstream_id } : {}),
    ...(kind === "task" && files.length > 0 ? { target_files: files } : {}),
  };
}

const filesIn = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Work that is probably the same, as the server answers it. */
export interface PlanCandidate extends Work {
  readonly id: string;
  readonly score: number;
  readonly reasons: readonly string[];
  readonly same_developer: boolean;
  readonly file_overlap?: readonly string[];
}

export interface PlanAnswer {
  readonly requires_confirm: boolean;
  readonly candidates: readonly PlanCandidate[];
  readonly task_id?: string | null;
  readonly workstream_id: string | null;
}

const routes: Readonly<Record<PlanKind, string>> = { task: "/api/tasks", workstream: "/api/workstreams" };

/** Plans it, or answers what is known already; a reason plans it all the same. */
export const plan = (kind: PlanKind, form: PlanForm, reason?: string): Promise<PlanAnswer> =>
  post(routes[kind], {
    ...planArgs(kind, form),
    ...(reason === undefined ? {} : { confirm: true, confirmation_reason: reason.trim() }),
  });

/** What was typed, as one side of a comparison. */
export const workOf = (kind: PlanKind, form: PlanForm, owner: string): Work => ({
  id: null,
  type: kind,
  title: form.title.trim(),
  owner,
  status: "planned",
  scope: form.scope.trim(),
  description: form.description.trim(),
  action: form.action,
  component: form.component.trim(),
  repo: form.repo.trim(),
  branch: form.branch.trim(),
  target_files: filesIn(form.target_files),
});

/** A workstream that a task can be put into. */
export interface OpenStream {
  readonly id: string;
  readonly title: string;
  readonly repo: string | null;
}

export const streamsReading: Reading<readonly OpenStream[]> = {
  key: "plan workstreams",
  load: async () => (await callTool<{ workstreams: OpenStream[] }>("workstream_list", { limit: 500 })).workstreams,
  applyEvent: (value, { kind }) => (kind.startsWith("workstream.") ? readAgain : value),
};

export interface StreamChoice {
  readonly id: string;
  readonly label: string;
}

/** Says of each as much as tells it from the others: its repository, and its id where that is the same too. */
export function streamChoices(streams: readonly OpenStream[]): StreamChoice[] {
  const withRepo = ({ title, repo }: OpenStream): string => `${title} (${repo ?? "no repository"})`;
  const isAlone = (one: OpenStream, say: (stream: OpenStream) => string): boolean =>
    streams.every((other) => other === one || say(other) !== say(one));
  return streams.map((one) => {
    if (isAlone(one, ({ title }) => title)) return { id: one.id, label: one.title };
    return { id: one.id, label: isAlone(one, withRepo) ? withRepo(one) : `${withRepo(one)} ${one.id}` };
  });
}

/** Those that have all typed words in them; the one that is chosen stays among them. */
export function findStreams(choices: readonly StreamChoice[], typed: string, chosen: string): StreamChoice[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return choices.filter(({ id, label }) => id === chosen || words.every((word) => label.toLowerCase().includes(word)));
}
