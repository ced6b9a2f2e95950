/** A route that is another way to ask a read tool; the tool's arguments are its filters. */
export interface ToolRead {
  readonly route: string;
  readonly tool: string;
  /** The argument that the last part of the address is. */
  readonly key?: string;
  /** What the route asks for of its own accord. */
  readonly args?: Readonly<Record<string, unknown>>;
}

const wholeMission = { include: ["phase_summary", "tasks", "decisions", "milestones", "blockers"] };

export const toolReads: readonly ToolRead[] = [
  { route: "/api/state", tool: "team_state" },
  { route: "/api/inbox", tool: "inbox" },
  { route: "/api/summary", tool: "summary_get" },
  { route: "/api/agents", tool: "agent_list" },
  { route: "/api/sessions", tool: "session_list" },
  { route: "/api/overlap", tool: "overlap_list" },
  { route: "/api/overlap/:id", tool: "overlap_get", key: "id" },
  { route: "/api/messages", tool: "mail_list" },
  { route: "/api/workflows", tool: "workflow_list" },
  { route: "/api/workflows/:id", tool: "workflow_get", key: "id", args: { include_tasks: true } },
  { route: "/api/workflows/:id/notes", tool: "note_list", key: "workflow_id" },
  { route: "/api/missions", tool: "mission_list" },
  { route: "/api/missions/:id", tool: "get_context", key: "mission_id", args: wholeMission },
  { route: "/api/tasks", tool: "task_list" },
  { route: "/api/tasks/:id", tool: "task_get", key: "id", args: { include_checkpoints: true } },
  { route: "/api/tasks/:id/diff", tool: "task_diff", key: "task_id" },
  { route: "/api/usage/report", tool: "usage_report" },
];

/** A route that is another way to call a tool that changes something; the body is the tool's arguments. */
export interface ToolWrite {
  readonly route: string;
  readonly tool: string;
}

export const toolWrites: readonly ToolWrite[] = [
  { route: "/api/audit", tool: "audit_create" },
  { route: "/api/summary", tool: "summary_create" },
  { route: "/api/tasks", tool: "task_plan" },
  { route: "/api/workstreams", tool: "workstream_plan" },
];
