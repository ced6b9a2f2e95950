import type { HookClient, Moment } from "./signal.ts";

/** What the hook has to say: why an edit is refused, or what an agent should know at its start or before an edit. */
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
  if (moment === "before-edit" || moment === undefined) {
    if (deny !== undefined) return write.deny(context === undefined ? deny : `${deny}\n${context}`);
    return context === undefined ? write.pass : (write.beforeEdit?.(context) ?? write.pass);
  }
  return moment === "start" && context !== undefined ? write.context(context) : "";
}

interface Writer {
  readonly pass: string;
  deny(reason: string): string;
  context(text: string): string;
  /** Where the client takes word before an edit without an answer to it. */
  beforeEdit?(text: string): string;
}

/** Whether word for an agent can be passed on before an edit; else it must not be taken. */
export const passesWord = (client: HookClient): boolean => writers[client].beforeEdit !== undefined;

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

const beforeEdit = (text: string): string =>
  JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: text } });

const writers: Readonly<Record<HookClient, Writer>> = {
  "claude-code": { ...claudeLike, beforeEdit },
  codex: { ...claudeLike, beforeEdit },
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
