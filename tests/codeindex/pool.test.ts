import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { parseFile } from "../../src/codeindex/parse/parse-file.ts";
import { findParseWorker, ParsePool } from "../../src/codeindex/parse/parse-pool.ts";
import { until } from "../../src/testing/waiting.ts";
import { ensureBuilt } from "../cli/program.ts";
import { samples } from "./samples.ts";

const odd = pathToFileURL(join(import.meta.dirname, "odd-worker.mjs"));
const real = pathToFileURL(resolve(import.meta.dirname, "../../dist/program/parse-worker.js"));

beforeAll(ensureBuilt);

function openPool(parts: ConstructorParameters<typeof ParsePool>[0]): ParsePool {
  const pool = new ParsePool(parts);
  onTestFinished(() => pool.close());
  return pool;
}

const echo = (path: string, length: number) => ({ skipped: `${path} ${length}` });

test("[PA13] what threads parse is what the caller would have parsed, and the bytes stay the caller's", async () => {
  const pool = openPool({ file: real, threads: 2 });
  const few = samples.slice(2, 5);
  const files = [...few, ...few].map(({ path, text }) => ({ path, bytes: Buffer.from(text) }));
  const outcomes = await Promise.all(files.map(({ path, bytes }) => pool.parse(path, bytes)));
  for (const [at, { path, bytes }] of files.entries()) expect(outcomes[at]).toEqual(await parseFile(path, bytes));
  expect(files.map(({ bytes }) => bytes.toString())).toEqual([...few, ...few].map(({ text }) => text));
});

test("[PA13] without a file for threads everything is parsed at once by the caller", async () => {
  expect(findParseWorker()).toBeUndefined();
  const pool = openPool({});
  expect(await pool.parse("a.txt", Buffer.from("hello"))).toEqual(await parseFile("a.txt", Buffer.from("hello")));
});

test("[PA14] a file on which a thread ends is skipped, and those behind it are parsed", async () => {
  const pool = openPool({ file: odd, threads: 1 });
  const bytes = Buffer.from("abc");
  const paths = ["a", "exit", "b", "throw", "c"];
  expect(await Promise.all(paths.map((path) => pool.parse(path, bytes)))).toEqual([
    echo("a", 3),
    { skipped: "the parser failed on it" },
    echo("b", 3),
    { skipped: "the parser failed on it" },
    echo("c", 3),
  ]);
});

test("[PA14] a file on which a thread hangs is skipped after its time, and those behind it are parsed", async () => {
  const pool = openPool({ file: odd, threads: 1, limitMs: 6_000 });
  const bytes = Buffer.alloc(2);
  expect(await Promise.all(["hang", "a", "b"].map((path) => pool.parse(path, bytes)))).toEqual([
    { skipped: "parsing took longer than 6 s" },
    echo("a", 2),
    echo("b", 2),
  ]);
});

test("[PA14] threads that never start are given up", async () => {
  const dir = mkdtempSync(join(tmpdir(), "crewdeck-pool-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const broken = join(dir, "broken.mjs");
  writeFileSync(broken, "import './missing.mjs';\n");
  const pool = openPool({ file: pathToFileURL(broken), threads: 1 });
  const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => pool.parse("a", Buffer.alloc(1))));
  expect(outcomes.filter(({ status }) => status === "fulfilled").length).toBe(5);
  await expect(pool.parse("a", Buffer.alloc(1))).rejects.toThrow("do not start");
});

test("[PA15] more than 32 MB are not taken over from callers, and everything is parsed in the end", async () => {
  const pool = openPool({ file: odd, threads: 2 });
  const bytes = Buffer.alloc(4 * 1024 * 1024);
  const outcomes = await Promise.all(Array.from({ length: 20 }, (_, at) => pool.parse(`${at}`, bytes)));
  expect(outcomes).toEqual(Array.from({ length: 20 }, (_, at) => echo(`${at}`, bytes.length)));
});

test("[PA15] threads end when there is nothing to do, and begin again with the next file", async () => {
  const pool = openPool({ file: odd, threads: 1, idleMs: 1 });
  const first = await pool.parse("thread", Buffer.alloc(1));
  await until(async () => JSON.stringify(await pool.parse("thread", Buffer.alloc(1))) !== JSON.stringify(first));
});

test("[PA15] whoever closes the pool is not kept waiting by a file, and nothing is parsed any more", async () => {
  const pool = new ParsePool({ file: odd, threads: 1 });
  const hanging = pool.parse("hang", Buffer.alloc(1));
  const [next, waiting] = [pool.parse("a", Buffer.alloc(1)), pool.parse("b", Buffer.alloc(1))];
  const refused = Promise.all([hanging, next, waiting].map((one) => expect(one).rejects.toThrow("closed")));
  await pool.close();
  await refused;
  await expect(pool.parse("c", Buffer.alloc(1))).rejects.toThrow("closed");
});
