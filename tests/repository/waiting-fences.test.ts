import { test } from "vitest";
import { type Plant, plantAll } from "./judge-plants.ts";

const sleeps = "tests wait for facts, with src/testing/waiting.ts";
const limits = "the patience of all tests is in src/testing/waiting.ts";

const plants: readonly Plant[] = [
  {
    rule: "RE90",
    when: "a test that sleeps",
    path: "tests/planted/sleep.test.ts",
    text: `await new Promise((resolve) => setTimeout(resolve, 300));`,
    fence: `setTimeout  ${sleeps}`,
  },
  {
    rule: "RE90",
    when: "a kit that imports a sleep under another name",
    path: "tests/planted/kit.ts",
    text: `import { setTimeout as pause } from "node:timers/promises"; export const rest = () => pause(5);`,
    fence: `node:timers/promises setTimeout  ${sleeps}`,
  },
  {
    rule: "RE90",
    when: "a browser that sleeps",
    path: "tests/planted/browser.test.ts",
    text: `await deck.page.waitForTimeout(20);`,
    fence: `waitForTimeout  ${sleeps}`,
  },
  {
    rule: "RE90",
    when: "the test kit that sleeps",
    path: "src/testing/planted-sleep.ts",
    text: `export const rest = (act: () => void) => setTimeout(act, 10);`,
    fence: `setTimeout  ${sleeps}`,
  },
  {
    rule: "RE90",
    when: "a test that lets others go first, or asks for time with a reason",
    path: "tests/planted/turn.test.ts",
    text: `import { setImmediate as turn } from "node:timers/promises"; setTimeout(act); await letPass(5, "why");`,
  },
  {
    rule: "RE91",
    when: "a test with a time limit",
    path: "tests/planted/limit.test.ts",
    text: `test("takes long", async () => undefined, 120_000);`,
    fence: `a time limit  ${limits}`,
  },
  {
    rule: "RE91",
    when: "a table of tests with a time limit",
    path: "tests/planted/table.test.ts",
    text: `test.each([1])("takes long", async () => undefined, 120_000);`,
    fence: `a time limit  ${limits}`,
  },
  {
    rule: "RE91",
    when: "a hook with a time limit",
    path: "tests/planted/hook.test.ts",
    text: `beforeAll(build, 240_000);`,
    fence: `a time limit  ${limits}`,
  },
  {
    rule: "RE91",
    when: "a poll with a time limit",
    path: "tests/planted/poll.test.ts",
    text: `await expect.poll(count, { timeout: 2_000 }).toBe(1);`,
    fence: `a time limit  ${limits}`,
  },
  {
    rule: "RE91",
    when: "a page with a time limit",
    path: "tests/planted/page.test.ts",
    text: `page.setDefaultTimeout(20_000);`,
    fence: `a time limit  ${limits}`,
  },
  {
    rule: "RE91",
    when: "a limit of the program under test",
    path: "tests/planted/product.test.ts",
    text: `const settings = { timeoutMs: 150 }; page.setDefaultTimeout(patienceMs); test.each([1, 2])("n", act);`,
  },
];

test.each(plants)("[$rule] the fences judge $when", plantAll(plants));
