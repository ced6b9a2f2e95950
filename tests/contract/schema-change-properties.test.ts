import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonSchema } from "../../src/contract/json-schema.ts";
import { compareSchemas, levels, worst } from "../../src/contract/schema-change.ts";

const ajv = new Ajv2020({ strict: false, addUsedSchema: false });
const accepts = (schema: JsonSchema, value: unknown): boolean => ajv.validate(schema, value);

const bound = fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined });
const withoutUndefined = (schema: object): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));

const leaf: fc.Arbitrary<JsonSchema> = fc.oneof(
  fc.record({ type: fc.constant("string"), minLength: bound, maxLength: bound }).map(withoutUndefined),
  fc
    .record({ type: fc.constantFrom("number", "integer"), minimum: bound, exclusiveMaximum: bound })
    .map(withoutUndefined),
  fc.subarray(["a", "bb", "ccc"], { minLength: 1 }).map((words): JsonSchema => ({ type: "string", enum: words })),
  fc.constantFrom<JsonSchema>({ type: "boolean" }, { type: "null" }, { type: "string", const: "a" }, {}),
);

const keys = ["a", "b"] as const;

/** Schemas as they are published: inputs closed, outputs open. */
const schemaFor = (side: "input" | "output"): fc.Arbitrary<JsonSchema> =>
  fc.letrec<{ schema: JsonSchema; branch: JsonSchema }>((tie) => ({
    schema: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      leaf,
      tie("branch"),
      fc.array(tie("branch"), { minLength: 1, maxLength: 3 }).map((anyOf): JsonSchema => ({ anyOf })),
    ),
    branch: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      leaf,
      fc.record({ type: fc.constant("array"), items: tie("schema"), minItems: bound }).map(withoutUndefined),
      fc
        .record({
          properties: fc.record({ a: tie("schema"), b: tie("schema") }, { requiredKeys: [] }),
          needed: fc.subarray([...keys]),
          further: fc.constantFrom<boolean | JsonSchema>(false, false, true, { type: "string" }),
        })
        .map(
          ({ properties, needed, further }): JsonSchema => ({
            type: "object",
            properties,
            required: needed.filter((key) => key in properties),
            ...(side === "input" ? { additionalProperties: further } : {}),
          }),
        ),
    ),
  })).schema;

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<unknown>("", "a", "bb", "ccc", "dddd", 0, 1, 1.5, 2, 3, true, null),
    fc.array(tie("value"), { maxLength: 2 }),
    fc.record({ a: tie("value"), b: tie("value"), z: tie("value") }, { requiredKeys: [] }),
  ),
}));

/** A schema and one made from it by a small change, so that many pairs are close enough to be no break. */
const pairFor = (side: "input" | "output"): fc.Arbitrary<[JsonSchema, JsonSchema]> =>
  fc.tuple(schemaFor(side), schemaFor(side), fc.integer({ min: 0, max: 5 })).map(([before, other, way]) => {
    const both: JsonSchema[] = [before, other];
    const changed: JsonSchema[] = [
      other,
      { anyOf: both },
      { anyOf: [...both].reverse() },
      before.properties ? { ...before, required: [] } : other,
      before.properties ? { ...before, properties: { ...before.properties, b: other } } : other,
      { type: "object", properties: { a: before }, ...(side === "input" ? { additionalProperties: false } : {}) },
    ];
    return [before, changed[way] ?? other];
  });

const major = levels.indexOf("major");
const settings = { numRuns: 3_000 };

test("[CT33] a call that was valid stays valid unless the change is a break", () => {
  fc.assert(
    fc.property(pairFor("input"), fc.array(value, { minLength: 5, maxLength: 5 }), ([before, after], values) => {
      if (worst(compareSchemas(before, after, "input", "it")) >= major) return;
      for (const one of values) if (accepts(before, one)) expect(accepts(after, one)).toBe(true);
    }),
    settings,
  );
});

test("[CT33] a new answer fits the old schema unless the change is a break or a word was added", () => {
  fc.assert(
    fc.property(pairFor("output"), fc.array(value, { minLength: 5, maxLength: 5 }), ([before, after], values) => {
      const changes = compareSchemas(before, after, "output", "it");
      if (worst(changes) >= major || changes.some(({ what }) => what.includes("has the new value"))) return;
      for (const one of values) if (accepts(after, one)) expect(accepts(before, one)).toBe(true);
    }),
    settings,
  );
});

test("[CT33] a schema compared with itself has not changed", () => {
  fc.assert(
    fc.property(schemaFor("input"), (schema) => {
      expect(compareSchemas(schema, structuredClone(schema), "input", "it")).toEqual([]);
    }),
  );
});
