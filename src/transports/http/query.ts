import type { JsonSchema } from "../../contract/json-schema.ts";
import { Refusal } from "../../contract/refusal.ts";

export type Query = Record<string, string | string[] | undefined>;

/** A query as the arguments its schemas describe; lists may be repeated or separated by commas. */
export function readQuery(query: Query, filters: Readonly<Record<string, JsonSchema>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, given]) => {
      const schema = Object.hasOwn(filters, name) ? filters[name] : undefined;
      // A filter that is misspelt must not answer more than was asked for.
      if (!schema) throw new Refusal("INVALID_REQUEST", `The filters here are ${Object.keys(filters).join(", ")}.`);
      // A form sends each of its fields: where nothing was chosen, nothing is asked for.
      if (given === "" && isChoice(schema)) return [];
      return [[name, readValues([given ?? ""].flat(), schema, name)]];
    }),
  );
}

const isChoice = ({ enum: words, items }: JsonSchema): boolean => (words ?? items?.enum) !== undefined;

/** What cannot be read as its type stays text, for the schema to refuse. */
function readValues(values: readonly string[], { type }: JsonSchema, name: string): unknown {
  if (type === "array") return values.flatMap((value) => value.split(","));
  const [only = ""] = values;
  if (values.length > 1) throw new Refusal("INVALID_REQUEST", `${name} is given once.`);
  if (type === "boolean") return only === "true" || (only === "false" ? false : only);
  if (type !== "number" && type !== "integer") return only;
  return only.trim() === "" || Number.isNaN(Number(only)) ? only : Number(only);
}
