import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { homeAt } from "../../src/adapters/home.ts";
import { readSettings } from "../../src/adapters/settings.ts";
import type { AnyTool } from "../../src/contract/tool.ts";
import { limitTime, timeoutOf } from "../../src/engine/time-limit.ts";
import { letPass } from "../../src/testing/waiting.ts";
import { ask, callTool } from "../http/raw.ts";
import { openServer } from "../http/routes.ts";
import { payloadOf, ways } from "./clients.ts";
import { slowTools } from "./slow-tools.ts";

const toolNamed = (name: string): AnyTool => {
  const tool = slowTools.find((candidate) => candidate.name === name);
  if (!tool) throw new Error(name);
  return tool;
};

describe("limits", () => {
  test.each([
    ["its own setting", "slow_write", { slow_write: 5 }, 7, 5],
    ["its own setting of none", "slow_write", { slow_write: 0 }, 7, 0],
    ["the global setting", "slow_write", { slow_read: 5 }, 7, 7],
    ["the global setting of none", "slow_write", {}, 0, 0],
    ["its own default", "slow_write", {}, undefined, 30_000],
    ["two minutes", "slow_read", {}, undefined, 120_000],
  ])("[MC60] %s comes before what follows", (_what, name, toolTimeoutsMs, timeoutMs, expected) => {
    expect(timeoutOf({ toolTimeoutsMs, timeoutMs, checksReplies: false }, toolNamed(name), {})).toBe(expected);
  });

  test("[MC60] settings come from the home's file and from MCP_TOOL_TIMEOUT", () => {
    const dir = mkdtempSync(join(tmpdir(), "crewdeck-settings-"));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    writeFileSync(join(dir, "config.json"), JSON.stringify({ toolTimeouts: { search: 900 } }));
    expect(readSettings(homeAt(dir), { MCP_TOOL_TIMEOUT: "500" })).toMatchObject({
      toolTimeoutsMs: { search: 900 },
      timeoutMs: 500,
    });
    expect(readSettings(homeAt(dir), {})).toMatchObject({ timeoutMs: undefined });
    expect(readSettings(homeAt(dir), { MCP_TOOL_TIMEOUT: "0" })).toMatchObject({ timeoutMs: 0 });
    for (const wrong of ["-1", "1.5", "soon"])
      expect(() => readSettings(homeAt(dir), { MCP_TOOL_TIMEOUT: wrong })).toThrow();
  });
});

test("[MC60] a limit that is longer than any timer runs out late, not at once", async () => {
  const long = { toolTimeoutsMs: {}, timeoutMs: 2 ** 31, checksReplies: true };
  const limit = limitTime({ settings: long, tool: toolNamed("slow_read"), input: {} }, undefined);
  await letPass(50, "a timer that is too long fires at once");
  expect(limit.signal.aborted).toBe(false);
  limit.clear();
});

const settings = {
  toolTimeoutsMs: { slow_write: 120, slow_read: 0, agent_list: 0 },
  timeoutMs: 150,
  checksReplies: true,
};

describe.each(ways)("time runs out, $name", ({ connect }) => {
  test("[MC61] the answer is TOOL_TIMEOUT with the limit, and nothing was done", async () => {
    const server = await openServer({ tools: slowTools, settings });
    const client = await connect(server);
    for (const [name, timeoutMs] of [
      ["slow_write", 120],
      ["late_write", 150],
      ["slow_look", 150],
      ["progressing", 150],
    ] as const) {
      const args = name === "progressing" ? { steps: 100, ms: 20 } : { ms: 500, name: "Too late" };
      const result = await client.callTool({ name, arguments: args });
      expect(result["isError"]).toBe(true);
      expect(payloadOf(result)).toMatchObject({ code: "TOOL_TIMEOUT", timeoutMs });
    }
    await letPass(600, "by now the late ones would have written");
    expect(await callTool(server, "agent_list")).toEqual({ agents: [] });
    const kinds = (await server.house.entries("work")).map(({ kind }) => kind);
    expect(kinds).not.toContain("agent.registered");
    expect(payloadOf(await client.callTool({ name: "slow_read", arguments: { ms: 300, tag: "no limit" } }))).toEqual({
      tag: "no limit",
    });
  });
});

test("[MC61] over plain HTTP it is 408 with the limit in the details", async () => {
  const server = await openServer({ tools: slowTools, settings });
  const answer = await ask(server, "POST", "/api/tools/slow_write", { body: { ms: 10_000, name: "Too late" } });
  expect(answer.status).toBe(408);
  expect(answer.json()).toMatchObject({ ok: false, error: { code: "TOOL_TIMEOUT", details: { timeoutMs: 120 } } });
  expect(await callTool(server, "agent_list")).toEqual({ agents: [] });
});
