import { PassThrough, Writable } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
import { letPass } from "../../src/testing/waiting.ts";
import { largestFrame } from "../../src/transports/json-guard.ts";
import { FrameTransport } from "../../src/transports/mcp/frames.ts";
import { useServer } from "../http/server.ts";
import { modernMeta, RawPipe } from "./pipe.ts";
import { postMcp } from "./post.ts";

const server = useServer();
const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" });

async function openPipe(): Promise<RawPipe> {
  const pipe = await RawPipe.open(server);
  onTestFinished(() => pipe.close());
  await pipe.handshake();
  return pipe;
}

/** What comes back for one frame, and that the connection still works. */
async function refusalOf(frame: string): Promise<unknown> {
  const pipe = await openPipe();
  const before = pipe.received.length;
  pipe.send(frame);
  await pipe.request("after", "ping");
  const answers = pipe.received.slice(before, -1);
  expect(answers).toHaveLength(1);
  const { id, error } = answers[0] ?? { id: undefined };
  expect(error?.data?.["code"]).toBe("INVALID_REQUEST");
  return [error?.code, id];
}

const deep = `${"[".repeat(101)}${"]".repeat(101)}`;

const faults: [string, string, [number, unknown]][] = [
  ["no JSON", "nonsense", [-32700, null]],
  ["half a message", '{"jsonrpc":"2.0","id":1,', [-32700, null]],
  ["two messages on a line", '{"jsonrpc":"2.0","id":1,"method":"ping"}{}', [-32700, null]],
  ["a batch", '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', [-32600, null]],
  ["an empty batch", "[]", [-32600, null]],
  ["a number", "5", [-32600, null]],
  ["null", "null", [-32600, null]],
  ["a text", '"ping"', [-32600, null]],
  ["an empty object", "{}", [-32600, null]],
  ["another version of JSON-RPC", '{"jsonrpc":"1.0","id":7,"method":"ping"}', [-32600, 7]],
  ["an id that is null", '{"jsonrpc":"2.0","id":null,"method":"ping"}', [-32600, null]],
  ["an id with a fraction", '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', [-32600, null]],
  ["an id that is an object", '{"jsonrpc":"2.0","id":{},"method":"ping"}', [-32600, null]],
  ["a method that is a number", '{"jsonrpc":"2.0","id":7,"method":5}', [-32600, 7]],
  ["an answer without a result", '{"jsonrpc":"2.0","id":7}', [-32600, 7]],
  ["params that are a list", '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[]}', [-32602, 7]],
  ["params that are null", '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":null}', [-32602, 7]],
  ["_meta that is a number", '{"jsonrpc":"2.0","id":7,"method":"ping","params":{"_meta":5}}', [-32602, 7]],
  ["a key given twice", '{"jsonrpc":"2.0","id":7,"method":"ping","method":"ping"}', [-32600, 7]],
  ["a prototype", '{"jsonrpc":"2.0","id":7,"method":"ping","params":{"__proto__":{"x":1}}}', [-32600, 7]],
  ["an infinite number", '{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":1e999}}', [-32600, 7]],
  ["nesting of 101 levels", `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":${deep}}}`, [-32600, null]],
  ["bytes that are no UTF-8", Buffer.from([0x22, 0xff, 0xfe]).toString("latin1"), [-32700, null]],
];

