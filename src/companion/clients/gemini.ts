import { join } from "node:path";
import { markdownMarks } from "../edit/block.ts";
import { type Client, hasFolder, hasProgram } from "./client.ts";
import { hookGroups, instructions, mcpEntry } from "./lines.ts";

const edits = "write_file|replace";

/** Its limits are in milliseconds. */
const limit = 5_000;

export const gemini: Client = {
  name: "gemini",
  title: "Gemini CLI",
  isFound: (place) =>
    hasProgram(place, "gemini") || hasFolder(join(place.userHome, ".gemini"), join(place.repository, ".gemini")),
  parts: (place) => [
    {
      kind: "json",
      purpose: "MCP server and hooks",
      file: join(place.repository, ".gemini", "settings.json"),
      entries: [
        mcpEntry("mcpServers", "gemini", place),
        ...hookGroups("gemini", [
          { event: "SessionStart", timeout: limit },
          { event: "BeforeAgent", timeout: limit },
          { event: "BeforeTool", matcher: edits, timeout: limit },
          { event: "AfterTool", matcher: edits, timeout: limit },
          { event: "Notification", timeout: limit },
          { event: "AfterAgent", timeout: limit },
          { event: "SessionEnd", timeout: limit },
        ]),
      ],
    },
    {
      kind: "block",
      purpose: "instructions",
      file: join(place.repository, "GEMINI.md"),
      marks: markdownMarks,
      body: instructions,
    },
  ],
  listing: ["gemini", "mcp", "list"],
  todo: ["Gemini CLI uses a project's servers and hooks only in a folder you trust: start `gemini` there once."],
};
