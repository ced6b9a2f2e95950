import { join } from "node:path";
import { type Client, hasFolder, hasProgram } from "./client.ts";
import { mcpEntry } from "./lines.ts";

export const vscode: Client = {
  name: "vscode",
  title: "VS Code",
  isFound: (place) => hasProgram(place, "code") || hasFolder(join(place.repository, ".vscode")),
  parts: (place) => [
    {
      kind: "json",
      purpose: "MCP server",
      file: join(place.repository, ".vscode", "mcp.json"),
      entries: [mcpEntry("servers", "vscode", place, { type: "stdio" })],
    },
  ],
  todo: ["VS Code asks before it starts the server `crewdeck` for the first time: allow it."],
};
