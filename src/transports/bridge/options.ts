import { resolve } from "node:path";
import { parseArgs } from "node:util";

export interface McpOptions {
  readonly home: string | undefined;
  readonly tools: string | undefined;
  readonly exclude: string | undefined;
  readonly readOnly: boolean;
  readonly repo: string | undefined;
  /** What the agent is there for; only review tools ask. */
  readonly role: "coding" | "planning" | undefined;
  readonly inProcess: boolean;
}

/** The options of `crewdeck mcp`. Read without the command line's own library: a probe must be answered at once. */
export function readOptions(argv: readonly string[]): McpOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      home: { type: "string" },
      tools: { type: "string" },
      exclude: { type: "string" },
      "read-only": { type: "boolean" },
      repo: { type: "string" },
      role: { type: "string" },
      "in-process": { type: "boolean" },
      // Common to every command, without a meaning here: stdout belongs to the protocol.
      json: { type: "boolean" },
      quiet: { type: "boolean" },
    },
  });
  return {
    home: values.home,
    tools: values.tools,
    exclude: values.exclude,
    readOnly: values["read-only"] ?? false,
    repo: values.repo === undefined ? undefined : resolve(values.repo),
    role: readRole(values.role),
    inProcess: values["in-process"] ?? false,
  };
}

function readRole(role: string | undefined): McpOptions["role"] {
  if (role === undefined || role === "coding" || role === "planning") return role;
  throw new Error("--role is coding or planning; a reviewer is started by Crewdeck itself");
}
