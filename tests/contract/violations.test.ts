import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { inputSchemaOf } from "../../src/contract/projections/schema.ts";
import { type Violation, violationsOf } from "../../src/contract/violations.ts";

const shape = z.strictObject({
  name: z.string().min(2).max(4),
  count: z.number().int().min(1).max(9).optional(),
  share: z.number().gt(0).lt(1).multipleOf(0.25).optional(),
  flag: z.boolean().optional(),
  status: z.enum(["online", "busy"]).optional(),
  always: z.literal("yes").optional(),
  code: z
    .string()
    .regex(/^[a-z]+$/)
    .optional(),
  mail: z.email().optional(),
  words: z.array(z.string().min(2)).min(1).max(2).optional(),
  kinds: z.array(z.enum(["a", "b"])).optional(),
  inner: z.strictObject({ id: z.string(), deep: z.strictObject({ "a/b~c": z.number() }).optional() }).optional(),
  people: z.array(z.strictObject({ id: z.string(), age: z.number().optional() })).optional(),
  free: z.record(z.string(), z.unknown()).optional(),
  labels: z.record(z.string(), z.string()).optional(),
  body: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  choice: z
    .union([z.strictObject({ id: z.string() }), z.strictObject({ path: z.string(), line: z.number() })])
    .optional(),
  many: z.union([z.string(), z.array(z.string())]).optional(),
});

const ajv = new Ajv2020({ allErrors: true, strict: false, formats: { email: /^\S+@\S+$/ } });
const check = ajv.compile(inputSchemaOf(shape));

const ours = (input: unknown): Violation[] => {
  const { error } = shape.safeParse(input);
  return error ? violationsOf(error, input, shape) : [];
};

function theirs(input: unknown): Violation[] {
  check(input);
  return (check.errors ?? []).map(({ instancePath, schemaPath, keyword, params, message }) => ({
    instancePath,
    schemaPath,
    keyword,
    params,
    message: message ?? "",
  }));
}

const sorted = (violations: readonly Violation[]): Violation[] =>
  [...violations].sort((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)));

const cases: Record<string, Record<string, unknown>> = {
  "a missing key": {},
  "a missing key beside an unknown one": { surprise: 1 },
  "several unknown keys": { name: "ada", one: 1, two: 2 },
  "a text of a wrong type": { name: 5 },
  "a null where text is wanted": { name: null },
  "a truth of a wrong type": { name: "ada", flag: "yes" },
  "an object of a wrong type": { name: "ada", inner: "x" },
  "a list of a wrong type": { name: "ada", words: "x" },
  "a record of a wrong type": { name: "ada", free: 3 },
  "a text where a whole number is wanted": { name: "ada", count: "3" },
  "a null where a whole number is wanted": { name: "ada", count: null },
  "a record's value of a wrong type": { name: "ada", labels: { "a/b": 5, properties: "x", c: null } },
  "a number with a fraction": { name: "ada", count: 1.5 },
  "a word that is not allowed": { name: "ada", status: "away" },
  "a number where a word is wanted": { name: "ada", status: 3 },
  "another word than the only one": { name: "ada", always: "no" },
  "a number where the only word is wanted": { name: "ada", always: 1 },
  "a text that is too short": { name: "a" },
  "a text that is too long": { name: "adele" },
  "a number that is too small": { name: "ada", count: 0 },
  "a number that is too large": { name: "ada", count: 10 },
  "a number on an excluded lower bound": { name: "ada", share: 0 },
  "a number on an excluded upper bound": { name: "ada", share: 1 },
  "a number between the steps": { name: "ada", share: 0.3 },
  "a text that breaks its pattern": { name: "ada", code: "A1" },
  "a text that breaks its format": { name: "ada", mail: "nobody" },
  "a list that is too short": { name: "ada", words: [] },
  "a list that is too long": { name: "ada", words: ["aa", "bb", "cc"] },
  "an item of a wrong type": { name: "ada", words: ["aa", 5] },
  "an item that is too short": { name: "ada", words: ["a"] },
  "items that are not allowed": { name: "ada", kinds: ["a", "x", "y"] },
  "a missing key inside": { name: "ada", inner: {} },
  "an unknown key inside": { name: "ada", inner: { id: "x", surprise: 1 } },
  "a wrong type deep inside, under a name with marks": { name: "ada", inner: { id: "x", deep: { "a/b~c": "x" } } },
  "a missing key inside a list": { name: "ada", people: [{ id: "x" }, {}] },
  "a wrong type inside a list": { name: "ada", people: [{ id: "x", age: "old" }] },
  "a value that fits no shape": { name: "ada", body: 5 },
  "a value that fits no list either": { name: "ada", many: 5 },
  "an object that lacks a key of every shape": { name: "ada", choice: { line: "x" } },
  "everything at once": { name: 1, count: "x", status: "away", words: [1], inner: { deep: {} }, surprise: true },
};

describe("like Ajv", () => {
  test.each(Object.keys(cases))("[CT42] %s gives the same paths and keywords", (title) => {
    const input = cases[title];
    const places = (violations: readonly Violation[]) =>
      sorted(violations).map(({ instancePath, schemaPath, keyword }) => ({ instancePath, schemaPath, keyword }));
    expect(places(ours(input))).toEqual(places(theirs(input)));
    expect(ours(input)).not.toEqual([]);
  });

  test.each(
    Object.keys(cases).filter((title) => title !== "everything at once"),
  )("[CT42] %s gives the same entries", (title) => {
    expect(sorted(ours(cases[title]))).toEqual(sorted(theirs(cases[title])));
  });
});

test.each([
  ["a text", "x"],
  ["a list", []],
  ["null", null],
])("[CT42] %s instead of an object is a violation of the root", (_title, input) => {
  expect(ours(input)).toEqual([
    { instancePath: "", schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" },
  ]);
});

test("[CT42] an argument that is there but empty of meaning is told from one that is missing", () => {
  expect(ours({ name: undefined }).map(({ keyword }) => keyword)).toEqual(["required"]);
  expect(ours({ name: null }).map(({ keyword }) => keyword)).toEqual(["type"]);
});

test("[CT42] what only the definition can check is reported at its place", () => {
  const schema = z.strictObject({ from: z.number(), to: z.number() }).check((context) => {
    if (context.value.from > context.value.to) {
      context.issues.push({ code: "custom", path: ["to"], input: context.value, message: "must not be before from" });
    }
  });
  const input = { from: 2, to: 1 };
  const { error } = schema.safeParse(input);
  expect(error && violationsOf(error, input, schema)).toEqual([
    {
      instancePath: "/to",
      schemaPath: "#/properties/to/custom",
      keyword: "custom",
      params: {},
      message: "must not be before from",
    },
  ]);
});

test.each([
  {
    when: "a text or null is a number",
    schema: z.strictObject({ key: z.string().nullable() }),
    input: { key: 5 },
    expected: [["/key", "type", { type: "string" }]],
  },
  {
    when: "a text that has a second shape is too short",
    schema: z.strictObject({ key: z.union([z.string().min(1), z.record(z.string(), z.unknown())]) }),
    input: { key: "" },
    expected: [["/key", "minLength", { limit: 1 }]],
  },
])("[CT43] only the closest shape is reported when $when", ({ schema, input, expected }) => {
  const { error } = schema.safeParse(input);
  const found = error ? violationsOf(error, input, schema) : [];
  expect(found.map(({ instancePath, keyword, params }) => [instancePath, keyword, params])).toEqual(expected);
});
