import { join } from "node:path";
import type { JsonEntry } from "../edit/json-edit.ts";
import { type Client, hasFolder, hasProgram } from "./client.ts";
import { guardLine, instructions, mcpEntry } from "./lines.ts";

/** Here silence is reported to block a tool, so whatever fails says that it passes. */
const answeringLine = `h="$HOME/.covibe/bin/hook"; { [ -x "$h" ] && "$h" cursor; } || echo '{"permission":"allow"}'; exit 0`;

const hook = (event: string, command = guardLine("cursor")): JsonEntry => ({
  path: ["hooks", event],
  value: { command },
  isItem: true,
});

export const cursor: Client = {
  name: "cursor",
  title: "Cursor",
  isFound: (place) =>
    hasProgram(place, "cursor", "cursor-agent") ||
    hasFolder(join(place.userHome, ".cursor"), join(place.repository, ".cursor")),
  parts: (place) => [
    {
      kind: "json",
      purpose: "MCP server",
      file: join(place.repository, ".cursor", "mcp.json"),
      entries: [mcpEntry("mcpServers", "cursor", place)],
    },
    {
      kind: "json",
      purpose: "hooks",
      file: join(place.repository, ".cursor", "hooks.json"),
      entries: [
        { path: ["version"], value: 1, isItem: false, isDefault: true },
        hook("sessionStart"),
        hook("beforeSubmitPrompt"),
        hook("preToolUse", answeringLine),
        hook("afterFileEdit"),
        hook("stop"),
        hook("sessionEnd"),
      ],
    },
    {
      kind: "own",
      purpose: "instructions",
      file: join(place.repository, ".cursor", "rules", "crewdeck.mdc"),
      text: `---\ndescription: Coordination with other agents\nalwaysApply: true\n---\n\n${instructions}`,
    },
  ],
  todo: ["Enable the `crewdeck` server in Cursor under Settings → MCP."],
};
