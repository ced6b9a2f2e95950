import type { HookClient, Moment } from "./signal.ts";

/** What the hook has to say: why an edit is refused, or what an agent should know at its start. */
export interface Word {
  readonly deny?: string;
  readonly context?: string;
}

/**
 * What a client is answered, to the letter: some drop an answer with one field too many. Nothing is ever allowed, since
 * that would answer for a person; only Cursor takes silence for a no.
 */
export function writeAnswer(client: HookClient, moment: Moment | undefined, { deny, context }: Word): string {
  const write = writers[client];
  if (moment === "before-edit" || moment === undefined) return deny === undefined ? write.pass : write.deny(deny);
  return moment === "start" && context !== undefined ? write.context(context) : "";
}

interface Writer {
  readonly pass: string;
  deny(reason: string): string;
  context(text: string): string;
}

const claudeLike: Writer = {
  pass: "",
  deny: (reason) =>
    JSON.stringify({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: reason,
      },
    }),
  context: (text) => JSON.stringify({ hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: text } }),
};

const writers: Readonly<Record<HookClient, Writer>> = {
  "claude-code": claudeLike,
  codex: claudeLike,
  gemini: { ...claudeLike, deny: (reason) => JSON.stringify({ decision: "deny", reason }) },
  copilot: {
    pass: "",
    deny: (reason) => JSON.stringify({ permissionDecision: "deny", permissionDecisionReason: reason }),
    context: (text) => JSON.stringify({ additionalContext: text }),
  },
  cursor: {
    pass: JSON.stringify({ permission: "allow" }),
    deny: (reason) => JSON.stringify({ permission: "deny", user_message: reason, agent_message: reason }),
    context: (text) => JSON.stringify({ additional_context: text }),
  },
  opencode: {
    pass: "",
    deny: (reason) => JSON.stringify({ deny: reason }),
    context: (text) => JSON.stringify({ context: text }),
  },
};
