import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type Caller, isCallerOf } from "../../src/contract/caller.ts";
import { openTestHouse, type TestHouse } from "../../src/testing/house.ts";
import { catalog, personTools } from "../../src/tools/catalog.ts";
import { defineTool } from "../../src/tools/define.ts";
import { type Input, isAnybodys } from "../contract/examples.ts";
import { forEachStillStore, openStillHouse, traceOf } from "../domain/still-house.ts";
import { listForgeries, listTargets, type Target } from "./id-makers.ts";
import { fillBlindly, fillFor } from "./records.ts";

const targets = listTargets([...catalog, ...personTools]);
/** What needs a program or a folder of one's own is tried by the tests of its noun. */
const exposed = targets.filter(
  ({ definition, actorKey }) =>
    (definition.effect !== "read" || actorKey !== undefined) && definition.examples.every(isAnybodys),
);

function exampleOf({ title, definition, operation }: Target): Input {
  const [example] = definition.examples;
  if (example === undefined) throw new Error(`${title} has no example to start from`);
  return { ...operation, ...example.input };
}

/** Forbidden, unknown, or in words of its own: not your claim, not your workflow. */
const isTurnedAway = (code: string): boolean =>
  ["FORBIDDEN", "NOT_CLAIMED", "WORKFLOW_MISMATCH"].includes(code) || code.endsWith("NOT_FOUND");

/** A start without a check of one's own is not refused but blocked (GA6). */
const isShut = (value: unknown): boolean => {
  const { status, data } = value as { status?: unknown; data?: { code?: unknown } };
  return status === "blocked" && data?.code === "CHECK_REQUIRED";
};

forEachStillStore("another developer's records", (open) => {
  for (const target of exposed) {
    test(`[ID17] ${target.title} refuses them, and works with one's own`, async () => {
      const house = await open();
      const { caller: bob } = await house.developer("bob");
      const [hers, his] = [fillFor(house, house.owner), fillFor(house, bob)];
      const isForBob = isCallerOf(bob, target.definition.callers);
      const own = isForBob ? await his(exampleOf(target)) : fillBlindly(exampleOf(target));

      for (const { key, record } of listForgeries(target)) {
        const { foreign } = await hers({ foreign: record });
        await expectRefusal(house, bob, target, { ...own, [key]: foreign }, foreign);
        if (!Array.isArray(foreign) || !isForBob) continue;
        const { mine } = await his({ mine: record });
        await expectRefusal(house, bob, target, { ...own, [key]: [mine, foreign].flat() }, foreign);
      }
      if (isForBob) await expectOwnWork(house, bob, target, own);
    });
  }
});

async function expectRefusal(house: TestHouse, bob: Caller, target: Target, args: Input, foreign: unknown) {
  const { name } = target.tool;
  let isBlocked = false;
  const { work, usage } = await traceOf(house, async () => {
    const reply = await house.reply(name, args, bob);
    isBlocked = reply.ok && isShut(reply.value);
    const code = reply.ok ? "granted" : reply.failure.code;
    expect(isBlocked || isTurnedAway(code), `${JSON.stringify(args)} was answered with ${code}`).toBe(true);
  });
  expect(work).toEqual([]);
  expect(usage).toEqual([expect.objectContaining({ tool: name, outcome: isBlocked ? "ok" : "refused" })]);
  if (!isBlocked) expect(usage[0]).not.toHaveProperty("agent_id");
  for (const id of [foreign].flat()) expect(JSON.stringify(usage)).not.toContain(id);
}

/** What is refused with foreign records is granted with one's own; else the refusals would prove nothing. */
async function expectOwnWork(house: TestHouse, bob: Caller, { tool, actorKey }: Target, own: Input): Promise<void> {
  const { work, usage } = await traceOf(house, () => house.call(tool.name, own, bob));
  expect(work.every((entry) => entry.developerId === bob.developerId)).toBe(true);
  const actor = actorKey === undefined ? undefined : own[actorKey];
  const link = actor === undefined ? {} : { agent_id: actor };
  expect(usage).toEqual([expect.objectContaining({ tool: tool.name, outcome: "ok", ...link })]);
}

const smuggled = ["owner_id", "status", "role", "verified", "__proto__", "constructor", "prototype"];
const neverDeclared = ["owner_id", "verified", "__proto__", "constructor", "prototype"];

/** Arguments with one more, as JSON would bring it: `__proto__` becomes a field and not the prototype. */
const withField = (args: Input, field: string): Input =>
  Object.defineProperty({ ...args }, field, { value: "admin", enumerable: true, configurable: true, writable: true });

/** Arguments are read before any store is asked, so that one of the two is enough. */
describe("undeclared arguments", () => {
  for (const target of targets) {
    test(`[ID19] ${target.title} refuses them`, async () => {
      const house = await openStillHouse("sqlite");
      const args = fillBlindly(exampleOf(target));
      const declared = Object.keys(target.definition.input.shape);
      expect(declared.filter((key) => neverDeclared.includes(key))).toEqual([]);

      const { work, usage } = await traceOf(house, async () => {
        for (const field of smuggled.filter((name) => !declared.includes(name))) {
          const reply = await house.reply(target.tool.name, withField(args, field));
          expect(reply, field).toMatchObject({
            ok: false,
            failure: {
              code: "INVALID_REQUEST",
              details: [
                // What another operation of the same door takes is read as that first.
                field in target.tool.input.shape
                  ? expect.anything()
                  : { keyword: "additionalProperties", params: { additionalProperty: field } },
              ],
            },
          });
        }
      });

      expect(work).toEqual([]);
      expect(usage.every(({ code }) => code === "INVALID_REQUEST")).toBe(true);
    });
  }
});

describe("the matrix itself", () => {
  const newTool = defineTool({
    name: "beacon_release",
    family: "team",
    title: "A tool of tomorrow",
    summary: "Names a kind of record the matrix has not heard of.",
    effect: "change",
    callers: ["agent"],
    input: z.object({ id: z.string(), fence_ids: z.array(z.string()) }),
    output: z.object({}),
    refusals: [],
    examples: [{ title: "one", input: { id: "$beacon" } }],
    handle: async () => ({}),
  });
  const [target] = listTargets([newTool]);

  test("[ID17] says which id maker a new tool needs", () => {
    expect(() => target && listForgeries(target)).toThrow("add a line beacon_id to tests/attack/id-makers.ts");
  });

  test("[ID17] says which record a new example needs", async () => {
    const house = await openTestHouse("sqlite");
    const filled = target && fillFor(house, house.owner)(exampleOf(target));
    await expect(filled).rejects.toThrow("no example record is called $beacon");
  });

  test("[ID17] reaches every tool that changes something or names who acts", () => {
    const reached = new Set(exposed.map(({ tool }) => tool.name));
    const missed = [...catalog, ...personTools].filter(
      (tool) => (tool.effect !== "read" || tool.actor !== undefined) && !reached.has(tool.name),
    );
    // They act for the instance that calls, or on one that runs: tests/review asks them about another developer's (IN13, IN23).
    expect(missed.map((tool) => tool.name)).toEqual([
      "request_review",
      "send_feedback",
      "create_pull_request",
      "create_issues",
      "instance_abandon",
      "instance_pull",
      "instance_review",
      "instance_start",
      "instance_stop",
      "review_grant",
    ]);
  });
});
