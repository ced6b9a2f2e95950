import type { JsonEntry } from "../edit/json-edit.ts";
import type { ClientName, Place } from "./client.ts";

/** Through a shell that knows the account's folder: the same file is good for everybody who has the repository. */
export const mcpCommand = ["sh", "-c", 'exec "$HOME/.covibe/bin/covibe-mcp"'] as const;

/** Never a token: the marker chooses one from the credentials of whoever runs the client. */
export const mcpVariables = (client: ClientName, { baseUrl }: Pick<Place, "baseUrl">): Record<string, string> => ({
  COVIBE_AGENT: client,
  ...(baseUrl === undefined ? {} : { COVIBE_BASE_URL: baseUrl }),
});

/** A file that all repositories of an account share names no server: the bridge finds the one of the repository it is in. */
export const anywhere = { baseUrl: undefined } as const;

/**
 * Passes in every client when the program is missing or fails. Never to be changed: Codex trusts a hook by its text, and
 * other clients drop repeats by it.
 */
export const guardLine = (...words: readonly [client: ClientName, event?: string]): string =>
  `h="$HOME/.covibe/bin/hook"; [ -x "$h" ] && "$h" ${words.join(" ")}; exit 0`;

export const mcpEntry = (
  key: string,
  client: ClientName,
  place: Pick<Place, "baseUrl">,
  more: Record<string, unknown> = {},
): JsonEntry => {
  const [command, ...args] = mcpCommand;
  return {
    path: [key, "crewdeck"],
    value: { ...more, command, args, env: mcpVariables(client, place) },
    isItem: false,
  };
};

interface HookGroup {
  readonly event: string;
  readonly matcher?: string;
  readonly timeout: number;
}

/** As Claude Code, Codex and Gemini CLI write them. */
export const hookGroups = (client: ClientName, groups: readonly HookGroup[]): JsonEntry[] =>
  groups.map(({ event, matcher, timeout }) => ({
    path: ["hooks", event],
    value: {
      ...(matcher === undefined ? {} : { matcher }),
      hooks: [{ type: "command", command: guardLine(client), timeout }],
    },
    isItem: true,
  }));

/** Entries carry no mark, since some clients refuse unknown fields: they are known by what they run. */
export function isOurEntry(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { command, args, bash, hooks } = value as Record<string, unknown>;
  if (Array.isArray(hooks)) return hooks.length > 0 && hooks.every(isOurEntry);
  return [command, args, bash].flat().some((word) => typeof word === "string" && ownFile.test(word));
}

const ownFile = /\.covibe\/bin\/(?:hook|covibe-mcp)\b/;

export const instructions = [
  "This repository uses Crewdeck to coordinate coding agents and people.",
  "Before you change files, claim them with the MCP tool `covibe_coordination` (operation `claim`), and release them when you're done.",
  "If an edit is denied because somebody else holds the file, ask the holder with operation `ask`, or work on something else. Don't work around it.",
  "",
].join("\n");
