import type { JsonSchema } from "./json-schema.ts";
import type { Violation } from "./violations.ts";

type Node = Readonly<Record<string, unknown>>;

/**
 * A violation as a validator of the published schema would report it. The parser knows neither that a number has to be
 * a whole one before it sees a number, nor that a key was not declared but lies in a record.
 */
export function asPublished(violation: Violation, schema: JsonSchema): Violation {
  const { keyword, params } = violation;
  const steps = violation.schemaPath.split("/").slice(1, -1);
  const { path, node } = follow(schema as Node, steps);
  const isWhole = keyword === "type" && params["type"] === "number" && node?.["type"] === "integer";
  return {
    ...violation,
    schemaPath: ["#", ...path, keyword].join("/"),
    ...(isWhole ? { params: { type: "integer" }, message: "must be integer" } : {}),
  };
}

/** The part of a schema that a violation is about. */
export const nodeAt = (schema: JsonSchema, schemaPath: string): JsonSchema | undefined =>
  follow(schema as Node, schemaPath.split("/").slice(1, -1)).node as JsonSchema | undefined;

/** Walks down the schema, through a record's one rule where a key has none of its own. */
function follow(root: Node, steps: readonly string[]): { path: string[]; node: Node | undefined } {
  const path: string[] = [];
  let node: Node | undefined = root;
  for (let at = 0; at < steps.length; at += 1) {
    const step = steps[at] ?? "";
    const isRecord = step === "properties" && child(child(node, step), steps[at + 1] ?? "") === undefined;
    if (isRecord && child(node, "additionalProperties") !== undefined) {
      path.push("additionalProperties");
      node = child(node, "additionalProperties");
      at += 1;
    } else {
      path.push(step);
      node = child(node, step);
    }
  }
  return { path, node };
}

function child(node: Node | undefined, step: string): Node | undefined {
  const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
  const value = node !== undefined && Object.hasOwn(node, key) ? node[key] : undefined;
  return typeof value === "object" && value !== null ? (value as Node) : undefined;
}
