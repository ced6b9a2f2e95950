import type { JsonSchema, ObjectSchema } from "./json-schema.ts";
import type { McpTool } from "./projections/mcp.ts";

/** A core entry is paid for by every model on every turn: what only programs read is left out, the words stay. */
export function briefEntry(
  { name, description, inputSchema, annotations }: McpTool,
  keys?: readonly string[],
): McpTool {
  const shown = keys === undefined ? inputSchema : onlyKeys(inputSchema, keys);
  return { name, description, inputSchema: briefSchema(shown) as ObjectSchema, annotations };
}

/** Left open for the keys that are not shown: a client that checks arguments itself must let them through. */
function onlyKeys({ properties, additionalProperties: _closed, ...rest }: ObjectSchema, keys: readonly string[]) {
  const shown = Object.entries(properties).filter(([key]) => keys.includes(key));
  return { ...rest, properties: Object.fromEntries(shown) };
}

/** Bounds that a model keeps by itself; the others say something that it could not guess. */
const plainBounds = ["minLength", "maxLength", "minItems", "maxItems", "minimum", "pattern"];

/** Empty defaults and openness: true of what is not mentioned, too. */
const isTacit = (keyword: string, value: unknown): boolean =>
  keyword === "default"
    ? typeof value === "object" && value !== null && Object.keys(value).length === 0
    : keyword === "additionalProperties" && value === true;

export function briefSchema(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema).filter(
    ([keyword, value]) => !plainBounds.includes(keyword) && !isTacit(keyword, value),
  );
  const { properties, items, anyOf } = schema;
  return {
    ...(Object.fromEntries(kept) as JsonSchema),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, child]) => [key, briefSchema(child)])),
    }),
    ...(items && { items: withoutDescription(briefSchema(items)) }),
    ...(anyOf && { anyOf: anyOf.map(briefSchema) }),
  };
}

/** The list itself says what its items are. */
function withoutDescription({ description: _description, ...rest }: JsonSchema): JsonSchema {
  return rest;
}
