import fc from "fast-check";
import { expect, test } from "vitest";
import { paint, screenOf } from "../../src/transports/cli/screen.ts";
import { table } from "../../src/transports/cli/table.ts";
import { agentText, agoText, shortIds } from "../../src/transports/cli/text.ts";

const rows = [
  [
    "Cache price rules for each request",
    "Faster checkout",
    "Ada's Claude (claude-code, ada)",
    "3 min ago",
    "tk_67nhn7",
  ],
  ["Resend failed e-mails", "Mail", "Bob's Codex (codex, bob)", "2 h ago", "tk_m73qyh"],
];
const look = { heading: ["TASK", "WORKFLOW", "AGENT", "UPDATED", "ID"], flexible: [0, 2], optional: [1] };

test.each([60, 80, 200])("[CL80] a table at %i columns", (width) => {
  const lines = table(rows, { ...look, screen: { width, isColoured: false } });
  expect(lines.join("\n")).toMatchSnapshot();
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
});

test("[CL80] no line is wider than the screen, whatever the cells hold", () => {
  const cell = fc.string({ maxLength: 60 });
  const grid = fc
    .integer({ min: 1, max: 6 })
    .chain((columns) =>
      fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 5 }),
    );
  fc.assert(
    fc.property(grid, fc.integer({ min: 40, max: 200 }), (cells, width) => {
      for (const line of table(cells, { screen: { width, isColoured: false } })) {
        expect([...line].length).toBeLessThanOrEqual(width);
      }
    }),
  );
});

test("[CL80] what a program reads is never cut", () => {
  expect(table([["x".repeat(500), "y"]])).toEqual([`${"x".repeat(500)}  y`]);
});

test.each([
  { stream: { isTTY: true, columns: 80 }, env: {}, plain: false, expected: { width: 80, isColoured: true } },
  {
    stream: { isTTY: true, columns: 80 },
    env: { NO_COLOR: "1" },
    plain: false,
    expected: { width: 80, isColoured: false },
  },
  {
    stream: { isTTY: true, columns: 80 },
    env: { TERM: "dumb" },
    plain: false,
    expected: { width: 80, isColoured: false },
  },
  { stream: { isTTY: true, columns: 80 }, env: {}, plain: true, expected: { width: 80, isColoured: false } },
  { stream: {}, env: {}, plain: false, expected: { width: Number.POSITIVE_INFINITY, isColoured: false } },
  { stream: {}, env: { COLUMNS: "60" }, plain: false, expected: { width: 60, isColoured: false } },
  {
    stream: {},
    env: { FORCE_COLOR: "1" },
    plain: false,
    expected: { width: Number.POSITIVE_INFINITY, isColoured: true },
  },
  {
    stream: {},
    env: { FORCE_COLOR: "1", NO_COLOR: "1" },
    plain: false,
    expected: { width: Number.POSITIVE_INFINITY, isColoured: false },
  },
])("[CL81] a screen with $env: $expected", ({ stream, env, plain, expected }) => {
  expect(screenOf(stream, env, plain)).toEqual(expected);
});

test("[CL81] colour is put around the text and nowhere else", () => {
  expect(paint({ width: 80, isColoured: true }, "green", "ok")).toBe("\u001b[32mok\u001b[0m");
  expect(paint({ width: 80, isColoured: false }, "green", "ok")).toBe("ok");
});

test("[CL82] times are relative", () => {
  expect(agoText(0, 500)).toBe("just now");
  expect(agoText(0, 180_000)).toBe("3 min ago");
});

test("[CL83] an agent is named with its client and its owner", () => {
  expect(agentText({ name: "Ada's Claude", client: "claude_code", owner: "ada" })).toBe(
    "Ada's Claude (claude-code, ada)",
  );
  expect(agentText({ name: null, owner: "ada" })).toBe("ada");
});

test("[CL84] shortened ids still tell the records of a list apart", () => {
  const id = fc.stringMatching(/^tk_[0-9a-z]{26}$/);
  fc.assert(
    fc.property(fc.uniqueArray(id, { minLength: 1, maxLength: 20 }), (ids) => {
      const short = shortIds(ids);
      expect(new Set(ids.map(short)).size).toBe(ids.length);
    }),
  );
});
