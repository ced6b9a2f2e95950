import { describe, expect, test } from "vitest";
import { byAgent, byBob, type Case, declaredAndMet, expectRefusal, none } from "./refusal-case.ts";
import { forEachStillStore } from "./still-house.ts";

const cases: Case[] = [
  {
    rule: "ID10",
    tool: "developer_create",
    code: "CONFLICT",
    when: "the handle is taken",
    args: () => ({ handle: "bob" }),
  },
  {
    rule: "ID10",
    tool: "developer_create",
    code: "FORBIDDEN",
    when: "a member asks",
    args: () => ({ handle: "eve" }),
    by: byBob,
  },
  { rule: "ID9", tool: "developer_list", code: "FORBIDDEN", when: "an agent asks", args: () => ({}), by: byAgent },
  {
    rule: "ID11",
    tool: "developer_update",
    code: "NOT_FOUND",
    when: "nobody has the handle",
    args: () => ({ handle: "eve", name: "Eve" }),
  },
  {
    rule: "ID11",
    tool: "developer_update",
    code: "FORBIDDEN",
    when: "a member changes another",
    args: () => ({ handle: "ada", name: "Bob" }),
    by: byBob,
  },
  {
    rule: "ID12",
    tool: "token_create",
    code: "NOT_FOUND",
    when: "nobody has the handle",
    args: () => ({ developer: "eve" }),
  },
  {
    rule: "ID12",
    tool: "token_create",
    code: "FORBIDDEN",
    when: "a member makes another's",
    args: () => ({ developer: "ada" }),
    by: byBob,
  },
  {
    rule: "ID12",
    tool: "token_create",
    code: "INVALID_INPUT",
    when: "it would end in the past",
    args: () => ({ expires_at: "2001-01-01T00:00:00Z" }),
  },
  { rule: "ID9", tool: "token_list", code: "FORBIDDEN", when: "an agent asks", args: () => ({}), by: byAgent },
  { rule: "ID12", tool: "token_revoke", code: "NOT_FOUND", when: "no token has the id", args: () => ({ id: none }) },
  {
    rule: "ID12",
    tool: "token_revoke",
    code: "FORBIDDEN",
    when: "a member ends another's",
    args: ({ my }) => ({ id: my.token }),
    by: byBob,
  },
];

forEachStillStore("what people are refused", (open) => {
  for (const one of cases) {
    test(`[${one.rule}] ${one.tool} is refused with ${one.code} when ${one.when}`, async () => {
      await expectRefusal(one, await open());
    });
  }
});

describe("what these tools declare", () => {
  for (const tool of declaredAndMet(["developer", "token"], cases)) {
    test(`[ID20] ${tool.name} meets each refusal it declares, and no other`, () => {
      expect(tool.met).toEqual(tool.declared);
    });
  }
});
