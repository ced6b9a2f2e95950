import { expect, test } from "vitest";
import type { JsonSchema } from "../../src/contract/json-schema.ts";
import { compareSchemas, type Level, levels, worst } from "../../src/contract/schema-change.ts";

/** The gravest change between two schemas, and the other way round. */
function levelOf(before: JsonSchema, after: JsonSchema, side: "input" | "output"): Level | "none" {
  return levels[worst(compareSchemas(before, after, side, "it"))] ?? "none";
}

const text: JsonSchema = { type: "string" };
const number: JsonSchema = { type: "number" };
const object = (properties: Record<string, JsonSchema>, required: string[] = []): JsonSchema => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const either = (...anyOf: JsonSchema[]): JsonSchema => ({ anyOf });

interface Case {
  rule: string;
  when: string;
  before: JsonSchema;
  after: JsonSchema;
  input: Level | "none";
  output: Level | "none";
  /** What going back asks for. */
  back: { input: Level | "none"; output: Level | "none" };
}

const same = { input: "none", output: "none", back: { input: "none", output: "none" } } as const;
const textOnly = { input: "patch", output: "patch", back: { input: "patch", output: "patch" } } as const;
const breaksBoth = { input: "major", output: "major", back: { input: "major", output: "major" } } as const;
const widens = { input: "minor", output: "major", back: { input: "major", output: "minor" } } as const;
const grows = { input: "minor", output: "minor", back: { input: "major", output: "major" } } as const;

