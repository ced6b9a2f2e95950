import { describe, expect, test } from "vitest";
import { z } from "zod";
import { isCallerOf } from "../../src/contract/caller.ts";
import type { TestHouse } from "../../src/testing/house.ts";
import { catalog, houseTools } from "../../src/tools/catalog.ts";
import { defineTool } from "../../src/tools/define.ts";
import { forEachStillStore, traceOf } from "../domain/still-house.ts";
import { type Belongings, fill, settle } from "./belongings.ts";
import { listForgeries, listTargets, type Target } from "./id-makers.ts";

const targets = listTargets([...catalog, ...houseTools]);
const exposed = targets.filter(
  ({ tool, definition }) => definition.effect !== "read" || (definition.actorKey ?? tool.actorKey) !== undefined,
);

type Args = Record<string, unknown>;

function exampleOf({ title, definition, operation }: Target, of: Belongings): Args {
  const [example] = definition.examples;
  if (example === undefined) throw new Error(`${title} has no example to start from`);
  return { ...operation, ...(fill(example.input, of, title) as Args) };
}

const isTurnedAway = (code: string): boolean => code === "FORBIDDEN" || code.endsWith("NOT_FOUND");

forEachStillStore("another developer's records", (open) => {
  for (const target of exposed) {
    test(`[ID17] ${target.title} refuses them, and works with one's own`, async () => {
      const house = await open();
      const { caller: bob } = await house.developer("bob");
      const [hers, his] = [await settle(house, house.owner), await settle(house, bob)];
      const own = exampleOf(target, his);
      const { name } = target.tool;

      for (const { key, make } of listForgeries(target)) {
        const foreign = make(hers);
        const values = Array.isArray(foreign) ? [foreign, [...(make(his) as unknown[]), ...foreign]] : [foreign];
        for (const value of values) {
          const { work, usage } = await traceOf(house, async () => {
            const reply = await house.reply(name, { ...own, [key]: value }, bob);
            const code = reply.ok ? "granted" : reply.failure.code;
            expect(isTurnedAway(code), `${key} of another developer was answered with ${code}`).toBe(true);
          });
          expect(work).toEqual([]);
          expect(usage).toEqual([expect.objectContaining({ tool: name, outcome: "refused" })]);
          expect(usage[0]).not.toHaveProperty("agent_id");
          expect(JSON.stringify(usage)).not.toContain(hers.agent);
        }
      }
      if (isCallerOf(bob, target.definition.callers)) await expectOwnWork(house, target, own, bob);
    });
  }
});

/** What is refused with foreign records is granted with one's own; else the refusals above would prove nothing. */
async function expectOwnWork(house: TestHouse, target: Target, own: Args, bob: TestHouse["owner"]): Promise<void> {
  const { tool, definition } = target;
  const { work, usage } = await traceOf(house, () => house.call(tool.name, own, bob));
  expect(work.every((entry) => entry.developerId === bob.developerId)).toBe(true);
  const actor = definition.actorKey ?? tool.actorKey;
  const link = actor === undefined ? {} : { agent_id: own[actor] };
  expect(usage).toEqual([expect.objectContaining({ tool: tool.name, outcome: "ok", ...link })]);
}

const smuggled = ["owner_id", "status", "role", "verified", "__proto__", "constructor", "prototype"];
const neverDeclared = ["owner_id", "verified", "__proto__", "constructor", "prototype"];

/** Arguments are read before anything is looked up, so that nothing of this needs to exist. */
const strangers: Belongings = {
  handle: "eve",
  agent: "ag_1",
  peer: "ag_2",
  message: "msg_1",
  repository: "/srv/code/eve",
  token: "tok_1",
};

/** Arguments with one more, as JSON would bring it: `__proto__` becomes a field and not the prototype. */
const withField = (args: Args, field: string): Args =>
  Object.defineProperty({ ...args }, field, { value: "admin", enumerable: true, configurable: true, writable: true });

forEachStillStore("undeclared arguments", (open) => {
  for (const target of targets) {
    test(`[ID19] ${target.title} refuses them`, async () => {
      const house = await open();
      const args = exampleOf(target, strangers);
      const declared = Object.keys(target.definition.input.shape);
      expect(declared.filter((key) => neverDeclared.includes(key))).toEqual([]);

      const { work, usage } = await traceOf(house, async () => {
        for (const field of smuggled.filter((name) => !declared.includes(name))) {
          const reply = await house.reply(target.tool.name, withField(args, field));
          expect(reply, field).toMatchObject({
            ok: false,
            failure: {
              code: "INVALID_REQUEST",
              details: [{ keyword: "additionalProperties", params: { additionalProperty: field } }],
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
    name: "claim_release",
    family: "team",
    title: "A tool of tomorrow",
    summary: "Names a kind of record the matrix has not heard of.",
    effect: "change",
    callers: ["agent"],
    input: z.object({ id: z.string(), fence_ids: z.array(z.string()) }),
    output: z.object({}),
    refusals: [],
    examples: [{ title: "one", input: { id: "$claim" } }],
    handle: async () => ({}),
  });
  const [target] = listTargets([newTool]);

  test("[ID17] says which id maker a new tool needs", () => {
    expect(() => target && listForgeries(target)).toThrow("add a line claim_id to tests/attack/id-makers.ts");
  });

  test("[ID17] says which record a new example needs", () => {
    const nothing = {} as Belongings;
    expect(() => target && exampleOf(target, nothing)).toThrow("claim_release has an example with $claim");
  });

  test("[ID17] reaches every tool that changes something or names who acts", () => {
    const reached = new Set(exposed.map(({ tool }) => tool.name));
    const missed = [...catalog, ...houseTools].filter(
      (tool) => (tool.effect !== "read" || tool.actorKey !== undefined) && !reached.has(tool.name),
    );
    expect(missed.map((tool) => tool.name)).toEqual([]);
  });
});
