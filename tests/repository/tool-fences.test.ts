import { describe, test } from "vitest";
import { type Plant, plantAll } from "./judge-plants.ts";

const tool = (effect: string, handle: string): string =>
  `export default defineTool({ name: "planted_tool", effect: "${effect}", ${handle} });`;

const plants: readonly Plant[] = [
  {
    rule: "RE80",
    when: "a changing tool that calls two operations",
    path: "src/tools/workflow/planted-two.ts",
    text: `import { one, two } from "../../domain/agent/operations.ts"; ${tool("change", "async handle(input, work) { await one(work); return two(work); }")}`,
    fence: "one, two  a changing tool calls one operation",
  },
  {
    rule: "RE80",
    when: "a changing tool whose second operation hides in a helper below",
    path: "src/tools/workflow/planted-helper.ts",
    text: `import { one } from "../../domain/agent/operations.ts"; import { two } from "../../domain/task/step-operations.ts"; ${tool("create", "handle: async (input, work) => [await one(work), await more(work)]")} const more = (work) => two(work);`,
    fence: "one, two  a changing tool calls one operation",
  },
  {
    rule: "RE80",
    when: "a changing tool that calls one and reads for its answer",
    path: "src/tools/workflow/planted-one.ts",
    text: `import { one, type Two } from "../../domain/agent/operations.ts"; import { two } from "../../domain/agent/queries.ts"; ${tool("change", "async handle(input, work) { await one(work); return two(work.db).one; }")}`,
  },
  {
    rule: "RE80",
    when: "a changing tool that looks outside with one and decides with another",
    path: "src/tools/workflow/planted-look.ts",
    text: `import { look, one } from "../../domain/agent/operations.ts"; ${tool("change", "observe: look, handle: (input, work) => one(work)")}`,
  },
  {
    rule: "RE80",
    when: "a tool that only reads, with two",
    path: "src/tools/workflow/planted-read.ts",
    text: `import { one, two } from "../../domain/agent/operations.ts"; ${tool("read", "handle: async (input, work) => [await one(work), await two(work)]")}`,
  },
  {
    rule: "RE81",
    when: "a voice that calls an operation",
    path: "src/tools/team/voice/planted.ts",
    text: `import { type Two, one } from "../../../domain/agent/operations.ts"; export const say = (work) => one(work);`,
    fence: "one  a voice calls no operation",
  },
  {
    rule: "RE81",
    when: "a voice that knows the types of an operation and reads",
    path: "src/tools/team/voice/planted-types.ts",
    text: `import type { One } from "../../../domain/agent/operations.ts"; import { findAgent } from "../../../domain/agent/queries.ts";`,
  },
  {
    rule: "RE82",
    when: "a tool that records an event",
    path: "src/tools/workflow/planted-event.ts",
    text: `export const warn = (work, event) => work.record(event);`,
    fence: "record  tools record no events",
  },
  {
    rule: "RE82",
    when: "a voice that takes the recording out of its work",
    path: "src/tools/team/voice/planted-event.ts",
    text: `export const warn = ({ record }, event) => record(event);`,
    fence: "record  tools record no events",
  },
  {
    rule: "RE82",
    when: "a schema of records",
    path: "src/tools/workflow/planted-schema.ts",
    text: `export const Open = z.record(z.string(), z.unknown());`,
  },
  {
    rule: "RE83",
    when: "a refusal that names a tool",
    path: "src/domain/agent/planted-rules.ts",
    text: `export const hint = "Register again with agent_register.";`,
    fence: "agent_register  the domain names no tool; give a next step a key",
  },
  {
    rule: "RE83",
    when: "a sentence with a value in it that names a tool",
    path: "src/domain/agent/planted-words.ts",
    text: `export const hint = (id) => \`Call covibe_task with \${id}.\`;`,
    fence: "covibe_task  the domain names no tool; give a next step a key",
  },
  {
    rule: "RE83",
    when: "an event of a similar name, and a comment",
    path: "src/domain/agent/planted-events.ts",
    text: `/* agent_register */ export const announced = "workstream.start_planned";`,
  },
];

describe("what tools leave to the domain, and the domain to them", () => {
  const judge = plantAll(plants);

  for (const plant of plants) {
    test(`[${plant.rule}] ${plant.when} ${plant.fence === undefined ? "passes" : "is caught"}`, () => judge(plant));
  }
});
