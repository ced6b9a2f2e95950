import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { WorkerVectors } from "../../src/adapters/vectors/worker-vectors.ts";
import { ensureBuilt } from "../cli/program.ts";
import { fakeVectors } from "./scene.ts";

beforeAll(ensureBuilt);

/** What the worker of letters makes of "aa". */
const vector = Float32Array.from({ length: 26 }, (_, at) => (at === 0 ? 2 : 0));

/** Time passes only when the test says so; threads go on. */
function holdTime(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}

test("[VE6] after a crash the next texts have their vectors, and after the third there are none", async () => {
  const { vectors, warnings } = fakeVectors("letters");
  onTestFinished(() => vectors.close());
  holdTime();

  await expect(vectors.embed(["crash"])).rejects.toThrow("has ended");
  const second = expect(vectors.embed(["aa"])).resolves.toEqual([vector]);
  vi.advanceTimersByTime(1_000);
  await second;
  await expect(vectors.embed(["throw"])).rejects.toThrow("has ended");
  const third = expect(vectors.embed(["aa", "AA"])).resolves.toEqual([vector, vector]);
  vi.advanceTimersByTime(2_000);
  await third;
  expect(warnings).toEqual([expect.stringContaining("out of memory")]);

  await expect(vectors.embed(["crash"])).rejects.toThrow("has ended");
  await expect(vectors.embed(["aa"])).rejects.toThrow("too often");
  expect(warnings.slice(1)).toEqual([expect.stringContaining("no vectors")]);
});

test("[VE10] a thread that hangs is ended after a minute and replaced, and after the third time there are none", async () => {
  const { vectors, warnings } = fakeVectors("letters");
  onTestFinished(() => vectors.close());
  holdTime();
  const hang = async (pauseMs: number) => {
    const hanging = expect(vectors.embed(["hang"])).rejects.toThrow("did not answer in time");
    vi.advanceTimersByTime(pauseMs + 60_000);
    await hanging;
  };
  await expect(vectors.embed(["aa"])).resolves.toEqual([vector]);
  await hang(0);
  const next = expect(vectors.embed(["aa"])).resolves.toEqual([vector]);
  vi.advanceTimersByTime(1_000);
  await next;
  await hang(0);
  expect(warnings).toEqual([]);
  await hang(2_000);
  await expect(vectors.embed(["aa"])).rejects.toThrow("too often");
  expect(warnings).toEqual([expect.stringContaining("no vectors")]);
});

test("[VE10] who closes during the pause after a failure leaves nothing behind", async () => {
  const { vectors } = fakeVectors("letters");
  holdTime();
  await expect(vectors.embed(["crash"])).rejects.toThrow("has ended");
  const waiting = expect(vectors.embed(["aa"])).rejects.toThrow("closed");
  // What others in this process wait for is counted too, so nothing else may happen in between.
  const timers = vi.getTimerCount();
  const closing = vectors.close();
  expect(vi.getTimerCount()).toBe(timers - 1);
  await closing;
  await waiting;
});

test("[VE7] a model that is not there is told once", async () => {
  const { vectors, warnings } = fakeVectors("absent");
  onTestFinished(() => vectors.close());
  await expect(vectors.embed(["one"])).rejects.toThrow("not installed");
  await expect(vectors.embed(["two"])).rejects.toThrow("not installed");
  expect(warnings).toEqual([expect.stringMatching(/no vectors.*the model is not installed/)]);
});

test("[VE7] the thread as it is built says which package is missing", async () => {
  const dir = mkdtempSync(join(tmpdir(), "crewdeck-vectors-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  // Where nobody can have installed them.
  const file = join(dir, "sentence-worker.mjs");
  cpSync(resolve(import.meta.dirname, "../../dist/adapters/vectors/sentence-worker.js"), file);
  cpSync(resolve(import.meta.dirname, "../../dist/adapters/vectors/word-pieces.js"), join(dir, "word-pieces.js"));
  const vectors = new WorkerVectors({ file: pathToFileURL(file), log: { warn: () => undefined } });
  onTestFinished(() => vectors.close());
  await expect(vectors.embed(["one"])).rejects.toThrow("onnxruntime-web is not installed");
});

test("[VE8] who closes does not wait for a thread that never answers", async () => {
  const { vectors, warnings } = fakeVectors("silent");
  const asked = expect(vectors.embed(["one"])).rejects.toThrow("closed");
  await vectors.close();
  await asked;
  expect(warnings).toEqual([]);
});
