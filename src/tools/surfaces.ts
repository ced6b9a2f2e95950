/**
 * What a client that loads every schema at once is shown, together with find_tools and call_tool. The list costs at
 * most 2,000 tokens (LS2): a name is added only when another one goes or the budget has room.
 */
export const coreTools: readonly string[] = [
  "agent_register",
  "agent_list",
  "message_send",
  "message_list",
  "covibe_task",
  "covibe_session",
];

/**
 * What takes much is listed with the arguments of an ordinary day (LS24). The others are accepted all the same, and
 * find_tools tells them.
 */
export const coreArguments: Readonly<Record<string, readonly string[]>> = {
  agent_list: ["status", "limit"],
  message_send: ["sender_id", "recipient_id", "message_type", "subject", "body", "reply_to_id"],
  message_list: ["agent_id", "status", "limit"],
  covibe_task: [
    "operation",
    "title",
    "task_type",
    "description",
    "repo",
    "target_files",
    "session_id",
    "check_id",
    "scope_verdict",
    "planned_task_id",
    "task_id",
    "result_summary",
    "reason",
  ],
  wait: ["agent_id", "timeout_seconds", "cursor"],
  covibe_session: ["operation", "agent_name", "repo", "branch", "session_id", "summary", "next_actions"],
};
