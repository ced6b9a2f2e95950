import { z } from "zod";
import { AgentId, DeveloperId } from "../../contract/ids.ts";
import { actions, type OneOf, taskTypes, workKinds } from "../../contract/words.ts";
import { isFinished, type Lifecycle } from "../lifecycle.ts";

export type WorkKind = OneOf<typeof workKinds>;

/** What a task or a workstream is about beyond its title; work of other families has none. */
export const Intent = z.object({
  /** The task or the workflow. */
  subjectId: z.string(),
  kind: z.enum(workKinds),
  developerId: DeveloperId,
  sessionId: AgentId.nullable(),
  repo: z.string().nullable(),
  branch: z.string().nullable(),
  scope: z.string().nullable(),
  action: z.enum(actions).nullable(),
  /** A layer or part, by a name of the team's own. */
  component: z.string().nullable(),
  /** How soon, by a word of the team's own. */
  priority: z.string().nullable(),
  /** For people; it never decides what counts as the same work. */
  taskType: z.enum(taskTypes).nullable(),
  /** Made by the server to hold tasks; never compared with other work. */
  isContainer: z.boolean(),
  /** Why it was given up. */
  reason: z.string().nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
  version: z.number(),
});
export type Intent = z.infer<typeof Intent>;

/** What somebody says about work they want to plan or begin. */
export interface Aim
  extends Pick<
    Intent,
    "kind" | "sessionId" | "repo" | "branch" | "scope" | "action" | "component" | "priority" | "taskType"
  > {
  readonly title: string;
  readonly description: string | null;
  readonly files: readonly string[];
}

export const teamStatuses = ["planned", "active", "blocked", "done", "cancelled"] as const;
type TeamStatus = (typeof teamStatuses)[number];

const words: Readonly<Record<Lifecycle, TeamStatus>> = {
  planned: "planned",
  preparing: "active",
  active: "active",
  paused: "active",
  blocked: "blocked",
  failed: "blocked",
  done: "done",
  cancelled: "cancelled",
};

/** The team's word for a status; what has failed waits for somebody to take it up again. */
export const teamStatus = (status: Lifecycle): TeamStatus => words[status];

export const isClosed = (status: Lifecycle): boolean => isFinished(status);
