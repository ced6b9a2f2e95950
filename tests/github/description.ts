import { readFileSync } from "node:fs";
import { Ajv, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface Operation {
  readonly parameters: readonly ({ readonly $ref: string } | { readonly name: string; readonly in: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, unknown>>;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const whole = JSON.parse(readFileSync(new URL("description.generated.json", import.meta.url), "utf8")) as Description;
const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);

/** OpenAPI says of any schema that it may be null; JSON Schema has a type for that. */
function withNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNull);
  if (typeof value !== "object" || value === null) return value;
  const { nullable, ...rest } = value as Record<string, unknown>;
  const plain = Object.fromEntries(Object.entries(rest).map(([key, item]) => [key, withNull(item)]));
  return nullable === true ? { anyOf: [plain, { type: "null" }] } : plain;
}

ajv.addSchema({ $id: "github", components: withNull(whole.components) }, "github");

/** What GitHub's own description says of one request. */
export interface Described {
  /** What is wrong with the arguments of the address; none where all are known. */
  listUnknown(query: readonly string[]): string[];
  checkBody(body: unknown): string[];
  checkAnswer(status: number, body: unknown): string[];
  /** An answer with every field that must be there, and these. */
  answer(status: number, fields: object): Record<string, unknown>;
  sample(status: number): unknown;
}

const compiled = new Map<string, ValidateFunction>();

function check(key: string, schema: unknown, value: unknown): string[] {
  const validate = compiled.get(key) ?? ajv.compile(absolute(schema) as object);
  compiled.set(key, validate);
  return validate(value) ? [] : (validate.errors ?? []).map((one) => `${key} ${one.instancePath} ${one.message}`);
}

/** References lead into the one document that holds all parts. */
const absolute = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(withNull(value)).replaceAll('"#/components/', '"github#/components/'));

function resolve<T>(value: T | { readonly $ref: string }): T {
  const ref = (value as { $ref?: string }).$ref;
  const [, kind = "", name = ""] = /^#\/components\/(\w+)\/(.+)$/.exec(ref ?? "") ?? [];
  return ref === undefined ? (value as T) : (whole.components[kind]?.[name] as T);
}

export function describe(method: string, path: string): Described {
  const operation = whole.paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`the description has no ${method} ${path}`);
  const name = `${method} ${path}`;
  const schemaOf = (status: number): Schema | undefined => {
    const response = resolve(operation.responses[String(status)] ?? {}) as {
      content?: Record<string, { schema: Schema }>;
    };
    return response.content?.["application/json"]?.schema;
  };
  return {
    listUnknown: (query) => {
      const known = operation.parameters.map((one) => resolve(one as { name: string; in: string }));
      return query.filter((key) => !known.some((one) => one.in === "query" && one.name === key));
    },
    checkBody: (body) => check(`${name} body`, operation.requestBody?.content["application/json"]?.schema ?? {}, body),
    checkAnswer: (status, body) => {
      const schema = schemaOf(status);
      return schema === undefined ? [] : check(`${name} ${status}`, schema, body);
    },
    sample: (status) => sampleOf(schemaOf(status) ?? {}),
    answer: (status, fields) => ({ ...(sampleOf(schemaOf(status) ?? {}) as object), ...fields }),
  };
}

/** The smallest value that a schema allows. */
export function sampleOf(given: Schema): unknown {
  const schema = resolve<Schema>(given);
  if (schema.nullable === true) return null;
  if (schema.enum) return schema.enum[0];
  const [first] = schema.oneOf ?? schema.anyOf ?? [];
  if (first) return sampleOf(first);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => sampleOf(part)));
  if (schema.properties || schema.type === "object") {
    const fields = (schema.required ?? []).map((key) => [key, sampleOf(schema.properties?.[key] ?? {})] as const);
    return Object.fromEntries(fields);
  }
  if (schema.type === "array") return [];
  if (schema.type === "integer" || schema.type === "number") return 1;
  if (schema.type === "boolean") return false;
  if (schema.format === "date-time") return "2026-01-01T00:00:00Z";
  if (schema.format === "uri") return "https://github.example/x";
  return "x";
}

/** One entry of a list that a request answers. */
export const sampleItem = (method: string, path: string, fields: object): Record<string, unknown> => {
  const operation = whole.paths[path]?.[method.toLowerCase()];
  const response = operation?.responses["200"] as { content: Record<string, { schema: { items: Schema } }> };
  return { ...(sampleOf(response.content["application/json"]?.schema.items ?? {}) as object), ...fields };
};
