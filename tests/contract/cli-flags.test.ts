import { expect, test } from "vitest";
import { z } from "zod";
import { toCli } from "../../src/contract/projections/cli.ts";
import { toMcp } from "../../src/contract/projections/mcp.ts";
import { everyTool, toolNamed } from "./parts.ts";

const flagsOf = (input: z.ZodObject) => toCli(toMcp({ ...toolNamed("agent_get"), input })).flags;

test("[CT16] a command has a flag for every argument", () => {
  expect(toCli(toMcp(toolNamed("agent_heartbeat")))).toEqual({
    name: "agent_heartbeat",
    description: expect.stringContaining("alive"),
    flags: [
      {
        flag: "--agent-id",
        key: "agent_id",
        type: "string",
        isList: false,
        isRequired: true,
        description: "Your agent id.",
      },
      {
        flag: "--current-task-id",
        key: "current_task_id",
        type: "string",
        isList: false,
        isRequired: false,
        description: "The current task.",
      },
      {
        flag: "--status",
        key: "status",
        type: "string",
        isList: false,
        isRequired: false,
        description: "Whether it is free or busy.",
        choices: ["online", "busy"],
      },
    ],
  });
});

test.each([
  {
    of: "whole numbers",
    schema: z.number().int().default(20),
    type: "integer",
    more: { default: 20, isRequired: false },
  },
  { of: "numbers", schema: z.number(), type: "number", more: {} },
  { of: "truths", schema: z.boolean(), type: "boolean", more: {} },
  { of: "texts that may be null", schema: z.string().nullable(), type: "string", more: {} },
  { of: "the only word", schema: z.literal("yes"), type: "string", more: { choices: ["yes"] } },
  { of: "texts", schema: z.array(z.string()), type: "string", more: { isList: true } },
  { of: "words", schema: z.array(z.enum(["a", "b"])), type: "string", more: { isList: true, choices: ["a", "b"] } },
  { of: "objects", schema: z.strictObject({ a: z.string() }), type: "json", more: {} },
  { of: "lists of objects", schema: z.array(z.strictObject({ a: z.string() })), type: "json", more: {} },
  { of: "texts or objects", schema: z.union([z.string(), z.record(z.string(), z.unknown())]), type: "json", more: {} },
])("[CT16] a flag of $of is read as $type", ({ schema, type, more }) => {
  expect(flagsOf(z.strictObject({ a_key: schema.describe("Words.") }))).toEqual([
    { flag: "--a-key", key: "a_key", type, isList: false, isRequired: true, description: "Words.", ...more },
  ]);
});

test("[CT16] names in either style become words with hyphens", () => {
  const flags = flagsOf(z.strictObject({ repoPath: z.string(), dry_run: z.string(), top: z.string() }));
  expect(flags.map(({ flag }) => flag)).toEqual(["--repo-path", "--dry-run", "--top"]);
});

test.each(everyTool.map((tool) => ({ name: tool.name, tool })))("[CT16] no two flags of $name are the same", ({
  tool,
}) => {
  const flags = toCli(toMcp(tool)).flags.map(({ flag }) => flag);
  expect(new Set(flags).size).toBe(flags.length);
});
