import { expect, test } from "vitest";
import type { ErrorDefinition, ToolDefinition } from "../../src/contract/projections/definition.ts";
import { contractSet } from "../../src/contract/projections/files.ts";
import { type ContractSet, compareSets, dueVersion, isAtLeast } from "../../src/contract/semver.ts";
import { parts } from "./parts.ts";

const tool: ToolDefinition = {
  name: "note_keep",
  aliases: ["note_save"],
  family: "workflow",
  title: "Keep a note",
  summary: "Keep a note.",
  effect: "create",
  isRepeatable: true,
  callers: ["agent", "person"],
  input: { type: "object", properties: { text: { type: "string" } }, required: ["text"], additionalProperties: false },
  output: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  refusals: ["TOO_LARGE"],
  examples: [],
};

const error: ErrorDefinition = {
  kind: "limit",
  http: 413,
  meaning: "Too large.",
  hint: "Send less.",
  namespaceCode: "crewdeck.limit",
  exitCode: 1,
};

const released: ContractSet = {
  schemaVersion: "1.4.2",
  tools: { note_keep: tool },
  errors: { TOO_LARGE: error },
  events: { "note.kept": { announced: "note:kept", data: { type: "object", properties: {} } } },
};

const withTool = (changes: Partial<ToolDefinition>): Partial<ContractSet> => ({
  tools: { note_keep: { ...tool, ...changes } },
});
const door = withTool({ operations: { keep: tool } });

interface Case {
  rule: string;
  when: string;
  before?: Partial<ContractSet>;
  after: Partial<ContractSet>;
  due: string;
}

const cases: Case[] = [
  { rule: "CT31", when: "nothing changed", after: {}, due: "1.4.2" },
  { rule: "CT31", when: "a title is written anew", after: withTool({ title: "Keep it" }), due: "1.4.3" },
  { rule: "CT31", when: "guidance is added", after: withTool({ guidance: "Do." }), due: "1.4.3" },
  {
    rule: "CT31",
    when: "an example is added",
    after: withTool({ examples: [{ title: "a", input: {} }] }),
    due: "1.4.3",
  },
  { rule: "CT31", when: "a tool is new", after: { tools: { note_keep: tool, note_list: tool } }, due: "1.5.0" },
  { rule: "CT30", when: "a tool is gone", after: { tools: {} }, due: "2.0.0" },
  {
    rule: "CT30",
    when: "a tool is renamed, even with its old name as an alias",
    after: { tools: { note_store: { ...tool, name: "note_store", aliases: ["note_keep", "note_save"] } } },
    due: "2.0.0",
  },
  { rule: "CT30", when: "an alias is gone", after: withTool({ aliases: [] }), due: "2.0.0" },
  { rule: "CT31", when: "an alias is new", after: withTool({ aliases: ["note_save", "note_add"] }), due: "1.5.0" },
  { rule: "CT30", when: "a tool does more harm", after: withTool({ effect: "destroy" }), due: "2.0.0" },
  { rule: "CT30", when: "a tool changes its family", after: withTool({ family: "team" }), due: "2.0.0" },
  { rule: "CT30", when: "a caller is shut out", after: withTool({ callers: ["person"] }), due: "2.0.0" },
  { rule: "CT30", when: "calling twice does harm", after: withTool({ isRepeatable: false }), due: "2.0.0" },
  {
    rule: "CT31",
    when: "calling twice does no harm any more",
    before: withTool({ isRepeatable: false }),
    after: {},
    due: "1.5.0",
  },
  { rule: "CT31", when: "a refusal is new", after: withTool({ refusals: ["TOO_LARGE", "FORBIDDEN"] }), due: "1.5.0" },
  { rule: "CT31", when: "there is another time limit", after: withTool({ timeoutMs: 5 }), due: "1.5.0" },
  {
    rule: "CT30",
    when: "an input is narrowed",
    after: withTool({ input: { ...tool.input, properties: { text: { type: "string", maxLength: 5 } } } }),
    due: "2.0.0",
  },
  {
    rule: "CT32",
    when: "an answer lacks a key",
    after: withTool({ output: { type: "object", properties: {}, required: [] } }),
    due: "2.0.0",
  },
  { rule: "CT31", when: "an operation is new", before: withTool({ operations: {} }), after: door, due: "1.5.0" },
  { rule: "CT30", when: "an operation is gone", before: door, after: {}, due: "2.0.0" },
  {
    rule: "CT31",
    when: "an operation is described in other words",
    before: door,
    after: withTool({ operations: { keep: { ...tool, summary: "Keep it." } } }),
    due: "1.4.3",
  },
  { rule: "CT30", when: "an error is gone", after: { errors: {} }, due: "2.0.0" },
  {
    rule: "CT30",
    when: "an error has another status",
    after: { errors: { TOO_LARGE: { ...error, http: 400 } } },
    due: "2.0.0",
  },
  {
    rule: "CT31",
    when: "an error has another hint",
    after: { errors: { TOO_LARGE: { ...error, hint: "No." } } },
    due: "1.4.3",
  },
  { rule: "CT30", when: "an event is gone", after: { events: {} }, due: "2.0.0" },
  {
    rule: "CT30",
    when: "an event has another name on the wire",
    after: { events: { "note.kept": { announced: "note:stored", data: { type: "object", properties: {} } } } },
    due: "2.0.0",
  },
  {
    rule: "CT31",
    when: "an event says more",
    after: {
      events: {
        "note.kept": { announced: "note:kept", data: { type: "object", properties: { by: { type: "string" } } } },
      },
    },
    due: "1.5.0",
  },
];

test.each(cases)("[$rule] $due is due when $when", ({ before = {}, after, due }) => {
  expect(dueVersion({ ...released, ...before }, { ...released, ...after })).toBe(due);
});

test.each([
  ["1.4.2", "1.4.2", true],
  ["1.4.3", "1.4.2", true],
  ["1.10.0", "1.9.9", true],
  ["2.0.0", "1.99.99", true],
  ["1.4.1", "1.4.2", false],
  ["1.3.9", "1.4.0", false],
  ["0.9.9", "1.0.0", false],
])("[CT34] %s says at least as much as %s: %s", (version, other, expected) => {
  expect(isAtLeast(version, other)).toBe(expected);
});

test("[CT34] what is no version is refused", () => {
  expect(() => isAtLeast("1.0", "1.0.0")).toThrow('"1.0" is no version');
});

test("[CT31] before the first release everything is new", () => {
  const nothing: ContractSet = { schemaVersion: "0.0.0", tools: {}, errors: {}, events: {} };
  const current = contractSet(parts.tools);
  expect(new Set(compareSets(nothing, current).map(({ level }) => level))).toEqual(new Set(["minor"]));
  expect(dueVersion(nothing, current)).toBe("0.1.0");
  expect(compareSets(current, structuredClone(current))).toEqual([]);
});
