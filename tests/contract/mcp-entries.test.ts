import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { JsonSchema } from "../../src/contract/json-schema.ts";
import { toMcp } from "../../src/contract/projections/mcp.ts";
import { inputSchemaOf, outputSchemaOf } from "../../src/contract/projections/schema.ts";
import type { AnyTool, Effect } from "../../src/contract/tool.ts";
import { everyTool, parts, toolNamed } from "./parts.ts";

const ajv = new Ajv2020({ allErrors: true, strict: false, formats: { email: /^[^@]+@[^@]+\.[^@]+$/ } });
addFormats.default(ajv, ["date-time"]);

const allowedKeywords = new Set([
  ...["type", "description", "default", "const", "enum", "format", "pattern", "items", "properties", "required"],
  ...["minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  ...["minItems", "maxItems", "additionalProperties", "anyOf"],
]);

/** A schema and every schema within it, with their places. */
function* walk(schema: JsonSchema, at: string): Generator<[string, JsonSchema]> {
  yield [at, schema];
  for (const [key, child] of Object.entries(schema.properties ?? {})) yield* walk(child, `${at}.${key}`);
  for (const [place, branch] of (schema.anyOf ?? []).entries()) yield* walk(branch, `${at}|${place}`);
  if (schema.items) yield* walk(schema.items, `${at}[]`);
  if (typeof schema.additionalProperties === "object") yield* walk(schema.additionalProperties, `${at}.*`);
}

describe.each([...parts.tools, ...parts.helpers].map((tool) => ({ name: tool.name, tool })))("$name", ({ tool }) => {
  const entry = toMcp(tool);
  const schemas = [...walk(entry.inputSchema, "input"), ...walk(entry.outputSchema ?? { type: "object" }, "output")];

  test("[CT10] has a closed plain object at the root of its input", () => {
    expect(entry.inputSchema.type).toBe("object");
    expect(entry.inputSchema.additionalProperties).toBe(false);
    expect(entry.inputSchema.anyOf).toBeUndefined();
  });

  test("[CT10] uses only what every client reads, and types every place", () => {
    const strange = schemas.flatMap(([at, schema]) =>
      Object.keys(schema)
        .filter((keyword) => !allowedKeywords.has(keyword))
        .map((keyword) => `${at} ${keyword}`),
    );
    expect(strange).toEqual([]);
    expect(schemas.filter(([, schema]) => typeof schema.type !== "string" && !schema.anyOf).map(([at]) => at)).toEqual(
      [],
    );
    expect(JSON.stringify(entry)).not.toContain(String(Number.MAX_SAFE_INTEGER));
  });

  test("[CT12] publishes an output schema that is an object and open", () => {
    if (entry.outputSchema === undefined) return;
    expect(entry.outputSchema.type).toBe("object");
    expect(schemas.filter(([at, schema]) => at.startsWith("output") && schema.additionalProperties === false)).toEqual(
      [],
    );
  });
});

describe.each(everyTool.map((tool) => ({ name: tool.name, tool })))("$name", ({ tool }) => {
  test("[CT11] publishes a schema that judges arguments as its definition does", () => {
    const accepts = ajv.compile(inputSchemaOf(tool.input));
    fc.assert(
      fc.property(argumentsFor(tool), (args) => {
        expect(accepts(args)).toBe(tool.input.safeParse(args).success);
      }),
    );
  });
});

/** Sizes around the usual bounds; no white space, which some definitions trim before they measure. */
const texts = ["", "a", "x".repeat(41), "x".repeat(101), "x".repeat(201), "x".repeat(501), "x".repeat(4_097)];
const values: unknown[] = [...texts, -1, 0, 1, 1.5, 21, 501, 1e10, true, null, [], ["a"], [1], {}, { role: "worker" }];

/** Calls that are right in part: real words of the schema, values of every type, sometimes a key nobody knows. */
function argumentsFor(tool: AnyTool): fc.Arbitrary<Record<string, unknown>> {
  const { properties } = inputSchemaOf(tool.input);
  const words = [...walk(inputSchemaOf(tool.input), "")].flatMap(([, schema]) => schema.enum ?? []);
  const value = fc.oneof(
    fc.constantFrom(...values),
    fc.constantFrom(...[...words, "a"]),
    fc.constantFrom(...words, "a").map((word) => [word]),
  );
  const known = Object.fromEntries(Object.keys(properties).map((key) => [key, value]));
  const example = fc.constantFrom(...tool.examples.map((one) => one.input));
  return fc
    .tuple(example, fc.record(known, { requiredKeys: [] }), fc.constantFrom({}, {}, {}, { surprise: 1 }))
    .map(([given, changed, extra]) => ({ ...given, ...changed, ...extra }));
}

test("[CT12] an answer that may be null has no output schema, and a reader of an old schema accepts a new key", () => {
  expect(toMcp(toolNamed("repository_get"))).not.toHaveProperty("outputSchema");
  const accepts = ajv.compile(outputSchemaOf(z.object({ id: z.string(), inner: z.strictObject({ a: z.string() }) })));
  expect(accepts({ id: "x", inner: { a: "y", later: 1 }, later: 1 })).toBe(true);
});

test.each<{ effect: Effect; isRepeatable?: boolean; hints: string }>([
  { effect: "read", hints: "read-only idempotent" },
  { effect: "create", hints: "" },
  { effect: "create", isRepeatable: true, hints: "idempotent" },
  { effect: "change", hints: "" },
  { effect: "change", isRepeatable: true, hints: "idempotent" },
  { effect: "destroy", hints: "destructive" },
  { effect: "destroy", isRepeatable: true, hints: "destructive idempotent" },
])("[CT13] $effect (repeatable: $isRepeatable) is hinted as: $hints", ({ effect, isRepeatable, hints }) => {
  const tool: AnyTool = { ...toolNamed("agent_get"), effect, isRepeatable: isRepeatable ?? false };
  expect(toMcp(tool).annotations).toEqual({
    readOnlyHint: hints.includes("read-only"),
    destructiveHint: hints.includes("destructive"),
    idempotentHint: hints.includes("idempotent"),
    openWorldHint: false,
  });
});

test.each([
  { when: "an integer has no bounds of its own", schema: z.number().int(), expected: { type: "integer" } },
  { when: "a bound is meant", schema: z.number().int().max(5), expected: { type: "integer", maximum: 5 } },
  {
    when: "a record is free",
    schema: z.record(z.string(), z.unknown()),
    expected: { type: "object", additionalProperties: true },
  },
  {
    when: "a record has typed values",
    schema: z.record(z.string(), z.number()),
    expected: { type: "object", additionalProperties: { type: "number" } },
  },
  {
    when: "a text may be null",
    schema: z.string().min(1).nullable().describe("A name."),
    expected: { description: "A name.", anyOf: [{ type: "string", minLength: 1 }, { type: "null" }] },
  },
  {
    when: "a plain text may be null",
    schema: z.string().nullable().describe("A name."),
    expected: { description: "A name.", anyOf: [{ type: "string" }, { type: "null" }] },
  },
  { when: "there is one word", schema: z.enum(["only"]), expected: { type: "string", const: "only" } },
  { when: "a format says it all", schema: z.email(), expected: { type: "string", format: "email" } },
  {
    when: "only a pattern says it",
    schema: z.string().startsWith("ab"),
    expected: { type: "string", pattern: "^ab.*" },
  },
])("[CT10] a schema is compact when $when", ({ schema, expected }) => {
  expect(inputSchemaOf(z.strictObject({ key: schema })).properties["key"]).toEqual(expected);
});
