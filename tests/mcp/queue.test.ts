import { setImmediate as settled } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { CallQueue, mostRunning, mostWaiting } from "../../src/engine/call-queue.ts";
import { openServer } from "../http/routes.ts";
import { modernMeta, RawPipe } from "./pipe.ts";
import { slowTools } from "./slow-tools.ts";

/** A job that ends when it is told to. */
function makeJob(begun: number[], id: number): { job: () => Promise<number>; finish: () => void } {
  let finish: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return {
    finish,
    async job() {
      begun.push(id);
      await ended;
      return id;
    },
  };
}

describe("the queue of a connection", () => {
  test("[MC50] sixteen run, the others wait and begin in the order they came", async () => {
    const queue = new CallQueue();
    const begun: number[] = [];
    const jobs = Array.from({ length: mostRunning + mostWaiting }, (_, id) => makeJob(begun, id));
    const runs = jobs.map(({ job }) => queue.run(job));
    await settled();
    expect(begun).toEqual(jobs.slice(0, mostRunning).map((_, id) => id));
    for (const { finish } of jobs) {
      finish();
      await settled();
    }
    expect(begun).toEqual(jobs.map((_, id) => id));
    expect(await Promise.all(runs)).toEqual(begun);
  });

  test("[MC50] a call that comes while a place changes hands does not slip in", async () => {
    const queue = new CallQueue();
    const begun: number[] = [];
    const jobs = Array.from({ length: mostRunning + 1 }, (_, id) => makeJob(begun, id));
    const runs = jobs.map(({ job }) => queue.run(job));
    await settled();
    const late = makeJob(begun, 99);
    const first = runs[0]?.then(() => queue.run(late.job));
    jobs[0]?.finish();
    await settled();
    expect(begun).toEqual([...jobs.map((_, id) => id)]);
    for (const { finish } of [...jobs, late]) finish();
    await Promise.all([...runs, first]);
    expect(begun.at(-1)).toBe(99);
  });

  test("[MC51] beyond sixty-four waiting ones a call is refused with the queue's figures", async () => {
    const queue = new CallQueue();
    const jobs = Array.from({ length: mostRunning + mostWaiting }, (_, id) => makeJob([], id));
    const runs = jobs.map(({ job }) => queue.run(job));
    await expect(queue.run(async () => 0)).rejects.toMatchObject({
      code: "QUEUE_OVERLOADED",
      details: { details: { queue: { max: 64, size: 64 } } },
    });
    for (const { finish } of jobs) finish();
    await Promise.all(runs);
    expect(await queue.run(async () => "free again")).toBe("free again");
  });

  test("[MC52] a waiting call that is cancelled frees its place and goes on to be refused", async () => {
    const queue = new CallQueue();
    const begun: number[] = [];
    const jobs = Array.from({ length: mostRunning + mostWaiting }, (_, id) => makeJob(begun, id));
    const cancel = new AbortController();
    const runs = jobs.map(({ job }, id) => queue.run(job, id === mostRunning ? cancel.signal : undefined));
    await settled();
    cancel.abort();
    await settled();
    expect(begun.at(-1)).toBe(mostRunning);
    const another = makeJob(begun, 99);
    runs.push(queue.run(another.job));
    for (const { finish } of [...jobs, another]) finish();
    expect(await Promise.all(runs)).toHaveLength(mostRunning + mostWaiting + 1);
  });

  test("[MC52] a job that fails gives its place on", async () => {
    const queue = new CallQueue();
    const fails = Array.from({ length: mostRunning + 10 }, () =>
      queue.run(async () => Promise.reject(new Error("no"))),
    );
    const outcomes = await Promise.allSettled(fails);
    expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);
    expect(await queue.run(async () => 1)).toBe(1);
  });
});

describe("overload on the pipe", () => {
  const total = mostRunning + mostWaiting + 5;

  async function flood(meta?: Record<string, unknown>) {
    const server = await openServer({ tools: slowTools });
    const pipe = await RawPipe.open(server);
    const other = await RawPipe.open(server);
    onTestFinished(() => {
      pipe.close();
      other.close();
    });
    if (!meta) await Promise.all([pipe.handshake(), other.handshake()]);
    const ids = Array.from({ length: total }, (_, id) => id);
    const params = (id: number) => ({
      name: "slow_read",
      arguments: { ms: id === 0 ? 400 : 0, tag: String(id) },
      ...(meta ? { _meta: meta } : {}),
    });
    pipe.send(
      ids.map((id) => JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: params(id) })).join("\n"),
    );
    const beside = await other.callTool("beside", "slow_read", { ms: 0, tag: "beside" }, meta);
    const answers = await Promise.all(ids.map((id) => pipe.answerTo(id)));
    return { server, answers, beside };
  }

  const figures = { code: "QUEUE_OVERLOADED", message: expect.any(String), details: { queue: { max: 64, size: 64 } } };

  test("[MC51, MC18] with a handshake the last five are errors -32001, each with its usage event", async () => {
    const { server, answers } = await flood();
    expect(answers.slice(-5).map(({ error }) => [error?.code, error?.data])).toEqual(
      Array.from({ length: 5 }, () => [-32001, figures]),
    );
    expect(
      answers
        .slice(0, -5)
        .every(({ id, result }) => (result?.["structuredContent"] as { tag: string }).tag === String(id)),
    ).toBe(true);
    const outcomes = (await server.house.entries("usage")).map(({ data }) => data["code"] ?? "ok");
    expect(outcomes.filter((code) => code === "QUEUE_OVERLOADED")).toHaveLength(5);
    expect(outcomes).toHaveLength(total + 1);
  });

  test("[MC51] in the stateless era they are results of the same content", async () => {
    const { answers } = await flood(modernMeta);
    for (const { result, error } of answers.slice(-5)) {
      expect(error).toBeUndefined();
      expect(result).toMatchObject({ isError: true, structuredContent: figures });
    }
  });

  test("[MC53] another connection is not refused meanwhile", async () => {
    const { beside } = await flood();
    expect(beside.result).toMatchObject({ structuredContent: { tag: "beside" } });
  });
});
