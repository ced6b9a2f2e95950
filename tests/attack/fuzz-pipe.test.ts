import fc from "fast-check";
import { expect, test } from "vitest";
import { within } from "../../src/testing/waiting.ts";
import { callTool } from "../http/raw.ts";
import { openServer } from "../http/routes.ts";
import { type Message, modernMeta, RawPipe } from "../mcp/pipe.ts";
import { message, mutated, sample, seed, validMessage, watchfulLog, wrongWith } from "./fuzz.ts";

const batchSize = 40;

const text = fc.oneof(message, validMessage).map((value) => JSON.stringify(value));
const frames = fc.oneof(
  { weight: 4, arbitrary: text.map((line) => Buffer.from(line)) },
  { weight: 4, arbitrary: mutated(text) },
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

/** One line, with an id of its own where the generator left room for one. */
const asLine = (frame: Buffer, id: string): Buffer =>
  Buffer.from(frame.toString("latin1").replaceAll("\n", " ").replaceAll('"unique"', JSON.stringify(id)), "latin1");

/** Whether this line is a request whose answer can be told by its id. */
function isRequest(line: Buffer, id: string): boolean {
  try {
    const value = JSON.parse(line.toString("utf8")) as Record<string, unknown>;
    return value?.["id"] === id && value["jsonrpc"] === "2.0" && typeof value["method"] === "string";
  } catch {
    return false;
  }
}

test.each([
  ["with handshake", 6_000, 1],
  ["without handshake", 6_000, 2],
])("[SE51] a pipe %s answers or refuses whatever frames arrive", async (era, count, salt) => {
  const { log, faults } = watchfulLog();
  const server = await openServer({ log });
  const meta = era === "with handshake" ? {} : { _meta: modernMeta };
  let pipe = await connect();
  let slowest = 0;
  let requests = 0;
  const wrong: unknown[] = [];

  async function connect(): Promise<RawPipe> {
    const opened = await RawPipe.open(server);
    if (era === "with handshake") await opened.handshake();
    else await opened.request("first", "tools/list", meta);
    return opened;
  }

  const lines = sample(frames, count, salt).map((frame, place) => ({
    id: `f${place}`,
    line: asLine(frame, `f${place}`),
  }));
  for (let start = 0; start < lines.length; start += batchSize) {
    const batch = lines.slice(start, start + batchSize);
    const begun = performance.now();
    const sentinel = `s${start}`;
    pipe.sendBytes(Buffer.concat(batch.flatMap(({ line }) => [line, Buffer.from("\n")])));
    const due = batch.filter(({ id, line }) => isRequest(line, id)).map(({ id }) => id);
    requests += due.length;
    await within(
      Promise.all([pipe.request(sentinel, "tools/list", meta), ...due.map((id) => pipe.answerTo(id))]),
      () => `no answer (seed ${seed}) to ${JSON.stringify(batch.map(({ line }) => line.toString("latin1")))}`,
    );
    slowest = Math.max(slowest, performance.now() - begun);
    wrong.push(...pipe.received.flatMap((answer: Message) => (wrongWith(answer) ? [[wrongWith(answer), answer]] : [])));
    pipe.received.length = 0;
    if (start % (50 * batchSize) === 0) {
      pipe.close();
      pipe = await connect();
    }
  }
  process.stdout.write(
    `pipe ${era}: ${count} frames, ${requests} of them requests, seed ${seed}, slowest ${batchSize} together ${slowest.toFixed(0)} ms\n`,
  );
  expect(wrong.slice(0, 3)).toEqual([]);
  expect(faults.slice(0, 3)).toEqual([]);
  pipe.close();
  expect(await callTool(server, "agent_register", { name: "Still here", runtime: "custom" })).toMatchObject({
    status: "online",
  });
});
