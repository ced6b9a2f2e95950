import { join } from "node:path";
import { type Client, hasFolder, hasProgram } from "./client.ts";
import { anywhere, guardLine, mcpEntry } from "./lines.ts";

const events = [
  "sessionStart",
  "userPromptSubmitted",
  "preToolUse",
  "postToolUse",
  "permissionRequest",
  "agentStop",
  "sessionEnd",
];

/** Its payloads do not name their event, so the line does. */
const hooksFile = (): string => {
  const hooks = Object.fromEntries(
    events.map((event) => [event, [{ type: "command", bash: guardLine("copilot", event), timeoutSec: 5 }]]),
  );
  return `${JSON.stringify({ version: 1, hooks }, null, 2)}\n`;
};

export const copilot: Client = {
  name: "copilot",
  title: "Copilot CLI",
  isFound: (place) => hasProgram(place, "copilot") || hasFolder(join(place.userHome, ".copilot")),
  parts: (place) => [
    {
      kind: "json",
      purpose: "MCP server",
      file: join(place.userHome, ".copilot", "mcp-config.json"),
      entries: [mcpEntry("mcpServers", "copilot", anywhere, { type: "local", tools: ["*"] })],
    },
    {
      kind: "own",
      purpose: "hooks",
      file: join(place.userHome, ".copilot", "hooks", "crewdeck.json"),
      text: hooksFile(),
    },
  ],
  listing: ["copilot", "mcp", "list"],
  todo: [],
};
