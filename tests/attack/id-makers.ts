import type { AnyTool } from "../../src/contract/tool.ts";

/** Anyone in the team may name it. */
const team = Symbol("team");
/** Somebody else's changes nothing: it neither opens nor shuts the gate, as the tests of the gate say. */
const gate = Symbol("gate");

/**
 * One line for each argument that names a record: the example record that stands for somebody else's, in a list where
 * the argument is one. A plain `id` counts as the `noun_id` of its tool's noun; `tool.argument` goes before `argument`.
 */
const makers: Readonly<Record<string, string | readonly string[] | typeof team | typeof gate>> = {
  agent_id: "$agent",
  sender_id: "$agent",
  recipient_id: team,
  message_id: "$message",
  message_ids: ["$message"],
  reply_to_id: "$message",
  token_id: "$token",
  handle: "$handle",
  developer: "$handle",
  workflow_id: "$workflow",
  "message_send.workflow_id": team,
  "message_broadcast.workflow_id": team,
  from_workflow_id: team,
  task_id: "$task",
  task_ids: ["$task"],
  current_task_id: team,
  "message_send.task_id": team,
  "task_claim.task_id": team,
  "task_release.task_id": "$held",
  workspace_id: "$workspace",
  vault_id: "$vault",
  template_id: team,
  mission_id: "$mission",
  "start_task.workflow_id": "$mission",
  parent_task_id: "$mission_task",
  "complete_task.task_id": "$mission_task",
  issue_id: "$issue",
  finding_id: team,
  session_id: "$session",
  context_id: "$context",
  workstream_id: "$workflow",
  "covibe_session.task_ids": team,
  "covibe_task.workstream_id": "$workstream",
  "covibe_workstream.workstream_id": "$workstream",
  planned_task_id: "$planned_task",
  planned_workstream_id: "$planned_workstream",
  check_id: "$check",
  candidate_id: "$team_task",
  warning_id: gate,
  "covibe_warning.warning_id": "$warning",
  claim_id: "$claim",
  ask_id: "$ask",
  handoff_id: "$handoff",
  "covibe_coordination ask.task_id": team,
};

const namesRecord = (key: string): boolean => /(^|_)ids?$/.test(key) || key === "handle" || key === "developer";

/** One thing that can be called: a tool, or one operation of a door. */
export interface Target {
  readonly title: string;
  readonly tool: AnyTool;
  /** The definition that reads the arguments: the tool's own, or the operation's. */
  readonly definition: AnyTool;
  /** What the operation adds to the arguments. */
  readonly operation: Readonly<Record<string, string>>;
  /** The argument that names the agent who acts. */
  readonly actorKey: string | undefined;
}

export const listTargets = (tools: readonly AnyTool[]): Target[] =>
  tools.flatMap((tool) =>
    Object.entries(tool.operations ?? { "": tool }).map(([operation, definition]) => ({
      title: `${tool.name} ${operation}`.trim(),
      tool,
      definition,
      operation: operation === "" ? {} : { operation },
      actorKey: (definition.actor ?? tool.actor)?.key,
    })),
  );

export interface Forgery {
  readonly key: string;
  /** What to fill with the other developer's records. */
  readonly record: string | readonly string[];
}

/** The arguments that must be refused when they name somebody else's record: all of a change, the actor of a read. */
export function listForgeries({ title, tool, definition, actorKey }: Target): Forgery[] {
  const keys = Object.keys(definition.input.shape).filter(namesRecord);
  const exposed = definition.effect === "read" ? keys.filter((key) => key === actorKey) : keys;
  return exposed.flatMap((key) => {
    const name = key === "id" ? `${tool.name.split("_")[0]}_id` : key;
    const record = makers[`${title}.${key}`] ?? makers[`${tool.name}.${key}`] ?? makers[name];
    if (record === undefined) {
      throw new Error(
        `no id maker for the argument ${key} of ${title}: add a line ${name} to tests/attack/id-makers.ts`,
      );
    }
    return record === team || record === gate ? [] : [{ key, record }];
  });
}
