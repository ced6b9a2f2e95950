/**
 * What a client that loads every schema at once is shown, together with find_tools and call_tool. The list costs at
 * most 1,500 tokens (LS2): a name is added only when another one goes or the budget has room.
 */
export const coreTools: readonly string[] = [
  "agent_register",
  "agent_heartbeat",
  "agent_list",
  "message_send",
  "message_list",
];
