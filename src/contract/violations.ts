import type { z } from "zod";

/** One violation of a schema, in Ajv's shape (C2): programs written against JSON Schema validators can read it. */
export interface Violation {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Record<string, unknown>;
  readonly message: string;
}

type Issue = z.core.$ZodIssue;

/** Every violation with its path. `input` is what was checked: it tells a missing value from one of a wrong type. */
export function violationsOf(error: z.ZodError, input: unknown): Violation[] {
  return error.issues.flatMap((issue) => violationsOfIssue(issue as Issue, input));
}

function violationsOfIssue(issue: Issue, input: unknown): Violation[] {
  const path = issue.path.map(String);
  const at = (keyword: string, params: Record<string, unknown>, message: string, where = path): Violation => ({
    instancePath: pointer(where),
    schemaPath: `#${pointer(where.flatMap((step) => ["properties", step]))}/${keyword}`,
    keyword,
    params,
    message,
  });

  if (issue.code !== "unrecognized_keys" && path.length > 0 && valueAt(input, issue.path) === undefined) {
    const missing = path.at(-1) ?? "";
    return [
      at("required", { missingProperty: missing }, `must have required property '${missing}'`, path.slice(0, -1)),
    ];
  }
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) =>
        at("additionalProperties", { additionalProperty: key }, "must NOT have additional properties"),
      );
    case "invalid_type":
      return [at("type", { type: issue.expected }, `must be ${issue.expected}`)];
    case "invalid_value":
      return [at("enum", { allowedValues: issue.values }, "must be equal to one of the allowed values")];
    case "too_small":
      return [bound(at, issue.origin, "min", Number(issue.minimum))];
    case "too_big":
      return [bound(at, issue.origin, "max", Number(issue.maximum))];
    case "invalid_format":
      return [at("format", { format: issue.format }, issue.message)];
    case "not_multiple_of":
      return [at("multipleOf", { multipleOf: issue.divisor }, `must be multiple of ${issue.divisor}`)];
    case "invalid_union":
      return [at("anyOf", {}, "must match a schema in anyOf")];
    default:
      return [at(issue.code, {}, issue.message)];
  }
}

type At = (keyword: string, params: Record<string, unknown>, message: string) => Violation;

function bound(at: At, origin: string, side: "min" | "max", limit: number): Violation {
  const comparison = side === "min" ? ">=" : "<=";
  const [keyword, message] =
    origin === "string"
      ? [`${side}Length`, `must NOT have ${side === "min" ? "fewer" : "more"} than ${limit} characters`]
      : origin === "array" || origin === "set"
        ? [`${side}Items`, `must NOT have ${side === "min" ? "fewer" : "more"} than ${limit} items`]
        : [`${side}imum`, `must be ${comparison} ${limit}`];
  return at(keyword, { comparison, limit }, message);
}

const pointer = (path: readonly string[]): string =>
  path.map((step) => `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const step of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return value;
}
