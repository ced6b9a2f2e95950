import { post } from "../../data/api.ts";
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
export function planArgs(kind: PlanKind, { task_type, target_files, ...texts }: PlanForm): Record<string, unknown> {
  const said = Object.entries(texts).flatMap(([name, text]) => (text.trim() === "" ? [] : [[name, text.trim()]]));
  const files = filesIn(target_files);
  return {
    ...Object.fromEntries(said),
    ...(kind === "task" ? { task_type } : {}),
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
