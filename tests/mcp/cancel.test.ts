import { once } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
import { Cancellations } from "../../src/transports/mcp/cancellations.ts";
import { callTool } from "../http/raw.ts";
import { type OpenServer, openServer } from "../http/routes.ts";
import { modernMeta, RawPipe } from "./pipe.ts";
import { postMcp } from "./post.ts";
import { slowCalls, slowTools } from "./slow-tools.ts";

const eras = ["legacy", "modern"] as const;

async function open(
  era: (typeof eras)[number],
): Promise<{ server: OpenServer; pipe: RawPipe; call: typeof RawPipe.prototype.callTool }> {
  const server = await openServer({ tools: slowTools });
  const pipe = await RawPipe.open(server);
  onTestFinished(() => pipe.close());
  if (era === "legacy") await pipe.handshake();
  const call = (id: string | number, name: string, args: unknown) =>
    pipe.callTool(id, name, args, era === "modern" ? modernMeta : undefined);
  if (era === "modern") await pipe.request("first", "tools/list", { _meta: modernMeta });
  return { server, pipe, call };
}

const namesIn = async (server: OpenServer): Promise<string[]> =>
  (await callTool<{ agents: { name: string }[] }>(server, "agent_list")).agents.map(({ name }) => name);

const codesIn = async (server: OpenServer): Promise<unknown[]> =>
  (await server.house.entries("usage")).flatMap(({ data }) => (data["tool"] === "slow_write" ? [data["code"]] : []));

const slowWrite = { ms: 30_000, name: "Half made" };

describe.each(eras)("cancelling in the %s era", (era) => {
  test("[MC40] a cancelled notification ends the call without an answer and without effect", async () => {
    const { server, pipe, call } = await open(era);
    const isUnderWay = once(slowCalls, "slow_write");
    const answer = call(1, "slow_write", slowWrite).then(
      () => "answered",
      () => "closed",
    );
    await isUnderWay;
    pipe.notify("notifications/cancelled", { requestId: 1, reason: "changed my mind" });
    await expect.poll(() => codesIn(server)).toEqual(["CANCELLED"]);
    expect(await namesIn(server)).toEqual([]);
    expect((await call(2, "slow_read", { ms: 0 })).result).toMatchObject({ structuredContent: { tag: "" } });
    expect(pipe.received.filter(({ id }) => id === 1)).toEqual([]);
    pipe.close();
    expect(await answer).toBe("closed");
  });

  test("[MC41] $/cancelRequest is answered CANCELLED, without effect", async () => {
    const { server, pipe, call } = await open(era);
    const isUnderWay = once(slowCalls, "slow_write");
    const answer = call(1, "slow_write", slowWrite);
    await isUnderWay;
    pipe.notify("$/cancelRequest", { id: 1 });
    expect((await answer).result).toMatchObject({ isError: true, structuredContent: { code: "CANCELLED" } });
    expect(await namesIn(server)).toEqual([]);
    expect(await codesIn(server)).toEqual(["CANCELLED"]);
  });

  test("[MC41] it works also in one packet with its call", async () => {
    const { server, pipe } = await open(era);
    const params = { name: "slow_write", arguments: slowWrite, ...(era === "modern" ? { _meta: modernMeta } : {}) };
    const frames = [
      { jsonrpc: "2.0", id: 1, method: "tools/call", params },
      { jsonrpc: "2.0", method: "$/cancelRequest", params: { id: 1 } },
    ];
    pipe.send(frames.map((frame) => JSON.stringify(frame)).join("\n"));
    expect((await pipe.answerTo(1)).result).toMatchObject({ isError: true, structuredContent: { code: "CANCELLED" } });
    expect(await namesIn(server)).toEqual([]);
  });

  test("[MC42] a cancellation of what is over or was never asked changes nothing", async () => {
    const { server, pipe, call } = await open(era);
    await call(1, "slow_write", { ms: 0, name: "Made" });
    for (const id of [1, "never", 99]) {
      pipe.notify("$/cancelRequest", { id });
      pipe.notify("notifications/cancelled", { requestId: id });
    }
    for (const params of [undefined, {}, { id: {} }, { id: null }]) pipe.notify("$/cancelRequest", params);
    expect((await call(2, "slow_read", { ms: 0 })).result).toHaveProperty("isError", false);
    expect(await namesIn(server)).toEqual(["Made"]);
    expect(pipe.received.filter(({ error }) => error)).toEqual([]);
  });
});

describe("cancelling over HTTP", () => {
  const headers = { accept: "application/json, text/event-stream" };
  const handshake = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };

  test("[MC41] a session's call is cancelled by a later request of the session", async () => {
    const server = await openServer({ tools: slowTools });
    const opened = await postMcp(server, { jsonrpc: "2.0", id: 0, method: "initialize", params: handshake });
    const session = { headers: { ...headers, "mcp-session-id": String(opened.headers["mcp-session-id"]) } };
    const params = { name: "slow_write", arguments: slowWrite };
    const isUnderWay = once(slowCalls, "slow_write");
    const answer = postMcp(server, { jsonrpc: "2.0", id: 1, method: "tools/call", params }, session);
    await isUnderWay;
    await postMcp(server, { jsonrpc: "2.0", method: "$/cancelRequest", params: { id: 1 } }, session);
    expect((await answer).message.result).toMatchObject({ isError: true, structuredContent: { code: "CANCELLED" } });
    expect(await namesIn(server)).toEqual([]);
  });
});

test("[MC42] ids that were cancelled and never called are not kept for ever", () => {
  const cancellations = new Cancellations();
  const { signal } = new AbortController();
  for (let id = 0; id < 5_000; id += 1) cancellations.cancel(id);
  expect(cancellations.begin(0, signal).aborted).toBe(false);
  expect(cancellations.begin(4_999, signal).aborted).toBe(true);
});
