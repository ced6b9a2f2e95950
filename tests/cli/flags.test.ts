import { expect, test } from "vitest";
import type { ObjectSchema } from "../../src/contract/json-schema.ts";
import { toCli } from "../../src/contract/projections/cli.ts";
import { readFlags } from "../../src/transports/cli/tool-flags.ts";

const inputSchema: ObjectSchema = {
  type: "object",
  properties: {
    agent_id: { type: "string" },
    repoPath: { type: "string" },
    limit: { type: "integer" },
    ratio: { type: "number" },
    dry_run: { type: "boolean" },
    labels: { type: "array", items: { type: "string" } },
    status: { type: "array", items: { type: "string", enum: ["online", "busy"] } },
    sizes: { type: "array", items: { type: "number" } },
    body: { anyOf: [{ type: "string" }, { type: "object" }] },
    plan: { type: "array", items: { type: "object" } },
  },
};
const command = toCli({ name: "sample", description: "", inputSchema, annotations: {} } as never);

test.each([
  { words: ["--agent-id", "ag_1"], args: { agent_id: "ag_1" } },
  { words: ["--agent_id=ag_1"], args: { agent_id: "ag_1" } },
  { words: ["--agent-id", "42"], args: { agent_id: "42" } },
  { words: ["--agent-id="], args: { agent_id: "" } },
  { words: ["--repo-path", "/a"], args: { repoPath: "/a" } },
  { words: ["--repoPath", "/a"], args: { repoPath: "/a" } },
  { words: ["--limit", "-5"], args: { limit: -5 } },
  { words: ["--ratio", "0.5"], args: { ratio: 0.5 } },
  { words: ["--dry-run"], args: { dry_run: true } },
  { words: ["--dry-run", "--limit", "1"], args: { dry_run: true, limit: 1 } },
  { words: ["--dry-run", "false"], args: { dry_run: false } },
  { words: ["--no-dry-run"], args: { dry_run: false } },
  { words: ["--labels", "a, b", "--labels", "c"], args: { labels: ["a, b", "c"] } },
  { words: ["--labels", '["a","b"]', "--labels", "c"], args: { labels: ["a", "b", "c"] } },
  { words: ["--status", "online,busy"], args: { status: ["online", "busy"] } },
  { words: ["--sizes", "1,2.5"], args: { sizes: [1, 2.5] } },
  { words: ["--body", "plain words"], args: { body: "plain words" } },
  { words: ["--body", "42"], args: { body: "42" } },
  { words: ["--body", '{"a":1}'], args: { body: { a: 1 } } },
  { words: ["--plan", '[{"a":1}]'], args: { plan: [{ a: 1 }] } },
])("[CL30] $words", ({ words, args }) => {
  expect(readFlags(words, command)).toEqual(args);
});

test.each([
  { what: "a word that is no flag", words: ["word"] },
  { what: "an unknown flag", words: ["--nonsense", "1"] },
  { what: "a flag without its value", words: ["--agent-id"] },
  { what: "a flag given twice", words: ["--limit", "1", "--limit", "2"] },
  { what: "a text as number", words: ["--limit", "many"] },
  { what: "nothing as number", words: ["--limit", ""] },
  { what: "a text as switch", words: ["--dry-run=maybe"] },
  { what: "broken JSON", words: ["--body", "{broken"] },
])("[CL30] $what is wrong use", ({ words }) => {
  expect(() => readFlags(words, command)).toThrow(expect.objectContaining({ code: "INVALID_REQUEST" }));
});

test("[CL30] of a tool that is not published, JSON is taken for JSON and anything else for text", () => {
  const words = ["--handle", "ada", "--private", "true", "--list", "[1]", "--agent-type", "codex"];
  expect(readFlags(words, undefined)).toEqual({ handle: "ada", private: true, list: [1], agent_type: "codex" });
});
