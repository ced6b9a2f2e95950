import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { until } from "../../src/testing/waiting.ts";
import { crewdeck, crewdeckJson, ensureBuilt, openHome, programFile, type TestHome } from "./program.ts";

beforeAll(ensureBuilt);

interface Started {
  readonly code: string;
  readonly ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

/** `crewdeck login` until it shows its code. */
async function login(home: TestHome, args: readonly string[]): Promise<Started> {
  const child = spawn(process.execPath, [programFile, "login", "--json", ...args], { env: home.env, stdio: "pipe" });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
  await until(() => stdout.includes("\n") || child.exitCode !== null);
  const [line = ""] = stdout.split("\n");
  return { code: (JSON.parse(line) as { user_code: string }).user_code, ended };
}

async function openBoth() {
  const [server, machine] = [openHome(), openHome()];
  const { url } = await crewdeckJson<{ url: string }>(server, "up");
  return { server, machine, url };
}

test("[BR43, DF12, DF13] login shows a code, waits for approval and adds the tokens to the credentials of that server", async () => {
  const { server, machine, url } = await openBoth();
  mkdirSync(machine.dir, { recursive: true });
  const file = join(machine.dir, "credentials.json");
  const before = { default: "cdk_mine", agents: { cursor: "cdk_old", codex: "cdk_stale" } };
  writeFileSync(file, JSON.stringify(before), { mode: 0o600 });

  const { code, ended } = await login(machine, ["--base-url", url, "--agents", "codex,claude-code", "--name", "box"]);
  const waiting = await crewdeckJson<{ devices: object[] }>(server, "device", "list");
  expect(waiting.devices).toMatchObject([{ machine_name: "box", status: "pending" }]);
  const approved = await crewdeck(server, ["device", "approve", code.toLowerCase()]);
  expect(approved).toEqual({ code: 0, stdout: "box (codex, claude-code) is approved.\n", stderr: "" });

  const { code: exit, stdout, stderr } = await ended;
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
  expect(JSON.parse(stdout.split("\n")[1] ?? "")).toEqual({ agents: ["codex", "claude-code"], credentials: file });
  expect(stdout).not.toContain("cdk_");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const token = expect.stringMatching(/^cdk_tok/);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
    ...before,
    agents: { ...before.agents, codex: token, "claude-code": token },
    servers: { [url]: { agents: { codex: token, "claude-code": token } } },
  });
  // A client that servers give no token of its own is known by any of them; doctor and setup see it as well.
  const there = { ...machine, env: { ...machine.env, COVIBE_BASE_URL: url, COVIBE_AGENT: "gemini" } };
  expect((await crewdeck(there, ["call", "agent_list"])).code).toBe(0);
  const { checks } = JSON.parse((await crewdeck(there, ["doctor", "--json"])).stdout) as { checks: object[] };
  expect(checks).toContainEqual(expect.objectContaining({ check: "token", detail: "found" }));
  const elsewhere = { ...there, env: { ...there.env, COVIBE_BASE_URL: "http://127.0.0.1:9" } };
  const away = JSON.parse((await crewdeck(elsewhere, ["doctor", "--json"])).stdout) as { checks: object[] };
  expect(away.checks).toContainEqual(
    expect.objectContaining({ check: "token", fix: expect.stringContaining("crewdeck login --base-url") }),
  );
});

test("[DF12, DF13] a machine that is denied ends with 1 and changes nothing, and so does a wrong code", async () => {
  const { server, machine, url } = await openBoth();
  const { code, ended } = await login(machine, ["--base-url", url]);
  expect((await crewdeck(server, ["device", "approve", "AAAA-AAAA"])).code).toBe(1);
  expect((await crewdeck(server, ["device", "deny", code])).code).toBe(0);
  const { code: exit, stdout } = await ended;
  expect(exit).toBe(1);
  expect(JSON.parse(stdout.split("\n")[1] ?? "")).toMatchObject({ code: "FORBIDDEN" });
  expect(() => statSync(join(machine.dir, "credentials.json"))).toThrow("ENOENT");
});

test.each([
  { what: "no address", args: [], exit: 2 },
  { what: "an address with a path", args: ["--base-url", "https://deck.example/x"], exit: 2 },
  { what: "an address with credentials", args: ["--base-url", "https://a:b@deck.example"], exit: 2 },
  { what: "a server that is not there", args: ["--base-url", "http://127.0.0.1:1"], exit: 3 },
])("[DF12] $what ends login with $exit", async ({ args, exit }) => {
  expect((await crewdeck(openHome(), ["login", ...args])).code).toBe(exit);
});

test("[US35, BU8] usage and budgets are read and set from the command line", async () => {
  const home = openHome();
  const payload = { id: "m1", model: "claude-sonnet-4-5", usage: { input_tokens: 1_000_000, output_tokens: 0 } };
  const empty = await crewdeck(home, ["usage"]);
  expect(empty.stdout).toContain("No usage reported");
  await crewdeckJson(
    home,
    "call",
    "covibe_ingest_agent_telemetry",
    "--input",
    JSON.stringify({ source: "claude", payload }),
  );
  expect(
    (await crewdeck(home, ["usage", "--by", "model"])).stdout.split("\n").map((line) => line.split(/ {2,}/)),
  ).toEqual([
    ["MODEL", "REPORTS", "INPUT", "OUTPUT", "CACHED", "COST"],
    ["claude-sonnet-4-5", "1", "1,000,000", "0", "0", "$3.00"],
    ["total", "1", "1,000,000", "0", "0", "$3.00"],
    [""],
  ]);
  expect((await crewdeck(home, ["usage", "--csv"])).stdout).toMatch(/^key,label,.*\r\nclaude-sonnet-4-5,/);
  expect(await crewdeckJson(home, "usage", "--provenance", "inferred")).toMatchObject({ groups: [] });
  expect((await crewdeck(home, ["usage", "--by", "weather"])).code).toBe(2);

  const { developers } = await crewdeckJson<{ developers: { handle: string }[] }>(home, "developer", "list");
  const handle = developers[0]?.handle ?? "";
  expect(await crewdeckJson(home, "budget", "set", "2.50", "--developer", handle)).toMatchObject({
    limit_usd: 2.5,
    spent_usd: 3,
    passed_at: expect.any(String),
  });
  expect((await crewdeck(home, ["budget", "list"])).stdout).toMatch(/\$3\.00 +\$2\.50 +exceeded/);
  expect((await crewdeck(home, ["budget", "set", "none", "--developer", handle])).code).toBe(0);
  expect((await crewdeck(home, ["budget", "list"])).stdout).toContain("No budgets");
  expect((await crewdeck(home, ["budget", "set", "lots", "--developer", handle])).code).toBe(2);
});

test("[US25] a server prices with its config.json", async () => {
  const home = openHome();
  mkdirSync(home.dir, { recursive: true });
  writeFileSync(join(home.dir, "config.json"), JSON.stringify({ prices: { "in-house-*": { input: 2, output: 4 } } }));
  const report = { source: "proxy", payload: { model: "in-house-8b", input: 500_000, output: 250_000 } };
  const { data } = await crewdeckJson<{ data: object }>(
    home,
    "call",
    "covibe_ingest_agent_telemetry",
    "--input",
    JSON.stringify(report),
  );
  expect(data).toMatchObject({ cost_usd: 2, cost_source: "price_table", price_version: "configured" });
});
