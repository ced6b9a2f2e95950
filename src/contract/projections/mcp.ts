import type { JsonSchema, ObjectSchema } from "../json-schema.ts";
import type { AnyTool } from "../tool.ts";
import { inputSchemaOf, isObjectSchema, outputSchemaOf } from "./schema.ts";

/** A tool as `tools/list` shows it. */
export interface McpTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations: McpAnnotations;
}

interface McpAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: false;
}

/**
 * The MCP entry of a tool. An answer that may be something else than an object has no published shape: structured
 * content must be an object (MC11).
 */
export function toMcp(tool: AnyTool): McpTool {
  const output = outputSchemaOf(tool.output);
  return {
    name: tool.name,
    title: tool.title,
    description: descriptionOf(tool),
    inputSchema: inputSchemaOf(tool.input),
    ...(isObjectSchema(output) ? { outputSchema: output } : {}),
    annotations: annotationsOf(tool),
  };
}

export const descriptionOf = (tool: AnyTool): string => [tool.summary, tool.guidance].filter(Boolean).join(" ");

/**
 * All four, always: what a client assumes of a tool that says nothing is the worst. Only what cannot be undone is
 * called destructive; clients ask a person before each such call, and a heartbeat must not.
 */
function annotationsOf(tool: AnyTool): McpAnnotations {
  const isRead = tool.effect === "read";
  return {
    readOnlyHint: isRead,
    destructiveHint: tool.effect === "destroy",
    idempotentHint: isRead || tool.isRepeatable === true,
    openWorldHint: false,
  };
}
