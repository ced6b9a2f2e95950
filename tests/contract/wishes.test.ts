import { expect, test } from "vitest";
import { openTestHouse } from "../../src/testing/house.ts";
import { rankTools } from "../../src/tools/meta/rank-tools.ts";
import { freshWishes } from "./fresh-wishes.ts";
import { everyTool, parts } from "./parts.ts";
import { laterWishes, wishes } from "./wishes.ts";

const names = new Set(parts.tools.map(({ name }) => name));

/** What find_tools searches: the catalogue and `wait`. */
const searched = [...parts.tools, ...parts.helpers.filter(({ name }) => name === "wait")];

const half = (rest: number) => wishes.filter((_, at) => at % 2 === rest);

const lists = { tuned: half(0), "set aside": half(1), later: laterWishes, fresh: freshWishes };

/** Wishes whose right tool is not among the first three. */
const listMissed = (list: typeof wishes): string[] =>
  list
    .filter(
      ([wish, ...right]) =>
        !rankTools(searched, wish)
          .slice(0, 3)
          .some(({ tool }) => right.includes(tool.name)),
    )
    .map(([wish]) => wish);

test("[LS23] every wish names tools that exist, and every tool is wished for", () => {
  expect(wishes.length).toBeGreaterThanOrEqual(150);
  const wished = new Set(wishes.flatMap(([, ...right]) => right));
  expect([...wished].filter((name) => !names.has(name))).toEqual([]);
  expect([...names].filter((name) => !wished.has(name))).toEqual([]);
});

test.each([
  "tuned",
  "set aside",
  "later",
  "fresh",
] as const)("[LS23] of the wishes %s the right tool is among the first three in 95 of 100", (name) => {
  const missed = listMissed(lists[name]);
  expect(missed.length, missed.join("; ")).toBeLessThanOrEqual(lists[name].length * 0.05);
});

test("[LS23] every tool, wait among them, is wished for in the list that was never tuned on", () => {
  expect(freshWishes.length).toBeGreaterThanOrEqual(80);
  const wished = new Set(freshWishes.flatMap(([, ...right]) => right));
  expect(searched.map(({ name }) => name).filter((name) => !wished.has(name))).toEqual([]);
});

test("[LS23] a look-up costs at most 800 tokens, and tells what the best takes", async () => {
  const house = await openTestHouse("sqlite", { tools: everyTool });
  const asked = [
    ...[...wishes, ...freshWishes].map(([wish]) => ({ query: wish })),
    ...[...names].map((query) => ({ query, limit: 20 })),
  ];
  for (const ask of asked) {
    const answer = await house.call<{ tools: { name: string; input_schema?: unknown }[] }>("find_tools", ask);
    expect(JSON.stringify(answer).length / 4, ask.query).toBeLessThanOrEqual(800);
    if (!("limit" in ask)) expect(answer.tools[0]?.input_schema, ask.query).toBeDefined();
  }
});

test("[LS23] a tool is found by its name, and its arguments are told", async () => {
  const house = await openTestHouse("sqlite", { tools: everyTool });
  for (const query of names) {
    const { tools } = await house.call<{ tools: { name: string; input_schema?: unknown }[] }>("find_tools", {
      query,
      limit: 1,
    });
    expect(tools, query).toMatchObject([{ name: query, input_schema: expect.any(Object) }]);
  }
});
