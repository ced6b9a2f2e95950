import { expect, test } from "vitest";
import { openTestHouse } from "../../src/testing/house.ts";
import { rankTools } from "../../src/tools/meta/rank-tools.ts";
import { everyTool, parts } from "./parts.ts";
import { wishes } from "./wishes.ts";

const names = new Set(parts.tools.map(({ name }) => name));

/** Wishes whose right tool is not among the first three. */
function listMissed(half: "tuned" | "set aside"): string[] {
  return wishes
    .filter((_, at) => at % 2 === (half === "tuned" ? 0 : 1))
    .filter(
      ([wish, ...right]) =>
        !rankTools(parts.tools, wish)
          .slice(0, 3)
          .some(({ tool }) => right.includes(tool.name)),
    )
    .map(([wish]) => wish);
}

test("[LS23] every wish names tools that exist, and every tool is wished for", () => {
  expect(wishes.length).toBeGreaterThanOrEqual(150);
  const wished = new Set(wishes.flatMap(([, ...right]) => right));
  expect([...wished].filter((name) => !names.has(name))).toEqual([]);
  expect([...names].filter((name) => !wished.has(name))).toEqual([]);
});

test.each([
  "tuned",
  "set aside",
] as const)("[LS23] of the wishes %s the right tool is among the first three in 95 of 100", (half) => {
  const missed = listMissed(half);
  const all = wishes.length / 2;
  expect(missed.length, missed.join("; ")).toBeLessThanOrEqual(all * 0.05);
});

test("[LS23] a look-up costs at most 800 tokens, and tells what the best takes", async () => {
  const house = await openTestHouse("sqlite", { tools: everyTool });
  const asked = [...wishes.map(([wish]) => ({ query: wish })), ...[...names].map((query) => ({ query, limit: 20 }))];
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
