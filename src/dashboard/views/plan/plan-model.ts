import type { AnswerOf, InputOf } from "../../../tools/calls.ts";
import { callTool, post } from "../../data/api.ts";
import { type Reading, readAgain } from "../../data/store.ts";
import type { Work } from "../../parts/compare.tsx";

export type PlanKind = "task" | "workstream";

export const planTitles: Readonly<Record<PlanKind, string>> = { task: "Plan a task", workstream: "Plan a workstream" };

type TaskPlan = InputOf<"task_plan">;
type WorkstreamPlan = InputOf<"workstream_plan">;

export const taskTypes = ["feature", "bug", "refactor", "chore", "docs", "test", "spike"] as const;
export const actions = ["create", "modify", "remove", "fix", "audit"] as const;
export const priorities = ["low", "normal", "high", "urgent"] as const;

/** What is typed into the dialog; what is left empty is not sent. */
export interface PlanForm {
  readonly title: string;
  readonly task_type: TaskPlan["task_type"];
  /** Empty lets the server choose. */
  readonly workstream_id: string;
  readonly description: string;
  readonly scope: string;
  readonly action: NonNullable<TaskPlan["action"]> | "";
  readonly component: string;
  readonly repo: string;
  readonly branch: string;
  readonly priority: (typeof priorities)[number] | "";
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
export function planArgs<Kind extends PlanKind>(
  kind: Kind,
  form: PlanForm,
): Kind extends "task" ? TaskPlan : WorkstreamPlan;
export function planArgs(kind: PlanKind, form: PlanForm): TaskPlan | WorkstreamPlan {
  const about: WorkstreamPlan = {
    title: form.title.trim(),
    description: said(form.description),
    scope: said(form.scope),
    action: form.action || undefined,
    component: said(form.component),
    repo: said(form.repo),
    branch: said(form.branch),
    priority: said(form.priority),
  };
  if (kind === "workstream") return about;
  const files = filesIn(form.target_files);
  return {
    ...about,
    task_type: form.task_type,
    workstream_id: form.workstream_id || undefined,
    target_files: files.length === 0 ? undefined : files,
  };
}

const said = (text: string): string | undefined => text.trim() || undefined;

const filesIn = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

type PlanAnswer = AnswerOf<"task_plan"> | AnswerOf<"workstream_plan">;
/** Work that is probably the same. */
export type PlanCandidate = PlanAnswer["candidates"][number];

/** Plans it, or answers what is known already; a reason plans it all the same. */
export function plan(kind: PlanKind, form: PlanForm, reason?: string): Promise<PlanAnswer> {
  const confirmed = reason === undefined ? {} : { confirm: true, confirmation_reason: reason.trim() };
  return kind === "task"
    ? post("/api/tasks", { ...planArgs(kind, form), ...confirmed })
    : post("/api/workstreams", { ...planArgs(kind, form), ...confirmed });
}

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
type OpenWorkstream = Pick<AnswerOf<"workstream_list">["workstreams"][number], "id" | "title" | "repo">;

export const workstreamsReading: Reading<readonly OpenWorkstream[]> = {
  key: "plan workstreams",
  load: async () => (await callTool("workstream_list", { limit: 500 })).workstreams,
  applyEvent: (value, { kind }) => (kind.startsWith("workstream.") ? readAgain : value),
};

interface WorkstreamChoice {
  readonly id: string;
  readonly label: string;
}

/** Says of each as much as tells it from the others: its repository, and its id where that is the same too. */
export function workstreamChoices(workstreams: readonly OpenWorkstream[]): WorkstreamChoice[] {
  const withRepo = ({ title, repo }: OpenWorkstream): string => `${title} (${repo ?? "no repository"})`;
  const isAlone = (one: OpenWorkstream, say: (workstream: OpenWorkstream) => string): boolean =>
    workstreams.every((other) => other === one || say(other) !== say(one));
  return workstreams.map((one) => {
    if (isAlone(one, ({ title }) => title)) return { id: one.id, label: one.title };
    return { id: one.id, label: isAlone(one, withRepo) ? withRepo(one) : `${withRepo(one)} ${one.id}` };
  });
}

/** Those that have all typed words in them; the one that is chosen stays among them. */
export function findWorkstreams(
  choices: readonly WorkstreamChoice[],
  typed: string,
  chosen: string,
): WorkstreamChoice[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return choices.filter(({ id, label }) => id === chosen || words.every((word) => label.toLowerCase().includes(word)));
}
