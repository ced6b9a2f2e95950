import { expect, test } from "vitest";
import { passesWord, writeAnswer } from "../../src/companion/hook/answers.ts";
import { readSignal } from "../../src/companion/hook/read-signal.ts";
import type { HookClient } from "../../src/companion/hook/signal.ts";

const claude = { session_id: "S", transcript_path: "T", cwd: "/r", prompt_id: "P", permission_mode: "acceptEdits" };
const codex = { session_id: "S", turn_id: "U", transcript_path: "T", cwd: "/r", model: "gpt-6.1-sol" };
const gemini = { session_id: "S", transcript_path: "T", cwd: "/r", timestamp: "2026-11-16T10:00:00Z" };
const copilot = { sessionId: "S", timestamp: 1, cwd: "/r" };
const cursor = { conversation_id: "S", generation_id: "G", workspace_roots: ["/r"], cursor_version: "2.0", cwd: "" };
const patch =
  "*** Begin Patch\n*** Update File: src/a.ts\n*** Move to: src/b.ts\n@@\n-x\n+*** Add File: fake\n*** Add File: src/c d.ts\n+y\n*** Delete File: src/e.ts\n*** End Patch";

interface Case {
  readonly client: HookClient;
  readonly payload: object;
  readonly event?: string;
  readonly moment: string;
  readonly files?: readonly string[];
}

const cases: readonly Case[] = [
  {
    client: "claude-code",
    payload: { ...claude, hook_event_name: "SessionStart", source: "startup" },
    moment: "start",
  },
  { client: "claude-code", payload: { ...claude, hook_event_name: "UserPromptSubmit", prompt: "x" }, moment: "prompt" },
  {
    client: "claude-code",
    payload: edit(claude, "PreToolUse", "Edit", { file_path: "/r/src/auth.ts", old_string: "1" }),
    moment: "before-edit",
    files: ["/r/src/auth.ts"],
  },
  {
    client: "claude-code",
    payload: edit(claude, "PreToolUse", "Write", { file_path: "/r/n.ts", content: "x" }),
    moment: "before-edit",
    files: ["/r/n.ts"],
  },
  {
    client: "claude-code",
    payload: edit(claude, "PostToolUse", "NotebookEdit", { notebook_path: "/r/n.ipynb" }),
    moment: "after-edit",
    files: ["/r/n.ipynb"],
  },
  { client: "claude-code", payload: { ...claude, hook_event_name: "Notification", message: "x" }, moment: "waiting" },
  { client: "claude-code", payload: { ...claude, hook_event_name: "Stop", stop_hook_active: false }, moment: "stop" },
  { client: "claude-code", payload: { ...claude, hook_event_name: "SessionEnd", reason: "exit" }, moment: "end" },
  {
    client: "codex",
    payload: edit(codex, "PreToolUse", "apply_patch", { command: patch }),
    moment: "before-edit",
    files: ["src/a.ts", "src/b.ts", "src/c d.ts", "src/e.ts"],
  },
  {
    client: "codex",
    payload: { ...codex, hook_event_name: "PermissionRequest", tool_name: "Bash" },
    moment: "waiting",
  },
  {
    client: "gemini",
    payload: edit(gemini, "BeforeTool", "replace", { file_path: "/r/a.ts", old_string: "1" }),
    moment: "before-edit",
    files: ["/r/a.ts"],
  },
  {
    client: "gemini",
    payload: edit(gemini, "AfterTool", "write_file", { file_path: "/r/a.ts" }),
    moment: "after-edit",
    files: ["/r/a.ts"],
  },
  { client: "gemini", payload: { ...gemini, hook_event_name: "AfterAgent", prompt_response: "x" }, moment: "stop" },
  {
    client: "copilot",
    event: "preToolUse",
    payload: { ...copilot, toolName: "edit", toolArgs: { path: "/r/a.ts" } },
    moment: "before-edit",
    files: ["/r/a.ts"],
  },
  {
    client: "copilot",
    event: "preToolUse",
    payload: { ...copilot, toolName: "create", toolArgs: '{"path":"/r/a.ts"}' },
    moment: "before-edit",
    files: ["/r/a.ts"],
  },
  { client: "copilot", event: "sessionStart", payload: { ...copilot, source: "new" }, moment: "start" },
  {
    client: "cursor",
    payload: edit(cursor, "preToolUse", "Write", { file_path: "/r/a.ts" }),
    moment: "before-edit",
    files: ["/r/a.ts"],
  },
  {
    client: "cursor",
    payload: { ...cursor, hook_event_name: "afterFileEdit", file_path: "/r/a.ts", edits: [] },
    moment: "after-edit",
    files: ["/r/a.ts"],
  },
  {
    client: "opencode",
    payload: {
      event: "tool.execute.before",
      cwd: "/r",
      input: { tool: "edit", sessionID: "S", callID: "c" },
      output: { args: { filePath: "/r/a.ts" } },
    },
    moment: "before-edit",
    files: ["/r/a.ts"],
  },
  { client: "opencode", payload: { event: "session.idle", sessionID: "S", cwd: "/r" }, moment: "stop" },
];

