import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHome, crewdeck, crewdeckJson, ensureBuilt, type TestHome } from "./program.ts";

const identity = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "user.name", GIT_CONFIG_VALUE_0: "Olga Example" };
const { home, close } = createHome(identity);
let demo: TestHome;

/** What Node is told to load a file from beside this one before the program. */
const loading = (name: string): string => `--import ${pathToFileURL(join(import.meta.dirname, name))}`;

beforeAll(async () => {
  await ensureBuilt();
  const env = { ...home.env, NODE_OPTIONS: loading("unhurried.mjs") };
  const { home: dir } = await crewdeckJson<{ home: string }>({ ...home, env }, "demo");
  demo = { dir, env: { ...home.env, CREWDECK_HOME: dir } };
});

afterAll(async () => {
  await crewdeck(home, ["demo", "--remove"]);
  await close();
});

const commands = [
  "status",
  "board",
  "sessions",
  "inbox",
  "inbox --everyone",
  "log",
  "log --about task",
  "workflow list",
  "workflow show Faster checkout",
  "mission list",
  "mission show Sign in with passkeys",
  "usage",
  "usage --by developer",
  "usage --by task",
  "usage --outcomes agent",
  "agent list",
  "review list",
  "pr list",
  "budget list",
  "developer list",
  "token list",
  "device list",
  "next",
  "vault list",
  "settings",
  "tools",
];

async function show(command: string, width: number): Promise<string> {
  const [, words = command, name] = /^(\w+ show) (.+)$/.exec(command) ?? [];
  const env = { ...demo.env, COLUMNS: String(width), NODE_OPTIONS: loading("later.mjs") };
  const { code, stdout, stderr } = await crewdeck({ ...demo, env }, [...words.split(" "), ...(name ? [name] : [])]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

/** What is different every time, each as long as it was. */
const settled = (text: string): string =>
  text
    .replaceAll(/\b(tk|ag|wf|tok|cp|msg|chk)_[0-9a-z]{5,}/g, (id, kind: string) => `${kind}_`.padEnd(id.length, "x"))
    .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:PORT")
    .replaceAll(/process \d+|process …/g, "process PID")
    .replaceAll(/up \d+ \w+/g, "up TIME")
    .replaceAll(/\S*\/crewdeck\.db/g, "HOME/crewdeck.db");

/** When a token was last used is noted a little later than it was used. */
function withoutUse(text: string): string {
  const [heading = "", ...rows] = text.split("\n");
  const [from, to] = [heading.indexOf("USED"), heading.indexOf("EXPIRES")];
  return from === -1 || to === -1
    ? text
    : [heading, ...rows].map((line) => line.slice(0, from) + line.slice(to)).join("\n");
}

/** Rows that changed in the same moment stand in any order. */
const inOrder = (text: string): string =>
  text
    .split("\n\n")
    .map((block) => {
      const [first = "", ...rest] = block.trimEnd().split("\n");
      return [first, ...rest.sort()].join("\n");
    })
    .join("\n\n");

const ordered = new Set([
  "log --about task",
  "log",
  "inbox",
  "inbox --everyone",
  "mission show Sign in with passkeys",
  "tools",
  "settings",
]);

/** What they show is defined elsewhere and changes with it. */
const derived = new Set(["tools", "settings"]);

describe.each([60, 80, 200])("at %i columns", (width) => {
  test.each(commands)("[CL94] %s fits", async (command) => {
    const shown = settled(await show(command, width));
    if (!derived.has(command)) expect(ordered.has(command) ? shown : inOrder(withoutUse(shown))).toMatchSnapshot();
    // A command to copy stays whole, and so do a path and an address.
    const prose = shown.split("\n").filter((line) => !/crewdeck |HOME|http:/.test(line));
    expect(prose.filter((line) => [...line].length > width)).toEqual([]);
  });
});
