import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { toolVersion } from "../../src/contract/versions.ts";
import { crewdeck, ensureBuilt, openHome } from "./program.ts";

beforeAll(ensureBuilt);

const commands = [
  "up",
  "serve",
  "stop",
  "demo",
  "status",
  "board",
  "next",
  "inbox",
  "answer",
  "wait",
  "sessions",
  "agent",
  "review",
  "workflow",
  "mission",
  "issue",
  "task",
  "checks",
  "log",
  "summary",
  "search",
  "mcp",
  "call",
  "tools",
  "developer",
  "token",
  "setup",
  "login",
  "device",
  "usage",
  "telemetry",
  "watch",
  "budget",
  "settings",
  "backup",
  "restore",
  "verify",
  "vault",
  "conflicts",
  "behind",
  "pr",
  "completion",
  "doctor",
];
const subcommands = [
  "developer create",
  "developer list",
  "developer update",
  "token create",
  "token list",
  "token revoke",
  "device approve",
  "device deny",
  "device list",
  "budget set",
  "budget list",
  "workflow list",
  "workflow show",
  "mission list",
  "mission show",
  "issue resolve",
  "task add",
  "task start",
  "task done",
  "task diff",
  "checks show",
  "checks allow",
  "checks forbid",
  "verify task",
  "vault list",
  "vault restore",
];

test("[CL1] help lists exactly the commands that exist", async () => {
  const { code, stdout } = await crewdeck(openHome(), ["--help"]);
  const listed = stdout
    .slice(stdout.indexOf("Commands:"))
    .split("\n")
    .flatMap((line) => /^ {2}([a-z]+)\b/.exec(line)?.[1] ?? []);
  expect(code).toBe(0);
  expect(listed).toEqual([...commands, "help"]);
});