function edit(common: object, hook_event_name: string, tool_name: string, tool_input: object): object {
  return { ...common, hook_event_name, tool_name, tool_input, tool_use_id: "toolu_1" };
}

test.each(cases)("[HK2] $client, $moment", ({ client, payload, event, moment, files = [] }) => {
  const signal = readSignal(client, `\uFEFF${JSON.stringify(payload)}`, event);
  expect(signal).toMatchObject({ client, moment, session: "S", cwd: "/r", files });
});

test("[HK2] a file that was edited in the middle of a patch's text is none of its files", () => {
  expect(readSignal("codex", JSON.stringify(cases[8]?.payload))?.files).not.toContain("fake");
});

test.each([
  {
    what: "Copilot CLI through Claude Code's file",
    client: "claude-code",
    payload: {
      hook_event_name: "PreToolUse",
      session_id: "S",
      timestamp: 1,
      cwd: "/r",
      tool_name: "Write",
      tool_input: { path: "/r/a" },
    },
  },
  {
    what: "Cursor through Claude Code's file",
    client: "claude-code",
    payload: {
      ...claude,
      ...cursor,
      hook_event_name: "PreToolUse",
      tool_name: "Write",
      tool_input: { file_path: "/r/a" },
    },
  },
  { what: "an event of tomorrow", client: "claude-code", payload: { ...claude, hook_event_name: "Tomorrow" } },
  {
    what: "a tool that edits nothing",
    client: "claude-code",
    payload: edit(claude, "PreToolUse", "Bash", { command: "rm x" }),
  },
  { what: "a name of every object", client: "claude-code", payload: { ...claude, hook_event_name: "constructor" } },
  { what: "a client nobody knows", client: "toString", payload: claude },
  { what: "a list", client: "codex", payload: [] },
  { what: "an edit without a path", client: "gemini", payload: edit(gemini, "BeforeTool", "replace", {}) },
])("[HK3] $what is no signal", ({ client, payload }) => {
  expect(readSignal(client, JSON.stringify(payload))).toBeUndefined();
  expect(readSignal(client, `${JSON.stringify(payload)}}`)).toBeUndefined();
});

test("[HK1, HK4] each client is denied in its own words, exactly, and never allowed", () => {
  const deny = "held";
  const hookSpecificOutput = {
    hookEventName: "PreToolUse",
    permissionDecision: "deny",
    permissionDecisionReason: deny,
  };
  const wanted: Record<HookClient, object> = {
    "claude-code": { hookSpecificOutput },
    codex: { hookSpecificOutput },
    gemini: { decision: "deny", reason: deny },
    copilot: { permissionDecision: "deny", permissionDecisionReason: deny },
    cursor: { permission: "deny", user_message: deny, agent_message: deny },
    opencode: { deny },
  };
  for (const [client, answer] of Object.entries(wanted) as [HookClient, object][]) {
    expect(JSON.parse(writeAnswer(client, "before-edit", { deny }))).toEqual(answer);
    expect(writeAnswer(client, "before-edit", {})).toBe(client === "cursor" ? '{"permission":"allow"}' : "");
    const hears = { hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: "x" } };
    const word = writeAnswer(client, "before-edit", { context: "x" });
    if (passesWord(client)) expect(JSON.parse(word)).toEqual(hears);
    else expect(word).toBe(writeAnswer(client, "before-edit", {}));
    for (const moment of ["stop", "prompt", "after-edit", "waiting", "end"] as const)
      expect(writeAnswer(client, moment, { deny, context: "x" })).toBe("");
  }
});
