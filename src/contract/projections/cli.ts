import type { JsonSchema } from "../json-schema.ts";
import type { McpTool } from "./mcp.ts";

/** A tool as a command line sees it: `crewdeck call NAME --flag value`. */
export interface CliCommand {
  readonly name: string;
  readonly description: string;
  readonly flags: readonly CliFlag[];
}

export interface CliFlag {
  /** With its dashes, for example `--agent-id`. */
  readonly flag: string;
  /** The argument it fills, for example `agent_id`. */
  readonly key: string;
  /** How its text is read; `json` takes plain text too where the argument allows it. */
  readonly type: "string" | "integer" | "number" | "boolean" | "json";
  /** May be given several times, or once as JSON; words to choose from and numbers also with commas. */
  readonly isList: boolean;
  readonly isRequired: boolean;
  readonly description: string;
  readonly choices?: readonly string[];
  readonly default?: unknown;
}

/** Works on the published entry, so that a command line starts without loading any schema library. */
export function toCli(tool: McpTool): CliCommand {
  const { properties, required = [] } = tool.inputSchema;
  return {
    name: tool.name,
    description: tool.description,
    flags: Object.entries(properties).map(([key, schema]) => flagOf(key, schema, required.includes(key))),
  };
}

function flagOf(key: string, schema: JsonSchema, isRequired: boolean): CliFlag {
  const isList = schema.type === "array" && isScalar(schema.items);
  const value = isList ? (schema.items ?? {}) : schema;
  const choices = choicesOf(value);
  return {
    flag: `--${kebabOf(key)}`,
    key,
    type: typeOf(value),
    isList,
    isRequired,
    description: schema.description ?? "",
    ...(choices === undefined ? {} : { choices }),
    ...(schema.default === undefined ? {} : { default: schema.default }),
  };
}

/** `agent_id` and `repoPath` both become words with hyphens. */
const kebabOf = (key: string): string =>
  key
    .replaceAll("_", "-")
    .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    .replace(/^-/, "");

const scalars = ["string", "integer", "number", "boolean"] as const;

const isScalar = (schema: JsonSchema | undefined): boolean => typeOf(schema ?? {}) !== "json";

function typeOf(schema: JsonSchema): CliFlag["type"] {
  const branches = (schema.anyOf ?? [schema]).filter((branch) => branch.type !== "null");
  const types = new Set(branches.map((branch) => branch.type));
  return (types.size === 1 && scalars.find((scalar) => types.has(scalar))) || "json";
}

function choicesOf(schema: JsonSchema): readonly string[] | undefined {
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  return values?.map(String);
}
