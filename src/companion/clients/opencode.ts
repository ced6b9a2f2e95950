import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Client, hasFolder, hasProgram, type Place } from "./client.ts";
import { mcpCommand, mcpVariables } from "./lines.ts";
import { opencodePlugin } from "./opencode-plugin.ts";

export const opencode: Client = {
  name: "opencode",
  title: "opencode",
  isFound: (place) =>
    hasProgram(place, "opencode") ||
    hasFolder(
      join(place.env["XDG_CONFIG_HOME"] || join(place.userHome, ".config"), "opencode"),
      join(place.repository, ".opencode"),
      configFile(place),
    ),
  parts: (place) => [
    {
      kind: "json",
      purpose: "MCP server",
      file: configFile(place),
      entries: [
        {
          path: ["mcp", "crewdeck"],
          value: { type: "local", command: [...mcpCommand], environment: mcpVariables("opencode", place) },
          isItem: false,
        },
      ],
    },
    {
      kind: "own",
      purpose: "plugin",
      file: join(place.repository, ".opencode", "plugin", "crewdeck.js"),
      text: opencodePlugin,
    },
  ],
  listing: ["opencode", "mcp", "list"],
  todo: [],
};

/** Whichever the repository has. */
function configFile({ repository }: Place): string {
  const withComments = join(repository, "opencode.jsonc");
  return existsSync(withComments) ? withComments : join(repository, "opencode.json");
}
