import type { z } from "zod";
import type { JsonSchema } from "./json-schema.ts";
import { inputSchemaOf } from "./projections/schema.ts";
import { asPublished } from "./published-violation.ts";

/** One violation of a schema, in Ajv's shape (CT42): programs written against JSON Schema validators can read it. */
export interface Violation {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Record<string, unknown>;
  readonly message: string;
}

type Issue = z.core.$ZodIssue;

/** Where in the value, and where in its schema, something is looked at. */
interface Place {
  readonly path: readonly PropertyKey[];
  readonly schema: string;
}

/**
 * Every violation with its path. `input` is what was checked: it tells a missing value from one of a wrong type.
 * `schema` is what it was checked against.
 */
export function violationsOf(error: z.ZodError, input: unknown, schema: z.ZodObject): Violation[] {
  const published = publishedOf(schema);
  return error.issues
    .flatMap((issue) => violationsOfIssue(issue, input, { path: [], schema: "#" }))
    .map((found) => asPublished(found, published));
}

/** A caller that is refused again and again must not make us derive the schema again and again. */
const known = new WeakMap<z.ZodObject, JsonSchema>();

export function publishedOf(schema: z.ZodObject): JsonSchema {
  const published = known.get(schema) ?? inputSchemaOf(schema);
  known.set(schema, published);
  return published;
}

function violationsOfIssue(issue: Issue, input: unknown, from: Place): Violation[] {
  const place = issue.path.reduce(stepInto, from);
  const value = valueAt(input, place.path);
  if (isMissing(issue, value)) return [missing(from, issue.path)];
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) =>
        violation(place, "additionalProperties", { additionalProperty: key }, "must NOT have additional properties"),
      );
    case "invalid_type":
      return [wrongType(place, typeNames[issue.expected] ?? issue.expected)];
    case "invalid_value":
      return wrongValue(place, issue.values, value);
    case "too_small":
      return [outOfBounds(place, issue.origin, "min", Number(issue.minimum), issue.inclusive ?? true)];
    case "too_big":
      return [outOfBounds(place, issue.origin, "max", Number(issue.maximum), issue.inclusive ?? true)];
    case "invalid_format":
      return [wrongFormat(place, issue)];
    case "not_multiple_of":
      return [violation(place, "multipleOf", { multipleOf: issue.divisor }, `must be multiple of ${issue.divisor}`)];
    case "invalid_union":
      return [
        ...issue.errors.flatMap((issues, branch) =>
          issues.flatMap((inner) => violationsOfIssue(inner, input, branchOf(place, branch))),
        ),
        violation(place, "anyOf", {}, "must match a schema in anyOf"),
      ];
    default:
      return [violation(place, issue.code, {}, issue.message)];
  }
}

const violation = (place: Place, keyword: string, params: Record<string, unknown>, message: string): Violation => ({
  instancePath: place.path.map((step) => pointerStep(String(step))).join(""),
  schemaPath: `${place.schema}/${keyword}`,
  keyword,
  params,
  message,
});

const stepInto = ({ path, schema }: Place, step: PropertyKey): Place => ({
  path: [...path, step],
  schema: typeof step === "number" ? `${schema}/items` : `${schema}/properties${pointerStep(String(step))}`,
});

const branchOf = ({ path, schema }: Place, branch: number): Place => ({ path, schema: `${schema}/anyOf/${branch}` });

const pointerStep = (step: string): string => `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`;

const isMissing = (issue: Issue, value: unknown): boolean =>
  issue.path.length > 0 &&
  value === undefined &&
  ["invalid_type", "invalid_value", "invalid_union"].includes(issue.code);

/** JSON Schema blames the object for a key it lacks, not the key. */
function missing(from: Place, path: readonly PropertyKey[]): Violation {
  const key = String(path.at(-1));
  const owner = path.slice(0, -1).reduce(stepInto, from);
  return violation(owner, "required", { missingProperty: key }, `must have required property '${key}'`);
}

/** Where zod's name for a type is not JSON Schema's. */
const typeNames: Readonly<Record<string, string>> = { int: "integer", record: "object", tuple: "array" };

const wrongType = (place: Place, type: string): Violation => violation(place, "type", { type }, `must be ${type}`);

/** A value of another type than all that are allowed breaks two rules of its schema. */
function wrongValue(place: Place, allowed: readonly unknown[], value: unknown): Violation[] {
  const types = [...new Set(allowed.map((one) => (one === null ? "null" : typeof one)))];
  const isTypeRight = types.includes(value === null ? "null" : typeof value);
  return [
    ...(isTypeRight ? [] : [wrongType(place, types.join(","))]),
    allowed.length === 1
      ? violation(place, "const", { allowedValue: allowed[0] }, "must be equal to constant")
      : violation(place, "enum", { allowedValues: allowed }, "must be equal to one of the allowed values"),
  ];
}

function outOfBounds(
  place: Place,
  origin: string,
  side: "min" | "max",
  limit: number,
  isInclusive: boolean,
): Violation {
  const amount = side === "min" ? "fewer" : "more";
  if (origin === "string") {
    return violation(place, `${side}Length`, { limit }, `must NOT have ${amount} than ${limit} characters`);
  }
  if (origin === "array" || origin === "set") {
    return violation(place, `${side}Items`, { limit }, `must NOT have ${amount} than ${limit} items`);
  }
  const comparison = `${side === "min" ? ">" : "<"}${isInclusive ? "=" : ""}`;
  const keyword = isInclusive ? `${side}imum` : `exclusive${side === "min" ? "Min" : "Max"}imum`;
  return violation(place, keyword, { comparison, limit }, `must be ${comparison} ${limit}`);
}

/** Checks that are published as a pattern; zod names them like formats. */
const patternFormats = ["regex", "starts_with", "ends_with", "includes"];

function wrongFormat(
  place: Place,
  issue: { format: string; pattern?: string | undefined; message: string },
): Violation {
  if (!patternFormats.includes(issue.format)) {
    return violation(place, "format", { format: issue.format }, `must match format "${issue.format}"`);
  }
  const pattern = issue.pattern?.replace(/^\/(.*)\/\w*$/s, "$1");
  return pattern === undefined
    ? violation(place, "pattern", {}, issue.message)
    : violation(place, "pattern", { pattern }, `must match pattern "${pattern}"`);
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const step of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return value;
}
