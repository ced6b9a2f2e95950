import { join } from "node:path";
import { markdownMarks, tomlMarks } from "../edit/block.ts";
import { listTomlNames } from "../edit/toml-scan.ts";
import { type Client, hasFolder, hasProgram, type Place } from "./client.ts";
import { anywhere, hookGroups, instructions, mcpCommand, mcpVariables } from "./lines.ts";

const codexHome = ({ env, userHome }: Place): string => env["CODEX_HOME"] || join(userHome, ".codex");

export const codex: Client = {
  name: "codex",
  title: "Codex",
  isFound: (place) => hasProgram(place, "codex") || hasFolder(codexHome(place)),
  parts: (place) => [
    {
      kind: "block",
      purpose: "MCP server",
      file: join(codexHome(place), "config.toml"),
      marks: tomlMarks,
      body: tableText(),
      obstacleIn: (foreign) =>
        listTomlNames(foreign).some(isOurName) ? "it has an entry `mcp_servers.crewdeck` of its own" : undefined,
    },
    {
      kind: "json",
      purpose: "hooks",
      file: join(codexHome(place), "hooks.json"),
      entries: hookGroups("codex", [
        { event: "SessionStart", timeout: 5 },
        { event: "UserPromptSubmit", timeout: 5 },
        { event: "PreToolUse", matcher: "apply_patch|Edit|Write", timeout: 5 },
        { event: "PostToolUse", matcher: "apply_patch|Edit|Write|covibe_session", timeout: 5 },
        { event: "PermissionRequest", timeout: 5 },
        { event: "Stop", timeout: 5 },
        // It gives no more, and warns about every second beyond.
        { event: "SessionEnd", timeout: 3 },
      ]),
    },
    {
      kind: "block",
      purpose: "instructions",
      file: join(codexHome(place), "AGENTS.md"),
      marks: markdownMarks,
      body: instructions.replace("This repository uses", "Where the MCP server `crewdeck` is available, use"),
    },
  ],
  listing: ["codex", "mcp", "get", "crewdeck"],
  todo: ["Codex runs hooks only after you trust them: start `codex` once and accept the Crewdeck hooks."],
};

/** As a table, or as a key of one that nothing can be added to. */
const isOurName = ([first, second]: readonly string[]): boolean => first === "mcp_servers" && second === "crewdeck";

function tableText(): string {
  const [command, ...args] = mcpCommand;
  const variables = Object.entries(mcpVariables("codex", anywhere)).map(
    ([key, value]) => `${key} = ${JSON.stringify(value)}`,
  );
  return [
    "[mcp_servers.crewdeck]",
    `command = ${JSON.stringify(command)}`,
    `args = ${JSON.stringify(args)}`,
    `env = { ${variables.join(", ")} }`,
    // Passed on from your shell, never written down.
    'env_vars = ["COVIBE_MCP_TOKEN", "CREWDECK_HOME"]',
    "",
  ].join("\n");
}
