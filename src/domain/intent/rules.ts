import type { Aim, Intent } from "./model.ts";

/** What may be edited of a planned task. */
export interface Edits {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly scope?: string | undefined;
  readonly action?: Intent["action"] | undefined;
  readonly component?: string | undefined;
  readonly priority?: Intent["priority"] | undefined;
  readonly taskType?: Intent["taskType"] | undefined;
}

const publicNames = {
  title: "title",
  description: "description",
  scope: "scope",
  action: "action",
  component: "component",
  priority: "priority",
  taskType: "task_type",
} as const satisfies Record<keyof Edits, string>;

/** What an edit changes, in the words of the wire. */
export const listEditedFields = (edits: Edits): string[] =>
  Object.entries(publicNames).flatMap(([key, name]) => (edits[key as keyof Edits] === undefined ? [] : [name]));

/** What a record is about, where nothing was said. */
export const nothingSaid: Omit<Aim, "kind" | "title"> = {
  description: null,
  files: [],
  sessionId: null,
  repo: null,
  branch: null,
  scope: null,
  action: null,
  component: null,
  priority: null,
  taskType: null,
};

/** What a record that exists is about, as if somebody said it now. */
export const aimOf = (
  about: Pick<Aim, "kind" | "title" | "description" | "files">,
  intent: Intent | undefined,
): Aim => ({
  ...nothingSaid,
  ...about,
  ...(intent && {
    sessionId: intent.sessionId,
    repo: intent.repo,
    branch: intent.branch,
    scope: intent.scope,
    action: intent.action,
    component: intent.component,
    priority: intent.priority,
    taskType: intent.taskType,
  }),
});