describe("frames", () => {
  test.each(faults)("[MC30] %s is refused and the connection lives on", async (_what, frame, expected) => {
    expect(await refusalOf(frame)).toEqual(expected);
  });

  test("[MC30] the stateless era gets the same refusals", async () => {
    const pipe = await RawPipe.open(server);
    await pipe.request(1, "tools/list", { _meta: modernMeta });
    for (const [, frame] of faults) pipe.send(frame);
    await pipe.request("after", "tools/list", { _meta: modernMeta });
    const codes = pipe.received.flatMap(({ error }) => (error ? [error.code] : []));
    expect(codes).toEqual(faults.map(([, , [code]]) => code));
    pipe.close();
  });

  test("[MC31] a frame over 8 MiB is refused once and skipped, one just below is served", async () => {
    const pipe = await openPipe();
    const frame = (id: number, size: number) => {
      const [head, tail] = [`{"jsonrpc":"2.0","id":${id},"method":"ping","params":{"x":"`, '"}}'];
      return `${head}${"x".repeat(size - head.length - tail.length)}${tail}`;
    };
    const before = pipe.received.length;
    pipe.send(frame(4, largestFrame + 1));
    pipe.send(frame(5, 3 * largestFrame));
    pipe.send(ping(6));
    await pipe.answerTo(6);
    expect(pipe.received.slice(before).map(({ id, error }) => [id, error?.code])).toEqual([
      [4, -32600],
      [5, -32600],
      [6, undefined],
    ]);
    pipe.send(frame(7, largestFrame));
    expect((await pipe.answerTo(7)).result).toEqual({});
  });

  test("[MC32] blank lines, carriage returns and unknown members are passed over", async () => {
    const pipe = await openPipe();
    pipe.send("");
    pipe.send("   ");
    pipe.send(`${JSON.stringify({ ...ping(1), extra: true, result: 5 })}\r`);
    expect(await pipe.answerTo(1)).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  });

  test("[MC32] frames may arrive cut anywhere, also within a character", async () => {
    const pipe = await openPipe();
    const call = { name: "agent_register", arguments: { name: "Zoë 🦉 Ω", runtime: "custom" } };
    const bytes = Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call })}\n`);
    for (const byte of bytes) {
      pipe.sendBytes(Uint8Array.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await pipe.answerTo(1)).result).toMatchObject({ structuredContent: { name: "Zoë 🦉 Ω" } });
  });

  test("[MC32] many frames in one packet are all answered, in any order but each once", async () => {
    const pipe = await openPipe();
    const ids = Array.from({ length: 500 }, (_, id) => id);
    pipe.send(ids.map((id) => JSON.stringify(ping(id))).join("\n"));
    await Promise.all(ids.map((id) => pipe.answerTo(id)));
    expect(pipe.received.filter(({ id }) => typeof id === "number")).toHaveLength(500);
  });

  test("[MC33] a client that closes its side after its calls still gets their answers", async () => {
    const pipe = await openPipe();
    for (let id = 1; id <= 20; id += 1) {
      pipe.send({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "repository_list", arguments: {} } });
    }
    pipe.socket.end();
    await pipe.closed;
    expect(pipe.received.filter(({ id, result }) => typeof id === "number" && result)).toHaveLength(20);
  });

  test("[MC34] a client that does not read is not listened to until it does", async () => {
    const input = new PassThrough();
    const unread: (() => void)[] = [];
    const output = new Writable({ highWaterMark: 16_384, write: (_chunk, _encoding, done) => void unread.push(done) });
    const transport = new FrameTransport(input, output, { malformed: () => undefined });
    let heard = 0;
    transport.onmessage = () => {
      heard += 1;
      void transport.send({ jsonrpc: "2.0", id: heard, result: { text: "x".repeat(1_000) } });
    };
    await transport.start();
    for (let id = 0; id < 1_000; id += 1) input.write(`{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`);
    await letPass(100, "by now it would have heard them all");
    expect(heard).toBeLessThan(100);
    while (heard < 1_000 || unread.length > 0) {
      for (const done of unread.splice(0)) done();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(heard).toBe(1_000);
  });
});

describe("bodies at /mcp", () => {
  const bodies: [string, string, number][] = [
    ["no JSON", "{", -32700],
    ["nothing", "", -32600],
    ["a number", "5", -32600],
    ["an empty object", "{}", -32600],
    ["a method that is a number", '{"jsonrpc":"2.0","id":7,"method":5}', -32600],
    ["params that are a list", '{"jsonrpc":"2.0","id":7,"method":"ping","params":[]}', -32602],
    ["a batch with something else in it", '[{"jsonrpc":"2.0","id":7,"method":"ping"},5]', -32600],
    ["an empty batch", "[]", -32600],
    ["a batch of 101", JSON.stringify(Array.from({ length: 101 }, (_, id) => ping(id))), -32600],
  ];

  test.each(bodies)("[MC35] %s is refused with 400", async (_what, body, code) => {
    const { status, message } = await postMcp(server, body);
    expect([status, message.error?.code]).toEqual([400, code]);
  });

  test("[MC35] a batch of the revision that knows batches is answered", async () => {
    const { status, messages } = await postMcp(server, [ping(1), ping(2)]);
    expect(status).toBe(200);
    expect(messages.map(({ id, result }) => [id, result])).toEqual([
      [1, {}],
      [2, {}],
    ]);
  });
});
