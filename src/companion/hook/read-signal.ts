import { filesOfPatch } from "./patch-files.ts";
import { type HookClient, type Moment, type Payload, recordOf, type Signal, textAt } from "./signal.ts";

/**
 * What a client tells its hook. Other clients run hooks that were written for Claude Code and send their own payload to
 * them: whatever does not look as this client writes it is nobody's signal.
 */
export function readSignal(client: string, text: string, event = ""): Signal | undefined {
  const reader = Object.hasOwn(readers, client) ? readers[client as HookClient] : undefined;
  const payload = recordOf(parse(text));
  return reader === undefined || payload === undefined ? undefined : reader(payload, event);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}

const readers: Readonly<Record<HookClient, (payload: Payload, event: string) => Signal | undefined>> = {
  "claude-code": (payload) =>
    textAt(payload, "transcript_path") === undefined || "conversation_id" in payload || "timestamp" in payload
      ? undefined
      : readCommon("claude-code", payload, claudeMoments, claudeTools),
  codex: (payload) =>
    "conversation_id" in payload ? undefined : readCommon("codex", payload, claudeMoments, codexTools),
  gemini: (payload) => readCommon("gemini", payload, geminiMoments, geminiTools),
  copilot: readCopilot,
  cursor: readCursor,
  opencode: readOpencode,
};

type Moments = Readonly<Record<string, Moment>>;
/** Where each tool that edits has its files. */
type EditTools = Readonly<Record<string, (input: Payload) => readonly string[]>>;

const claudeMoments: Moments = {
  SessionStart: "start",
  UserPromptSubmit: "prompt",
  PreToolUse: "before-edit",
  PostToolUse: "after-edit",
  PermissionRequest: "waiting",
  Notification: "waiting",
  Stop: "stop",
  SessionEnd: "end",
};

const geminiMoments: Moments = {
  SessionStart: "start",
  BeforeAgent: "prompt",
  BeforeTool: "before-edit",
  AfterTool: "after-edit",
  Notification: "waiting",
  AfterAgent: "stop",
  SessionEnd: "end",
};

const at =
  (...keys: readonly string[]) =>
  (input: Payload): string[] =>
    keys.flatMap((key) => textAt(input, key) ?? []).slice(0, 1);

const claudeTools: EditTools = {
  Edit: at("file_path"),
  Write: at("file_path"),
  MultiEdit: at("file_path"),
  NotebookEdit: at("notebook_path"),
};
const codexTools: EditTools = {
  apply_patch: (input) => filesOfPatch(textAt(input, "command") ?? textAt(input, "input") ?? ""),
  Edit: at("file_path"),
  Write: at("file_path"),
};
const geminiTools: EditTools = { write_file: at("file_path"), replace: at("file_path") };
const copilotTools: EditTools = { create: at("path"), edit: at("path"), str_replace_editor: at("path") };
const cursorTools: EditTools = {
  Write: at("file_path", "path", "target_file"),
  Edit: at("file_path", "path", "target_file"),
  StrReplace: at("file_path", "path", "target_file"),
  Delete: at("file_path", "path", "target_file"),
};
const opencodeTools: EditTools = {
  write: at("filePath"),
  edit: at("filePath"),
  patch: (input) => filesOfPatch(textAt(input, "patchText") ?? ""),
  apply_patch: (input) => filesOfPatch(textAt(input, "patchText") ?? textAt(input, "patch") ?? ""),
};

/** Claude Code, Codex and Gemini CLI write much the same. */
function readCommon(
  client: "claude-code" | "codex" | "gemini",
  payload: Payload,
  moments: Moments,
  tools: EditTools,
): Signal | undefined {
  const session = textAt(payload, "session_id");
  const event = textAt(payload, "hook_event_name") ?? "";
  const moment = Object.hasOwn(moments, event) ? moments[event] : undefined;
  if (session === undefined || moment === undefined) return undefined;
  const signal = {
    client,
    session,
    cwd: textAt(payload, "cwd") ?? process.cwd(),
    model: textAt(payload, "model"),
    transcript: textAt(payload, "transcript_path"),
    isCompacted: payload["source"] === "compact",
  };
  return withTool(signal, moment, {
    tool: textAt(payload, "tool_name"),
    input: payload["tool_input"],
    answer: payload["tool_response"],
    tools,
  });
}

