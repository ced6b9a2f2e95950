import type { JsonSchema } from "../../contract/json-schema.ts";

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly kind: "line" | "long" | "number" | "choice" | "yes-no" | "list" | "json";
  readonly choices: readonly string[];
  readonly isRequired: boolean;
  readonly fallback: string | undefined;
}

/** A text that may be longer than this gets a box of several lines. */
const longText = 500;

/** The fields of a tool's input, what is required first, each in the order of its schema. */
export function fieldsOf(schema: JsonSchema): Field[] {
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {}).map(([name, one]) => fieldOf(name, one, required.has(name)));
  return [...fields.filter((field) => field.isRequired), ...fields.filter((field) => !field.isRequired)];
}

function fieldOf(name: string, schema: JsonSchema, isRequired: boolean): Field {
  const { description = "", default: fallback } = schema;
  const isSimple = fallback !== undefined && typeof fallback !== "object";
  return {
    name,
    label: labelOf(name),
    description,
    ...kindOf(name, schema),
    isRequired,
    fallback: isSimple ? String(fallback) : undefined,
  };
}

function kindOf(name: string, schema: JsonSchema): Pick<Field, "kind" | "choices"> {
  const { type, enum: choices, maxLength = 0, items } = schema;
  if (choices) return { kind: "choice", choices: choices.map(String) };
  if (type === "boolean") return { kind: "yes-no", choices: ["true", "false"] };
  if (type === "integer" || type === "number") return { kind: "number", choices: [] };
  if (type === "array" && items?.type === "string") return { kind: "list", choices: [] };
  if (type === "string") return { kind: maxLength > longText && !isOneLine(name) ? "long" : "line", choices: [] };
  // A message's body is text or an object; people write text.
  if (name === "body") return { kind: "long", choices: [] };
  return { kind: "json", choices: [] };
}

/** A path may be long and is one line all the same. */
const isOneLine = (name: string): boolean => /(^|_)(path|url)$/.test(name);

const labelOf = (name: string): string => {
  const words = name.replaceAll("_", " ").replace(/\bid\b/, "ID");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** What was typed as the arguments the tool takes; the server checks everything else. */
export function readForm(
  fields: readonly Field[],
  values: Readonly<Record<string, string>>,
): { args: Record<string, unknown> } | { problem: string } {
  const args: Record<string, unknown> = {};
  for (const field of fields) {
    const text = values[field.name] ?? "";
    if (text.trim() === "") continue;
    const value = readValue(field, text);
    if (value === undefined) return { problem: `${field.label} is not valid JSON.` };
    args[field.name] = value;
  }
  return { args };
}

function readValue({ kind }: Field, text: string): unknown {
  switch (kind) {
    case "number":
      return Number(text);
    case "yes-no":
      return text === "true";
    case "list":
      return text
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "");
    case "json":
      try {
        return JSON.parse(text) as unknown;
      } catch {
        return undefined;
      }
    default:
      return text;
  }
}
