import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { letPass, until } from "../../src/testing/waiting.ts";
import { ensureBuilt, openHome, type TestHome } from "../cli/program.ts";
import { BridgeProcess, envelope } from "./bridge-process.ts";
import { malformedLines } from "./malformed-lines.ts";
import { startScript } from "./scripted-server.ts";

beforeAll(ensureBuilt);

const refused = (code: number, id: unknown = null) => ({
  jsonrpc: "2.0",
  id,
  error: { code, message: expect.any(String), data: { code: "INVALID_REQUEST", message: expect.any(String) } },
});

test.each(malformedLines)("[BR30] $what is refused and the connection lives on", async ({ line, code, id }) => {
  const bridge = new BridgeProcess(openHome());
  bridge.write(`${line}\n`);
  expect(await bridge.waitFor((frame) => frame.error !== undefined)).toEqual(refused(code, id));
  expect(await bridge.ask("ping")).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  expect(await bridge.hangUp()).toBe(0);
});

test("[BR30] a line over 8 MiB is refused once, without holding it, and the connection lives on", async () => {
  const bridge = new BridgeProcess(openHome());
  for (let part = 0; part < 40; part += 1) bridge.write("x".repeat(1024 * 1024));
  bridge.write("\n");
  expect(await bridge.ask("ping")).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  expect(bridge.frames).toEqual([refused(-32600), { jsonrpc: "2.0", id: 1, result: {} }]);
});

test("[BR38] a request over 8 MiB is refused with its own id, also where that stands last", async () => {
  const bridge = new BridgeProcess(openHome());
  const large = "x".repeat(9 * 1024 * 1024);
  bridge.write(`{"jsonrpc":"2.0","id":41,"method":"tools/call","params":{"id":1,"text":"${large}"}}\n`);
  bridge.write(`{"method":"tools/call","params":{"id":1,"text":"${large}"},"jsonrpc":"2.0","id":"last"}\n`);
  expect(await bridge.ask("ping")).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  expect(bridge.frames.slice(0, 2)).toEqual([refused(-32600, 41), refused(-32600, "last")]);
});

test("[BR39] what is refused leaves its usage event where a server is connected, in either era", async () => {
  const home = openHome();
  for (const era of ["legacy", "modern"] as const) {
    const bridge = new BridgeProcess(home);
    if (era === "legacy") await bridge.initialize();
    await bridge.ask("tools/call", { name: "agent_list", ...(era === "modern" ? { _meta: envelope } : {}) });
    const before = await malformedCalls(home);
    bridge.write("{no JSON\n");
    await bridge.waitFor((frame) => frame.error !== undefined);
    await until(async () => (await malformedCalls(home)) === before + 1);
    expect(await bridge.hangUp()).toBe(0);
  }
});

const malformedCalls = async (home: TestHome): Promise<number> => {
  const { url } = JSON.parse(readFileSync(join(home.dir, "server.json"), "utf8")) as { url: string };
  const { default: token } = JSON.parse(readFileSync(join(home.dir, "credentials.json"), "utf8")) as {
    default: string;
  };
  const answer = await fetch(`${url}/api/usage?kind=malformed`, { headers: { authorization: `Bearer ${token}` } });
  return ((await answer.json()) as { result: { events: unknown[] } }).result.events.length;
};

test("[BR31] blank lines are ignored, and a last line without its end is read", async () => {
  const bridge = new BridgeProcess(openHome());
  bridge.write('\n \r\n{"jsonrpc":"2.0","id":1,"method":"ping"}\r\n\n{"jsonrpc":"2.0","id":2,"method":"ping"}');
  expect(await bridge.hangUp()).toBe(0);
  expect(bridge.frames.map(({ id }) => id)).toEqual([1, 2]);
});

test("[BR32] a message cut anywhere is put together again, whatever letters it has", async () => {
  const { url } = await startScript(({ id, params }, pipe) => pipe.say({ id, result: params ?? {} }));
  const bridge = new BridgeProcess(openHome({ COVIBE_BASE_URL: url }));
  const bytes = Buffer.from(
    `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "x/echo", params: { text: "Grüße 🚀" } })}\n`,
  );
  for (const byte of bytes) {
    bridge.child.stdin?.write(Buffer.of(byte));
    await new Promise(setImmediate);
  }
  expect((await bridge.answerTo(1)).result).toEqual({ text: "Grüße 🚀" });
});

test("[BR32] stderr is silent, and talks when debugging is asked for", async () => {
  const { url } = await startScript((_frame, pipe) => pipe.die());
  const quiet = new BridgeProcess(openHome({ COVIBE_BASE_URL: url }));
  const loud = new BridgeProcess(openHome({ COVIBE_BASE_URL: url, MCP_LOG_LEVEL: "debug" }));
  await Promise.all([quiet.call("agent_list"), loud.call("agent_list")]);
  await until(() => loud.stderr.includes("the connection to the server is lost"));
  expect(quiet.stderr).toBe("");
});

test("[BR33] what is under way when the client hangs up is finished", async () => {
  const { url, pipes } = await startScript(() => undefined);
  const bridge = new BridgeProcess(openHome({ COVIBE_BASE_URL: url }));
  const id = bridge.post("tools/call", { name: "agent_list" });
  await until(() => pipes[0]?.frames[0] !== undefined);
  const ended = bridge.hangUp();
  pipes[0]?.say({ id, result: { late: true } });
  expect(await ended).toBe(0);
  expect(bridge.frames).toEqual([{ jsonrpc: "2.0", id, result: { late: true } }]);
});

test.each([
  "SIGTERM",
  "SIGINT",
] as const)("[BR34] %s ends the bridge with 0 although calls are under way", async (signal) => {
  const { url, pipes } = await startScript(() => undefined);
  const bridge = new BridgeProcess(openHome({ COVIBE_BASE_URL: url }));
  bridge.post("tools/call", { name: "agent_list" });
  await until(() => pipes[0]?.frames[0] !== undefined);
  bridge.child.kill(signal);
  expect(await bridge.ended).toBe(0);
  expect(bridge.frames).toEqual([]);
});

test("[BR35] frames close to the limit pass whole in both directions while the client reads slowly", async () => {
  const { url } = await startScript(({ id, params }, pipe) => {
    const { text } = params?.["arguments"] as { text: string };
    pipe.say({ id, result: { text } });
  });
  const bridge = new BridgeProcess(openHome({ COVIBE_BASE_URL: url }));
  bridge.child.stdout?.pause();
  const texts = Array.from({ length: 6 }, (_, at) => String(at).repeat(7 * 1024 * 1024));
  const ids = texts.map((text) => bridge.post("tools/call", { name: "echo", arguments: { text } }));
  await letPass(500, "the client reads late");
  bridge.child.stdout?.resume();
  for (const [at, id] of ids.entries()) {
    expect((await bridge.answerTo(id)).result?.["text"] === texts[at]).toBe(true);
  }
});
