import type { z } from "zod";
import type { JsonSchema } from "./json-schema.ts";
import { nearestWord } from "./nearest-word.ts";
import { nodeAt } from "./published-violation.ts";
import { Refusal } from "./refusal.ts";
import { publishedOf, type Violation, violationsOf } from "./violations.ts";

/**
 * The refusal of arguments that a schema does not let through: a sentence for each violation in the message, for people
 * and models, and the same in Ajv's shape in `details`, for programs (CT42, CT44).
 */
export function unfitArguments(error: z.ZodError, given: unknown, schema: z.ZodObject): Refusal {
  const details = violationsOf(error, given, schema);
  return new Refusal("INVALID_REQUEST", sayViolations(details, publishedOf(schema)), undefined, { details });
}

const mostSentences = 5;

function sayViolations(violations: readonly Violation[], schema: JsonSchema): string {
  const inner = violations.filter(({ keyword }) => keyword !== "anyOf");
  const said = [...new Set((inner.length > 0 ? inner : violations).map((one) => sayViolation(one, schema)))];
  const more = said.length - mostSentences;
  return [...said.slice(0, mostSentences), ...(more > 0 ? [`${more} more in details.`] : [])].join(" ");
}

function sayViolation({ instancePath, schemaPath, keyword, params, message }: Violation, schema: JsonSchema): string {
  const field = nameOf(instancePath);
  const node = nodeAt(schema, schemaPath);
  const limit = Number(params["limit"]);
  switch (keyword) {
    case "additionalProperties":
      return sayUnknown(String(params["additionalProperty"]), instancePath, node);
    case "required":
      return sayMissing(String(params["missingProperty"]), instancePath, node);
    case "enum":
      return `${field} must be one of ${list((params["allowedValues"] as unknown[]).map(String))}.`;
    case "const":
      return `${field} must be ${String(params["allowedValue"])}.`;
    case "type":
      return `${field} must be ${typeWords[String(params["type"])] ?? String(params["type"])}.`;
    case "minLength":
      return limit === 1 ? `${field} must not be empty.` : `${field} must have at least ${count(limit, "character")}.`;
    case "maxLength":
      return `${field} must have at most ${count(limit, "character")}.`;
    case "minItems":
      return limit === 1 ? `${field} must not be empty.` : `${field} must have at least ${count(limit, "entry")}.`;
    case "maxItems":
      return `${field} must have at most ${count(limit, "entry")}.`;
    case "minimum":
      return `${field} must be at least ${limit}.`;
    case "maximum":
      return `${field} must be at most ${limit}.`;
    case "pattern":
      return `${field} has the wrong format.`;
    case "format":
      return `${field} must be a valid ${String(params["format"])}.`;
    case "anyOf":
      return `${field} has none of the accepted forms.`;
    default:
      return `${field}: ${message}`;
  }
}

const typeWords: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};

/** Fewer fields than this are listed where none of them is near. */
const mostListed = 12;

function sayUnknown(key: string, instancePath: string, node: JsonSchema | undefined): string {
  const known = Object.keys(node?.properties ?? {});
  const nearest = nearestWord(key, known);
  const unknown = `Unknown field ${nameOf(instancePath, key)}.`;
  if (nearest !== undefined) return `${unknown} Did you mean ${nameOf(instancePath, nearest)}?`;
  return known.length === 0 || known.length > mostListed ? unknown : `${unknown} Valid fields: ${list(known)}.`;
}

function sayMissing(key: string, instancePath: string, node: JsonSchema | undefined): string {
  const values = node?.properties?.[key]?.enum;
  return `${nameOf(instancePath, key)} is required${values === undefined ? "" : `: one of ${list(values.map(String))}`}.`;
}

/** As a program would write it, in code marks: `scope_verdict[0].reason`. Keys are the caller's own text, so cut and cleaned. */
function nameOf(instancePath: string, key?: string): string {
  const steps = instancePath
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const path = [...steps, ...(key === undefined ? [] : [key])].reduce(
    (said, step) => (/^\d+$/.test(step) ? `${said}[${step}]` : said === "" ? step : `${said}.${step}`),
    "",
  );
  return path === "" ? "The call's arguments" : `\`${clean(path)}\``;
}

const longestName = 80;

const clean = (text: string): string => {
  const plain = text.replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]|`/gu, "?");
  return plain.length > longestName ? `${plain.slice(0, longestName)}…` : plain;
};

const list = (words: readonly string[]): string => words.join(", ");

const count = (number: number, noun: "character" | "entry"): string =>
  `${number} ${number === 1 ? noun : noun === "entry" ? "entries" : "characters"}`;
