import { describe, expect, test } from "vitest";
import { type Case, declaredAndMet, expectRefusal, huge, none } from "./refusal-case.ts";
import { forEachStillStore } from "./still-house.ts";

const cases: Case[] = [
  {
    rule: "AG4",
    tool: "agent_register",
    code: "TOO_LARGE",
    when: "the metadata is huge",
    args: () => ({ name: "Ada", runtime: "custom", metadata: { huge } }),
  },
  {
    rule: "AG17",
    tool: "agent_heartbeat",
    code: "AGENT_NOT_FOUND",
    when: "nobody has the id",
    args: () => ({ agent_id: none }),
  },
  {
    rule: "AG17",
    tool: "agent_heartbeat",
    code: "FORBIDDEN",
    when: "the agent is another's",
    args: ({ his }) => ({ agent_id: his.agent }),
  },
  {
    rule: "AG6",
    tool: "agent_heartbeat",
    code: "INVALID_STATE",
    when: "the agent is offline",
    args: ({ my }) => ({ agent_id: my.offline }),
  },
  {
    rule: "AG18",
    tool: "agent_heartbeat",
    code: "TASK_NOT_FOUND",
    when: "the task does not exist",
    args: ({ my }) => ({ agent_id: my.agent, current_task_id: none }),
  },
  {
    rule: "AG17",
    tool: "agent_update",
    code: "AGENT_NOT_FOUND",
    when: "nobody has the id",
    args: () => ({ id: none, status: "busy" }),
  },
  {
    rule: "AG17",
    tool: "agent_update",
    code: "FORBIDDEN",
    when: "the agent is another's, although nothing is asked",
    args: ({ his }) => ({ id: his.agent }),
  },
  {
    rule: "AG18",
    tool: "agent_update",
    code: "TASK_NOT_FOUND",
    when: "the task does not exist",
    args: ({ my }) => ({ id: my.agent, current_task_id: none }),
  },
  {
    rule: "AG4",
    tool: "agent_update",
    code: "TOO_LARGE",
    when: "the metadata is huge",
    args: ({ my }) => ({ id: my.agent, metadata: { huge } }),
  },
  { rule: "AG14", tool: "agent_get", code: "AGENT_NOT_FOUND", when: "nobody has the id", args: () => ({ id: none }) },
  {
    rule: "AG17",
    tool: "agent_unregister",
    code: "AGENT_NOT_FOUND",
    when: "nobody has the id",
    args: () => ({ id: none }),
  },
  {
    rule: "AG17",
    tool: "agent_unregister",
    code: "FORBIDDEN",
    when: "the agent is another's",
    args: ({ his }) => ({ id: his.agent }),
  },
  {
    rule: "RP4",
    tool: "repository_register",
    code: "INVALID_INPUT",
    when: "the path steps up",
    args: () => ({ path: "/srv/../etc" }),
  },
  {
    rule: "RP5",
    tool: "repository_register",
    code: "FORBIDDEN",
    when: "the path is a home",
    args: () => ({ path: "/home/ada" }),
  },
  {
    rule: "RP4",
    tool: "repository_get",
    code: "INVALID_INPUT",
    when: "the path is relative",
    args: () => ({ path: "srv" }),
  },
];

forEachStillStore("what agents are refused", (open) => {
  for (const one of cases) {
    test(`[${one.rule}] ${one.tool} is refused with ${one.code} when ${one.when}`, async () => {
      await expectRefusal(one, await open());
    });
  }
});

describe("what these tools declare", () => {
  for (const tool of declaredAndMet(["agent", "repository"], cases)) {
    test(`[ID20] ${tool.name} meets each refusal it declares, and no other`, () => {
      expect(tool.met).toEqual(tool.declared);
    });
  }
});