interface ToolUse {
  readonly tool: string | undefined;
  readonly input: unknown;
  readonly answer?: unknown;
  readonly tools: EditTools;
}

/** A tool that edits nothing is no signal, but for the one by which an agent starts a session itself. */
function withTool(
  signal: Omit<Signal, "moment" | "files">,
  moment: Moment,
  { tool = "", input, answer, tools }: ToolUse,
): Signal | undefined {
  if (moment !== "before-edit" && moment !== "after-edit") return { ...signal, moment, files: [] };
  if (moment === "after-edit" && /covibe_session$/.test(tool)) {
    return { ...signal, moment: "own-session", files: [], answer: JSON.stringify(answer ?? "") };
  }
  const filesOf = Object.hasOwn(tools, tool) ? tools[tool] : undefined;
  const files = filesOf?.(recordOf(input) ?? {}) ?? [];
  return files.length === 0 ? undefined : { ...signal, moment, files };
}

const copilotMoments: Moments = {
  sessionStart: "start",
  userPromptSubmitted: "prompt",
  preToolUse: "before-edit",
  postToolUse: "after-edit",
  permissionRequest: "waiting",
  agentStop: "stop",
  sessionEnd: "end",
};

/** Its payloads do not name their event; the configured line does. */
function readCopilot(payload: Payload, event: string): Signal | undefined {
  const session = textAt(payload, "sessionId");
  const moment = Object.hasOwn(copilotMoments, event) ? copilotMoments[event] : undefined;
  if (session === undefined || moment === undefined) return undefined;
  const args = payload["toolArgs"];
  const signal = {
    client: "copilot" as const,
    session,
    cwd: textAt(payload, "cwd") ?? process.cwd(),
    transcript: textAt(payload, "transcriptPath"),
  };
  const tool = textAt(payload, "toolName");
  const input = typeof args === "string" ? parse(args) : args;
  return withTool(signal, moment, { tool, input, answer: payload["toolResult"], tools: copilotTools });
}

const cursorMoments: Moments = {
  sessionStart: "start",
  beforeSubmitPrompt: "prompt",
  preToolUse: "before-edit",
  afterFileEdit: "after-edit",
  stop: "stop",
  sessionEnd: "end",
};

function readCursor(payload: Payload): Signal | undefined {
  const session = textAt(payload, "conversation_id") ?? textAt(payload, "session_id");
  const event = textAt(payload, "hook_event_name") ?? "";
  const moment = Object.hasOwn(cursorMoments, event) ? cursorMoments[event] : undefined;
  if (session === undefined || moment === undefined) return undefined;
  const [root] = Array.isArray(payload["workspace_roots"]) ? (payload["workspace_roots"] as unknown[]) : [];
  const signal = {
    client: "cursor" as const,
    session,
    // Its command line sends an empty one.
    cwd: textAt(payload, "cwd") ?? (typeof root === "string" ? root : process.cwd()),
    model: textAt(payload, "model"),
    transcript: textAt(payload, "transcript_path"),
  };
  const edited = textAt(payload, "file_path");
  if (event === "afterFileEdit") return { ...signal, moment, files: edited === undefined ? [] : [edited] };
  return withTool(signal, moment, {
    tool: textAt(payload, "tool_name"),
    input: payload["tool_input"],
    tools: cursorTools,
  });
}

const opencodeMoments: Moments = {
  "session.created": "start",
  "chat.message": "prompt",
  "tool.execute.before": "before-edit",
  "tool.execute.after": "after-edit",
  "permission.asked": "waiting",
  "session.idle": "stop",
  "message.updated": "usage",
};

/** As our own plugin writes it. */
function readOpencode(payload: Payload): Signal | undefined {
  const session = textAt(payload, "sessionID") ?? textAt(payload, "input", "sessionID");
  const event = textAt(payload, "event") ?? "";
  const moment = Object.hasOwn(opencodeMoments, event) ? opencodeMoments[event] : undefined;
  if (session === undefined || moment === undefined) return undefined;
  const signal = { client: "opencode" as const, session, cwd: textAt(payload, "cwd") ?? process.cwd() };
  if (moment === "usage") return { ...signal, moment, files: [], usage: recordOf(payload["message"]) ?? {} };
  const input = recordOf(payload["input"]);
  return withTool(signal, moment, {
    tool: textAt(input, "tool"),
    input: recordOf(recordOf(payload["output"])?.["args"]) ?? input?.["args"],
    tools: opencodeTools,
  });
}