const cases: Case[] = [
  { rule: "CT31", when: "nothing changes", before: object({ a: text }), after: object({ a: text }), ...same },
  {
    rule: "CT31",
    when: "a description changes",
    before: object({ a: { ...text, description: "One." } }),
    after: object({ a: { ...text, description: "Two." } }),
    ...textOnly,
  },
  { rule: "CT30", when: "the type changes", before: text, after: number, ...breaksBoth },
  { rule: "CT30", when: "a number may be a fraction", before: { type: "integer" }, after: number, ...widens },
  { rule: "CT31", when: "an optional key is added", before: object({}), after: object({ a: text }), ...grows },
  {
    rule: "CT30",
    when: "a required key is added",
    before: object({}),
    after: object({ a: text }, ["a"]),
    input: "major",
    output: "minor",
    back: { input: "major", output: "major" },
  },
  {
    rule: "CT30",
    when: "a key is renamed",
    before: object({ a: text }, ["a"]),
    after: object({ b: text }, ["b"]),
    ...breaksBoth,
  },
  {
    rule: "CT32",
    when: "a key becomes optional",
    before: object({ a: text }, ["a"]),
    after: object({ a: text }),
    ...widens,
  },
  {
    rule: "CT31",
    when: "a required key gets a default",
    before: object({ a: text }, ["a"]),
    after: object({ a: { ...text, default: "b" } }),
    ...widens,
  },
  {
    rule: "CT30",
    when: "a default changes",
    before: { ...text, default: "a" },
    after: { ...text, default: "b" },
    input: "major",
    output: "none",
    back: { input: "major", output: "none" },
  },
  {
    rule: "CT30",
    when: "a default is added",
    before: text,
    after: { ...text, default: "b" },
    input: "major",
    output: "none",
    back: { input: "major", output: "none" },
  },
  {
    rule: "CT31",
    when: "a value is added to a list of words",
    before: { ...text, enum: ["a"] },
    after: { ...text, enum: ["a", "b"] },
    ...grows,
  },
  {
    rule: "CT31",
    when: "the only word gets company",
    before: { ...text, const: "a" },
    after: { ...text, enum: ["a", "b"] },
    ...grows,
  },
  { rule: "CT30", when: "any text is allowed", before: { ...text, enum: ["a"] }, after: text, ...widens },
  {
    rule: "CT30",
    when: "a text may be longer",
    before: { ...text, maxLength: 5 },
    after: { ...text, maxLength: 9 },
    ...widens,
  },
  { rule: "CT30", when: "an upper bound falls", before: { ...number, maximum: 5 }, after: number, ...widens },
  {
    rule: "CT30",
    when: "a lower bound falls",
    before: { ...number, minimum: 5 },
    after: { ...number, minimum: 1 },
    ...widens,
  },
  {
    rule: "CT30",
    when: "an excluded bound falls",
    before: { ...number, exclusiveMinimum: 5 },
    after: number,
    ...widens,
  },
  { rule: "CT30", when: "a pattern falls", before: { ...text, pattern: "^a" }, after: text, ...widens },
  {
    rule: "CT30",
    when: "a pattern changes",
    before: { ...text, pattern: "^a" },
    after: { ...text, pattern: "^b" },
    ...breaksBoth,
  },
  { rule: "CT30", when: "a format falls", before: { ...text, format: "email" }, after: text, ...widens },
  {
    rule: "CT30",
    when: "a list may be empty",
    before: { type: "array", items: text, minItems: 1 },
    after: { type: "array", items: text },
    ...widens,
  },
  {
    rule: "CT30",
    when: "items change",
    before: { type: "array", items: text },
    after: { type: "array", items: number },
    ...breaksBoth,
  },
  {
    rule: "CT31",
    when: "items grow",
    before: { type: "array", items: object({}) },
    after: { type: "array", items: object({ a: text }) },
    ...grows,
  },
  { rule: "CT32", when: "it may be null", before: text, after: either(text, { type: "null" }), ...widens },
  {
    rule: "CT32",
    when: "a shape is added",
    before: either(text, number),
    after: either(text, number, object({})),
    ...widens,
  },
  {
    rule: "CT31",
    when: "shapes change their order",
    before: either(text, number),
    after: either(number, text),
    ...same,
  },
  {
    rule: "CT31",
    when: "a shape grows",
    before: either(text, object({})),
    after: either(text, object({ a: text })),
    ...grows,
  },
  {
    rule: "CT31",
    when: "what may be null is described in other words",
    before: { description: "One.", anyOf: [text, { type: "null" }] },
    after: { description: "Two.", anyOf: [text, { type: "null" }] },
    ...textOnly,
  },
  {
    rule: "CT30",
    when: "further keys are allowed",
    before: object({}),
    after: { type: "object", properties: {} },
    ...widens,
  },
  {
    rule: "CT30",
    when: "values of a record change",
    before: { type: "object", additionalProperties: text },
    after: { type: "object", additionalProperties: number },
    ...breaksBoth,
  },
  {
    rule: "CT30",
    when: "a record of anything names a key",
    before: { type: "object", additionalProperties: true },
    after: { type: "object", additionalProperties: true, properties: { a: text } },
    input: "major",
    output: "minor",
    back: { input: "major", output: "major" },
  },
];

test.each(cases)("[$rule] the level is right in both directions when $when", ({
  before,
  after,
  input,
  output,
  back,
}) => {
  expect({
    input: levelOf(before, after, "input"),
    output: levelOf(before, after, "output"),
    back: { input: levelOf(after, before, "input"), output: levelOf(after, before, "output") },
  }).toEqual({ input, output, back });
});

test.each(cases)("[$rule] it weighs the same deep inside when $when", ({ before, after, input, output }) => {
  const wrap = (schema: JsonSchema): JsonSchema => object({ list: { type: "array", items: object({ it: schema }) } });
  expect(levelOf(wrap(before), wrap(after), "input")).toBe(input);
  expect(levelOf(wrap(before), wrap(after), "output")).toBe(output);
});

test("[CT30] a change is named with its place", () => {
  const before = object({ list: { type: "array", items: object({ a: text, b: text }, ["a"]) } });
  const after = object({ list: { type: "array", items: object({ a: number, c: text }, ["a", "c"]) } });
  expect(compareSchemas(before, after, "input", "tool x input")).toEqual([
    { level: "major", what: "tool x input.list[].a is number, was string" },
    { level: "major", what: "tool x input.list[].b is gone" },
    { level: "major", what: "tool x input.list[].c is new and required" },
  ]);
});