test.each([
  ...commands,
  ...subcommands,
])("[CL1] %s has a help text with examples and the common options", async (words) => {
  const home = openHome();
  const { code, stdout, stderr } = await crewdeck(home, [...words.split(" "), "--help"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain(`Usage: crewdeck ${words}`);
  expect(stdout).toContain("Examples:\n  $ crewdeck");
  for (const option of ["--home", "--json", "--quiet"]) expect(stdout).toContain(option);
  expect(existsSync(home.dir)).toBe(false);
});

test.each([
  { what: "an unknown command", args: ["nonsense"], says: "unknown command" },
  { what: "an unknown command of a group", args: ["developer", "nonsense"], says: "See: crewdeck developer --help" },
  { what: "an unknown option", args: ["stop", "--nonsense"], says: "unknown option" },
  { what: "a missing argument", args: ["token", "revoke"], says: "missing required argument" },
  { what: "an argument too many", args: ["stop", "now"], says: "too many arguments" },
  { what: "a group without its command", args: ["developer"], says: "Usage: crewdeck developer" },
  { what: "a port that is none", args: ["serve", "--port", "http"], says: "The port must be a number" },
  { what: "a search for nothing", args: ["search"], says: "Pass words" },
  { what: "an agent with nothing to do", args: ["agent", "start"], says: "Pass --prompt or --task" },
  { what: "a limit that is none", args: ["log", "--limit", "all"], says: "whole number" },
  { what: "an unknown tool in a list", args: ["tools", "--tools", "nonsense"], says: "nonsense" },
  {
    what: "a base address with a path",
    args: ["status"],
    says: "COVIBE_BASE_URL",
    env: { COVIBE_BASE_URL: "http://a/b" },
  },
])("[CL3] $what is wrong use", async ({ args, says, env }) => {
  const home = openHome(env);
  const { code, stdout, stderr } = await crewdeck(home, args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(says);
  expect(existsSync(home.dir)).toBe(false);
});

test.each([
  ["developer add", "developer create"],
  ["token add", "token create"],
  ["task create", "task add"],
])("[CL3] %s is %s", async (alias, words) => {
  const { code, stdout } = await crewdeck(openHome(), [...alias.split(" "), "--help"]);
  expect(code).toBe(0);
  expect(stdout).toContain(`$ crewdeck ${words}`);
});

test("[CL4] --version prints the version", async () => {
  expect(await crewdeck(openHome(), ["--version"])).toEqual({ code: 0, stdout: `${toolVersion}\n`, stderr: "" });
});

test("[CL5] the common options may stand before or after the command", async () => {
  const home = openHome();
  const elsewhere = join(home.dir, "..", "elsewhere");
  mkdirSync(elsewhere, { recursive: true });
  const expected = { code: 3, stdout: `${JSON.stringify({ running: false, home: elsewhere })}\n`, stderr: "" };
  expect(await crewdeck(home, ["--home", elsewhere, "--json", "status"])).toEqual(expected);
  expect(await crewdeck(home, ["status", "--json", `--home=${elsewhere}`])).toEqual(expected);
});

test("[CL35] tools shows what a client would be shown, and what it costs", async () => {
  const home = openHome();
  const listed = async (...args: string[]) =>
    JSON.parse((await crewdeck(home, ["tools", "--json", ...args])).stdout) as {
      tools: { name: string }[];
      tokens: number;
    };
  const [core, all, reading] = [
    await listed(),
    await listed("--tools", "all"),
    await listed("--tools", "all", "--read-only"),
  ];
  expect(core.tokens).toBeLessThanOrEqual(2_000);
  expect(core.tools.map(({ name }) => name)).toContain("find_tools");
  expect(all.tools.length).toBeGreaterThan(core.tools.length);
  expect(await listed("--client", "codex-mcp-client")).toEqual(all);
  expect(reading.tools.length).toBeLessThan(all.tools.length);
  const { stdout } = await crewdeck(home, ["tools"]);
  expect(stdout).toContain(`${core.tools.length} tools, about ${core.tokens.toLocaleString("en-US")} tokens`);
  expect(existsSync(home.dir)).toBe(false);
});

test("[CL36] call shows the flags of a tool", async () => {
  const { code, stdout } = await crewdeck(openHome(), ["call", "message_send", "--help"]);
  expect(code).toBe(0);
  expect(stdout).toContain("Usage: crewdeck call message_send");
  expect(stdout).toMatch(/--recipient-id +string +The agent to write to\. Required\./);
  expect(stdout).toMatch(/--priority +low\|normal\|high\|urgent/);
});

test("[CL3] call without a tool is wrong use and shows how it is meant", async () => {
  const { code, stdout } = await crewdeck(openHome(), ["call"]);
  expect(code).toBe(2);
  expect(stdout).toContain("Usage: crewdeck call");
});

test.each([
  { what: "a list", input: "[]" },
  { what: "no JSON", input: "{" },
  { what: "a file that is not there", input: "@/nowhere/input.json" },
])("[CL31] $what as input is wrong use, told as JSON, and starts nothing", async ({ input }) => {
  const home = openHome();
  const { code, stdout } = await crewdeck(home, ["call", "agent_list", "--input", input]);
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({ code: "INVALID_REQUEST" });
  expect(existsSync(home.dir)).toBe(false);
});

test("[CL34] a server that COVIBE_BASE_URL names but that cannot be reached is 3, and none is started", async () => {
  const home = openHome({ COVIBE_BASE_URL: "http://127.0.0.1:1", COVIBE_MCP_TOKEN: "cdk_x" });
  for (const args of [["status"], ["call", "agent_list"], ["token", "list"], ["log"]]) {
    expect((await crewdeck(home, args)).code).toBe(3);
  }
  expect(existsSync(home.dir)).toBe(false);
});

test("[CL34] a server that cannot be started is 3, with what to do", async () => {
  const home = openHome();
  writeFileSync(home.dir, "in the way");
  const { code, stderr } = await crewdeck(home, ["developer", "list"]);
  expect(code).toBe(3);
  expect(stderr).toContain("Choose another home");
});
