import { join } from "node:path";
import { type Client, hasFolder, hasProgram } from "./client.ts";
import { hookGroups, instructions, mcpEntry } from "./lines.ts";

const edits = "Edit|Write|MultiEdit|NotebookEdit";

export const claudeCode: Client = {
  name: "claude-code",
  title: "Claude Code",
  isFound: (place) => hasProgram(place, "claude") || hasFolder(join(place.userHome, ".claude")),
  parts: (place) => [
    {
      kind: "json",
      purpose: "MCP server",
      file: join(place.repository, ".mcp.json"),
      entries: [mcpEntry("mcpServers", "claude-code", place)],
    },
    {
      kind: "json",
      purpose: "hooks",
      file: join(place.repository, ".claude", "settings.json"),
      entries: hookGroups("claude-code", [
        { event: "SessionStart", timeout: 5 },
        { event: "UserPromptSubmit", timeout: 5 },
        { event: "PreToolUse", matcher: edits, timeout: 5 },
        { event: "PostToolUse", matcher: `${edits}|mcp__crewdeck__covibe_session`, timeout: 5 },
        { event: "PermissionRequest", timeout: 5 },
        { event: "Notification", timeout: 5 },
        { event: "Stop", timeout: 5 },
        // Without a limit of its own it is cut off after a second and a half.
        { event: "SessionEnd", timeout: 10 },
      ]),
    },
    {
      kind: "own",
      purpose: "instructions",
      file: join(place.repository, ".claude", "rules", "crewdeck.md"),
      text: instructions,
    },
  ],
  listing: ["claude", "mcp", "get", "crewdeck"],
  todo: ["Claude Code asks once whether it may use the server in `.mcp.json`: approve `crewdeck`."],
};
