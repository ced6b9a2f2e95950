import { describe, expect, test } from "vitest";
import type { Caller } from "../../src/contract/caller.ts";
import { AgentId, DeveloperId, TaskId, TeamId, TokenId } from "../../src/contract/ids.ts";
import { Refusal } from "../../src/contract/refusal.ts";
import type { Agent } from "../../src/domain/agent/model.ts";
import {
  type AgentChanges,
  type Beat,
  checkMetadata,
  checkOwner,
  decideHeartbeat,
  decideUpdate,
  largestMetadata,
  namesOfChanges,
} from "../../src/domain/agent/rules.ts";
import { nestedTo } from "./nested.ts";

const now = 1_000;
const task = TaskId.parse("tk_one");

const agentWith = (fields: Partial<Agent>): Agent => ({
  id: AgentId.parse("ag_one"),
  developerId: DeveloperId.parse("dev_ada"),
  name: "Ada",
  runtime: "custom",
  role: "worker",
  capabilities: [],
  workspacePath: null,
  metadata: {},
  status: "online",
  currentTaskId: null,
  lastHeartbeatAt: 0,
  staleAfterMs: 60_000,
  tokenId: null,
  connectionKey: null,
  createdAt: 0,
  updatedAt: 0,
  version: 1,
  ...fields,
});

const codeOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
  return "granted";
};

describe("what a heartbeat changes", () => {
  const cases: { rule: string; when: string; agent: Partial<Agent>; beat: Beat; outcome: Partial<Agent> | string }[] = [
    {
      rule: "AG5",
      when: "a bare one moves the sign of life only",
      agent: { status: "busy" },
      beat: {},
      outcome: { lastHeartbeatAt: now, updatedAt: now },
    },
    {
      rule: "AG5",
      when: "a status is taken over",
      agent: {},
      beat: { status: "busy" },
      outcome: { lastHeartbeatAt: now, updatedAt: now, status: "busy" },
    },
    {
      rule: "AG5",
      when: "a task is taken over",
      agent: {},
      beat: { currentTaskId: task },
      outcome: { lastHeartbeatAt: now, updatedAt: now, currentTaskId: task },
    },
    {
      rule: "AG6",
      when: "an offline agent may send none",
      agent: { status: "offline" },
      beat: {},
      outcome: "INVALID_STATE",
    },
  ];
  for (const { rule, when, agent, beat, outcome } of cases) {
    test(`[${rule}] ${when}`, () => {
      if (typeof outcome === "string") expect(codeOf(() => decideHeartbeat(agentWith(agent), beat, now))).toBe(outcome);
      else expect(decideHeartbeat(agentWith(agent), beat, now)).toEqual(outcome);
    });
  }
});

describe("what an update changes", () => {
  const cases: { rule: string; when: string; agent: Partial<Agent>; ask: AgentChanges; outcome: Partial<Agent> }[] = [
    {
      rule: "AG9",
      when: "only what is named",
      agent: {},
      ask: { workspacePath: "/a" },
      outcome: { workspacePath: "/a" },
    },
    {
      rule: "AG9",
      when: "metadata key by key",
      agent: { metadata: { a: { deep: 1 }, b: 2 } },
      ask: { metadata: { a: {}, c: 3 } },
      outcome: { metadata: { a: {}, b: 2, c: 3 } },
    },
    {
      rule: "AG11",
      when: "coming back is a sign of life",
      agent: { status: "offline" },
      ask: { status: "online" },
      outcome: { status: "online", lastHeartbeatAt: now },
    },
    {
      rule: "AG11",
      when: "being there already is none",
      agent: {},
      ask: { status: "busy" },
      outcome: { status: "busy" },
    },
    {
      rule: "AG12",
      when: "going offline lays the task down",
      agent: { currentTaskId: task },
      ask: { status: "offline" },
      outcome: { status: "offline", currentTaskId: null },
    },
    {
      rule: "AG12",
      when: "going offline wins over a task named with it",
      agent: {},
      ask: { status: "offline", currentTaskId: task },
      outcome: { status: "offline", currentTaskId: null },
    },
    {
      rule: "AG12",
      when: "an offline agent takes no task up",
      agent: { status: "offline" },
      ask: { currentTaskId: task },
      outcome: { currentTaskId: null },
    },
    {
      rule: "AG12",
      when: "one that comes back may",
      agent: { status: "offline" },
      ask: { status: "busy", currentTaskId: task },
      outcome: { status: "busy", lastHeartbeatAt: now, currentTaskId: task },
    },
    {
      rule: "AG9",
      when: "null lays the task down",
      agent: { currentTaskId: task },
      ask: { currentTaskId: null },
      outcome: { currentTaskId: null },
    },
  ];
  for (const { rule, when, agent, ask, outcome } of cases) {
    test(`[${rule}] ${when}`, () => {
      expect(decideUpdate(agentWith(agent), ask, now)).toEqual({ updatedAt: now, ...outcome });
    });
  }

  test("[AG13] what is asked for is named in the words of the wire", () => {
    expect(namesOfChanges({})).toEqual([]);
    expect(namesOfChanges({ metadata: {}, currentTaskId: null, workspacePath: "/a", status: "busy" })).toEqual([
      "status",
      "current_task_id",
      "workspace_path",
      "metadata",
    ]);
  });
});

describe("what metadata may hold", () => {
  const json = (bytes: number): Record<string, unknown> => ({ a: "x".repeat(bytes - '{"a":""}'.length) });
  for (const { rule, when, metadata, outcome } of [
    { rule: "AG4", when: "64 KiB as JSON fit", metadata: json(largestMetadata), outcome: "granted" },
    { rule: "AG4", when: "one byte more does not", metadata: json(largestMetadata + 1), outcome: "TOO_LARGE" },
    {
      rule: "AG4",
      when: "bytes count, not characters",
      metadata: { a: "é".repeat(largestMetadata / 2) },
      outcome: "TOO_LARGE",
    },
    { rule: "AG4", when: "64 levels fit", metadata: nestedTo(64), outcome: "granted" },
    { rule: "AG4", when: "65 do not", metadata: nestedTo(65), outcome: "TOO_LARGE" },
    { rule: "AG4", when: "a hundred thousand do not either", metadata: nestedTo(100_000), outcome: "TOO_LARGE" },
  ]) {
    test(`[${rule}] ${when}`, () => {
      expect(codeOf(() => checkMetadata(metadata))).toBe(outcome);
    });
  }
});

test("[AG17] an agent acts for the developer who registered it and for nobody else", () => {
  const callerOf = (developerId: string, role: Caller["role"]): Caller => ({
    teamId: TeamId.parse("tm_one"),
    developerId: DeveloperId.parse(developerId),
    handle: "someone",
    isPrivate: false,
    role,
    tokenId: TokenId.parse("tok_one"),
    agentType: null,
    instanceId: null,
  });
  expect(codeOf(() => checkOwner(agentWith({}), callerOf("dev_ada", "member")))).toBe("granted");
  expect(codeOf(() => checkOwner(agentWith({}), callerOf("dev_bob", "member")))).toBe("FORBIDDEN");
  expect(codeOf(() => checkOwner(agentWith({}), callerOf("dev_bob", "owner")))).toBe("FORBIDDEN");
});
