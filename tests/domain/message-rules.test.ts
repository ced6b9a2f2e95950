import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AgentId, MessageId, ThreadId } from "../../src/contract/ids.ts";
import { Refusal } from "../../src/contract/refusal.ts";
import { messageStatuses } from "../../src/contract/words.ts";
import type { Message, MessageStatus } from "../../src/domain/message/model.ts";
import {
  checkAudience,
  checkBody,
  decideMove,
  isBetween,
  largestAudience,
  longestBody,
} from "../../src/domain/message/rules.ts";
import { millisecondOf } from "../../src/tools/time.ts";
import { nestedTo } from "./nested.ts";

const [ada, bob, eve] = ["ag_ada", "ag_bob", "ag_eve"].map((id) => AgentId.parse(id)) as [AgentId, AgentId, AgentId];

const messageWith = (fields: Partial<Message>): Message => ({
  id: MessageId.parse("msg_one"),
  senderId: ada,
  recipientId: bob,
  threadId: ThreadId.parse("thr_one"),
  replyToId: null,
  messageType: "query",
  subject: null,
  body: "Hello",
  priority: "normal",
  status: "unread",
  workflowId: null,
  taskId: null,
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

describe("how a message moves", () => {
  const cases: { rule: string; when: string; from: MessageStatus; to: MessageStatus; outcome: MessageStatus | null }[] =
    [
      { rule: "MS21", when: "from unread to read", from: "unread", to: "read", outcome: "read" },
      { rule: "MS21", when: "from unread to archived", from: "unread", to: "archived", outcome: "archived" },
      { rule: "MS21", when: "from read to archived", from: "read", to: "archived", outcome: "archived" },
      { rule: "MS21", when: "never from read to unread", from: "read", to: "unread", outcome: null },
      { rule: "MS21", when: "never from archived to read", from: "archived", to: "read", outcome: null },
      { rule: "MS21", when: "never to where it is", from: "read", to: "read", outcome: null },
    ];
  for (const { rule, when, from, to, outcome } of cases) {
    test(`[${rule}] ${when}`, () => {
      expect(decideMove(messageWith({ status: from }), to)).toBe(outcome);
    });
  }

  test("[MS21] whatever is asked in whatever order, a message ends at the furthest place asked for", () => {
    const status = fc.constantFrom(...messageStatuses);
    fc.assert(
      fc.property(status, fc.array(status), (start, wishes) => {
        const places = [start];
        for (const wish of wishes) {
          const here = places.at(-1) ?? start;
          places.push(decideMove(messageWith({ status: here }), wish) ?? here);
        }
        const ranks = places.map((place) => messageStatuses.indexOf(place));
        expect(ranks).toEqual([...ranks].sort());
        expect(ranks.at(-1)).toBe(Math.max(...[start, ...wishes].map((wish) => messageStatuses.indexOf(wish))));
      }),
    );
  });
});

describe("who sees a message", () => {
  for (const { rule, when, agents, message, outcome } of [
    { rule: "MS19", when: "its sender does", agents: [ada], message: {}, outcome: true },
    { rule: "MS19", when: "its recipient does", agents: [bob], message: {}, outcome: true },
    { rule: "MS19", when: "a third agent does not", agents: [eve], message: {}, outcome: false },
    { rule: "MS19", when: "nobody does without an agent", agents: [], message: {}, outcome: false },
    {
      rule: "MS19",
      when: "what the server wrote is its recipient's",
      agents: [bob],
      message: { senderId: null },
      outcome: true,
    },
    {
      rule: "MS19",
      when: "what the server wrote is nobody else's",
      agents: [ada],
      message: { senderId: null },
      outcome: false,
    },
  ]) {
    test(`[${rule}] ${when}`, () => {
      expect(isBetween(messageWith(message), new Set(agents))).toBe(outcome);
    });
  }
});

describe("how large a message may be", () => {
  for (const { rule, when, body, outcome } of [
    { rule: "MS3", when: "256 KiB of text fit", body: "x".repeat(longestBody), outcome: "granted" },
    { rule: "MS3", when: "one byte more does not", body: "x".repeat(longestBody + 1), outcome: "TOO_LARGE" },
    { rule: "MS3", when: "bytes count, not characters", body: "é".repeat(longestBody / 2 + 1), outcome: "TOO_LARGE" },
    {
      rule: "MS3",
      when: "an object counts as its JSON",
      body: { a: "x".repeat(longestBody - 7) },
      outcome: "TOO_LARGE",
    },
    { rule: "MS3", when: "64 levels fit", body: nestedTo(64), outcome: "granted" },
    { rule: "MS3", when: "65 do not", body: nestedTo(65), outcome: "TOO_LARGE" },
    { rule: "MS3", when: "a hundred thousand do not either", body: nestedTo(100_000), outcome: "TOO_LARGE" },
  ]) {
    test(`[${rule}] ${when}`, () => {
      expect(codeOf(() => checkBody(body))).toBe(outcome);
    });
  }

  test("[MS10] a thousand are an audience, one more is a crowd", () => {
    expect(codeOf(() => checkAudience(largestAudience))).toBe("granted");
    expect(codeOf(() => checkAudience(largestAudience + 1))).toBe("TOO_LARGE");
  });
});

describe("since", () => {
  test("[MS16] a millisecond survives being written as seconds", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_999_999_999_000 }), (ms) => {
        expect(millisecondOf(ms / 1_000)).toBe(ms);
      }),
      { numRuns: 5_000 },
    );
  });

  test("[MS16] a finer time counts as the millisecond it lies in", () => {
    expect(millisecondOf(1_700_000_000.1239)).toBe(1_700_000_000_123);
  });
});
