import { z } from "zod";
import type { JsonSchema, ObjectSchema } from "../json-schema.ts";

type Side = "input" | "output";
type Node = Record<string, unknown>;

/** What a caller may send. Unknown arguments are refused, and the schema says so. */
export const inputSchemaOf = (schema: z.ZodObject): ObjectSchema => schemaOf(schema, "input") as ObjectSchema;

/** What comes back. Left open for further keys, so that a client with yesterday's schema accepts tomorrow's answer. */
export const outputSchemaOf = (schema: z.ZodType): JsonSchema => schemaOf(schema, "output");

export const isObjectSchema = (schema: JsonSchema): schema is ObjectSchema =>
  schema.type === "object" && schema.properties !== undefined;

function schemaOf(schema: z.ZodType, side: Side): JsonSchema {
  const { $schema: _dialect, ...root } = z.toJSONSchema(schema, { io: side }) as Node;
  return tidy(root, side) as JsonSchema;
}

/** Removes what is true anyway and rewrites what some clients misread. The meaning stays. */
function tidy(node: Node, side: Side): Node {
  const tidied: Node = {};
  for (const [keyword, value] of Object.entries(node)) {
    if (!isNoise(keyword, value, node, side)) tidied[keyword] = tidyChildren(keyword, value, side);
  }
  return splitTypes(namedConstant(tidied));
}

function tidyChildren(keyword: string, value: unknown, side: Side): unknown {
  if (keyword === "properties") {
    return Object.fromEntries(Object.entries(value as Node).map(([key, child]) => [key, tidy(child as Node, side)]));
  }
  if (keyword === "anyOf") return (value as Node[]).map((child) => tidy(child, side));
  if (keyword === "items") return tidy(value as Node, side);
  if (keyword === "additionalProperties" && typeof value === "object") {
    return Object.keys(value as Node).length === 0 ? true : tidy(value as Node, side);
  }
  return value;
}

/** Checks that zod names like formats but that only their pattern expresses in JSON Schema. */
const patternOnly = ["regex", "starts_with", "ends_with", "includes"];

function isNoise(keyword: string, value: unknown, node: Node, side: Side): boolean {
  switch (keyword) {
    case "minimum":
      return value === Number.MIN_SAFE_INTEGER;
    case "maximum":
      return value === Number.MAX_SAFE_INTEGER;
    case "propertyNames":
      return true;
    case "additionalProperties":
      return side === "output" && value === false;
    case "format":
      return patternOnly.includes(String(value));
    case "pattern":
      return node["format"] !== undefined && !patternOnly.includes(String(node["format"]));
    default:
      return false;
  }
}

function namedConstant(node: Node): Node {
  const { enum: values, ...rest } = node;
  return Array.isArray(values) && values.length === 1 ? { ...rest, const: values[0] } : node;
}

/** A list of types becomes branches with one type each: some clients know only single types. */
function splitTypes(node: Node): Node {
  const { type, description, default: preset, ...bounds } = node;
  if (!Array.isArray(type)) return node;
  return {
    ...(description === undefined ? {} : { description }),
    ...(preset === undefined ? {} : { default: preset }),
    anyOf: type.map((single) => (single === "null" ? { type: single } : { type: single, ...bounds })),
  };
}
