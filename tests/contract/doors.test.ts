import { expect, test } from "vitest";
import { z } from "zod";
import { doorOf } from "../../src/contract/door.ts";
import { toDefinition } from "../../src/contract/projections/definition.ts";
import { inputSchemaOf } from "../../src/contract/projections/schema.ts";
import { Refusal } from "../../src/contract/refusal.ts";
import type { AnyTool } from "../../src/contract/tool.ts";
import type { Violation } from "../../src/contract/violations.ts";
import { defineTool } from "../../src/tools/define.ts";

const id = z.string().min(1).describe("The note.");

const operation = (name: string, input: z.ZodObject, rest: Partial<AnyTool> = {}): AnyTool =>
  defineTool({
    name,
    family: "team",
    title: name,
    summary: `${name}.`,
    effect: "read",
    callers: ["agent"],
    input,
    output: z.unknown(),
    refusals: [],
    examples: [],
    handle: async (given) => ({ operation: name, given }),
    ...rest,
  });

const write = operation(
  "write",
  z.object({
    text: z.string().min(2).describe("The words."),
    pinned: z.boolean().default(true).describe("Kept on top."),
  }),
  {
    effect: "create",
    refusals: ["TOO_LARGE", "FORBIDDEN"],
    examples: [{ title: "a line", input: { text: "hello" } }],
  },
);
const erase = operation("erase", z.object({ id, pinned: z.boolean().optional().describe("Kept on top.") }), {
  effect: "destroy",
  refusals: ["NOT_FOUND", "FORBIDDEN"],
  examples: [{ title: "the last one", input: { id: "n1" } }],
});
const show = operation("show", z.object({ id }));

const doorWith = (operations: Record<string, AnyTool>): AnyTool =>
  doorOf({ name: "covibe_pad", family: "team", title: "Pad", summary: "Keep notes.", output: z.unknown(), operations });

const door = doorWith({ write, erase, show });

const call = (args: Record<string, unknown>): Promise<unknown> => {
  const parsed = door.input.safeParse(args);
  if (!parsed.success) throw new Error("the door itself refused");
  return door.handle(parsed.data, undefined, undefined);
};

test("[CT7] a door is one flat object whose only required key is the operation", () => {
  expect(inputSchemaOf(door.input)).toEqual({
    type: "object",
    properties: {
      operation: { type: "string", enum: ["write", "erase", "show"], description: "What to do." },
      text: { type: "string", minLength: 2, description: "The words." },
      pinned: { type: "boolean", description: "Kept on top." },
      id: { type: "string", minLength: 1, description: "The note." },
    },
    required: ["operation"],
    additionalProperties: false,
  });
});

test("[CT7] a door has the strongest effect, every refusal and every example of its operations", () => {
  expect(door.effect).toBe("destroy");
  expect(door.refusals).toEqual(["TOO_LARGE", "FORBIDDEN", "NOT_FOUND"]);
  expect(door.examples).toEqual([
    { title: "write: a line", input: { operation: "write", text: "hello" } },
    { title: "erase: the last one", input: { operation: "erase", id: "n1" } },
  ]);
  for (const example of door.examples) expect(door.input.safeParse(example.input).success).toBe(true);
});

test("[CT8] an operation gets its own defaults and never another's", async () => {
  expect(await call({ operation: "write", text: "hello" })).toEqual({
    operation: "write",
    given: { text: "hello", pinned: true },
  });
  expect(await call({ operation: "erase", id: "n1" })).toEqual({ operation: "erase", given: { id: "n1" } });
  expect(await call({ operation: "show", id: "n1" })).toEqual({ operation: "show", given: { id: "n1" } });
});

test.each([
  { when: "a key of its own is missing", args: { operation: "write" }, expected: [["", "required"]] },
  {
    when: "a key belongs to another operation",
    args: { operation: "show", id: "n1", text: "hello" },
    expected: [["", "additionalProperties"]],
  },
])("[CT8] an operation refuses when $when", async ({ args, expected }) => {
  const refusal = await call(args).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(refusal).toBeInstanceOf(Refusal);
  const { code, details } = refusal as Refusal;
  expect(code).toBe("INVALID_REQUEST");
  expect((details["details"] as Violation[]).map(({ instancePath, keyword }) => [instancePath, keyword])).toEqual(
    expected,
  );
});

test("[CT8] what one operation checks of a key in code holds for no other", async () => {
  const words = z.string().min(1).describe("The words.");
  const line = operation("line", z.object({ text: words.refine((text) => text.length <= 3, "at most 3") }));
  const page = operation("page", z.object({ text: words }));
  const pad = doorWith({ line, page });
  const said = (name: string) => pad.handle(pad.input.parse({ operation: name, text: "longer" }), undefined, undefined);
  expect(await said("page")).toEqual({ operation: "page", given: { text: "longer" } });
  await expect(said("line")).rejects.toMatchObject({
    code: "INVALID_REQUEST",
    details: { details: [{ instancePath: "/text", message: "at most 3" }] },
  });
});

test("[CT8] the door itself refuses an operation it does not have and a key that none of them has", () => {
  expect(door.input.safeParse({ operation: "burn" }).success).toBe(false);
  expect(door.input.safeParse({ operation: "show", id: "n1", colour: "red" }).success).toBe(false);
});

test.each([
  { when: "it is described in other words", schema: z.string().min(1).describe("The reader.") },
  { when: "it has another type", schema: z.number().describe("The note.") },
  { when: "it has other bounds", schema: z.string().min(5).describe("The note.") },
])("[CT9] a door is not published when a key means two things: $when", ({ schema }) => {
  const ambiguous = doorWith({ show, hide: operation("hide", z.object({ id: schema })) });
  expect(() => toDefinition(ambiguous)).toThrow("covibe_pad: the key id means something else in hide");
});

test("[CT9] a door is not published when an operation takes the door's own key", () => {
  const greedy = operation("greedy", z.object({ operation: z.string().describe("Mine.") }));
  expect(() => toDefinition(doorWith({ greedy }))).toThrow("covibe_pad: greedy takes a key that the door itself needs");
});

test("[CT9] a key keeps its words whether it was described before or after it became optional", () => {
  const open = operation("open", z.object({ id: z.string().min(1).describe("The note.").optional() }));
  expect(inputSchemaOf(doorWith({ show, open }).input).properties).toMatchObject({ id: { description: "The note." } });
});
