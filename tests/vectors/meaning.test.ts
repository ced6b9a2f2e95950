import { mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { findingPorts } from "../../src/adapters/artifacts/findings.ts";
import { placesIn } from "../../src/adapters/artifacts/places.ts";
import { artifactPorts } from "../../src/adapters/artifacts/ports.ts";
import { projectPorts } from "../../src/adapters/git/locate.ts";
import { openGit } from "../../src/adapters/git/open.ts";
import { installedGit } from "../../src/adapters/git/run.ts";
import { SentenceVectors } from "../../src/adapters/vectors/sentence-vectors.ts";
import { readWordPieces } from "../../src/adapters/vectors/word-pieces.ts";
import { VectorBook } from "../../src/codeindex/meaning/vector-book.ts";
import { openCodeindex } from "../../src/codeindex/open-codeindex.ts";
import { dispatch } from "../../src/engine/dispatch.ts";
import { indexCopies } from "../../src/storage/index-copy/write-copy.ts";
import { openTestHouse } from "../../src/testing/house.ts";
import { until } from "../../src/testing/waiting.ts";
import { makeFolder, makeRepository } from "../git/scratch.ts";
import { tgz } from "../index/archives.ts";
import { serveFile } from "../index/lying-server.ts";

const weights = "the numbers of a model";
const vocabulary = ["[UNK]", "[CLS]", "[SEP]", "retry", "##ing", "cost", "!"].join("\n");

type Options = Parameters<typeof openCodeindex>[0]["vectors"];

/** A house whose searches may ask for meaning: a thread of the tests stands for the one with the model. */
async function openScene(given?: Options) {
  const home = makeFolder();
  const { path: repoPath } = makeRepository();
  mkdirSync(join(repoPath, "src"));
  const write = (name: string, text: string) => writeFileSync(join(repoPath, "src", name), text);
  write("deliver.ts", "export function deliverHook() {\n  return retry(3);\n}\n");
  write("money.ts", "export function totalCost() {\n  return 4;\n}\n");
  write("resend.ts", "export function resendMail() {\n  return 5;\n}\n");
  const file = pathToFileURL(join(import.meta.dirname, "topics-worker.mjs"));
  const log = { warn: () => undefined };
  const vectors = given ?? new SentenceVectors({ folder: placesIn(home).models, file, log });
  const codeindex = openCodeindex({
    homeDir: home,
    openGit: (signal) => openGit(installedGit, signal),
    now: Date.now,
    vectors,
  });
  const downloads = { allow: true, hosts: ["127.0.0.1"], files: {} };
  const house = await openTestHouse("sqlite", {
    ports: {
      project: projectPorts(true),
      codeindex: codeindex.ports,
      artifact: artifactPorts({ homeDir: home, downloads, copies: indexCopies }),
      finding: findingPorts(home),
    },
    keepers: [() => codeindex],
  });
  await house.call("build_index", { repoPath });
  const find = async (query: string, more: Record<string, unknown> = {}) => {
    const found = await house.call<{ code: { file: string; score: number }[]; warnings: { code: string }[] }>(
      "search",
      {
        ...{ repoPath, query, mode: "code", ann: true, ...more },
      },
    );
    return {
      files: found.code.map((hit) => hit.file),
      scores: found.code.map(({ score }) => score),
      warnings: found.warnings.map(({ code }) => code),
    };
  };
  return { house, home, repoPath, find };
}

const model = tgz([
  { name: "package/onnx/model.onnx", content: weights },
  { name: "package/vocab.txt", content: vocabulary },
]);

test("[VE1, VE2, VE3] a downloaded model also finds what means the same, after what has the words too", async () => {
  const { house, repoPath, find } = await openScene();
  expect(await house.refusal("search", { repoPath, query: "resend", ann: true })).toBe("CAPABILITY_MISSING");
  expect(await house.refusal("triage_context_pack", { repoPath, recordId: "none", ann: true })).toBe(
    "CAPABILITY_MISSING",
  );
  const { model: name } = await house.call<{ model: string }>("download_models", {
    model: await serveFile("/topics.tgz", model),
  });
  expect(await house.call("index_status", { repoPath })).toMatchObject({ model: { available: true, name } });
  await until(async () => (await find("resend")).warnings.length === 0);
  expect((await find("resend")).files.slice(0, 2)).toEqual(["src/resend.ts", "src/deliver.ts"]);
  // First by its words, second by its meaning: the other means the same and stands before it.
  expect((await find("resend")).scores[0]).toBeCloseTo(30.5 / 61 + 30.5 / 62, 3);
  expect((await find("resend", { ann: false })).files).toEqual(["src/resend.ts"]);
  expect((await find("resend", { ann: null })).files).toEqual(["src/resend.ts"]);
  expect((await find("how do we\nsend it again?", { top: 2 })).files.sort()).toEqual([
    "src/deliver.ts",
    "src/resend.ts",
  ]);
  expect((await find("resend", { path: "deliver" })).files).toEqual(["src/deliver.ts"]);
  for (const strict of ['"resend"', "resend -retry", "/resend/", "resend OR absent"]) {
    expect((await find(strict)).files).toEqual(["src/resend.ts"]);
  }
  expect((await find("", { type: "function" })).files).toHaveLength(3);
});

test("[VE5] a model that was changed, a model without words and a copy are CAPABILITY_MISSING for search", async () => {
  const { house, home, repoPath } = await openScene();
  const ask = { repoPath, query: "resend", ann: true };
  await house.call("download_models", { model: await serveFile("/bare.onnx", Buffer.from(weights)) });
  expect(await house.refusal("search", ask)).toBe("CAPABILITY_MISSING");
  expect(await house.call("index_status", { repoPath })).toMatchObject({ model: { available: false, name: null } });
  const { path } = await house.call<{ path: string }>("download_models", {
    model: await serveFile("/topics.tgz", model),
  });
  expect(path.startsWith(placesIn(home).models)).toBe(true);
  expect(await house.refusal("search", { ...ask, backend: "sqlite" })).toBe("CAPABILITY_MISSING");
  writeFileSync(join(path, "package", "onnx", "model.onnx"), "planted");
  expect(await house.reply("search", ask)).toMatchObject({
    failure: { code: "CAPABILITY_MISSING", message: expect.stringContaining("not what was installed") },
  });
});

test("[VE4] for a search that was cancelled no more vectors are made", async () => {
  const cancel = new AbortController();
  const batches: number[] = [];
  const { house, find, repoPath } = await openScene({
    findModel: async () => ({ name: "slow", id: "1", canRun: true }),
    async embed(texts) {
      if (texts.length > 1) {
        batches.push(texts.length);
        cancel.abort();
      }
      return texts.map(() => Float32Array.of(1, 0));
    },
    close: async () => undefined,
  });
  const many = Array.from({ length: 60 }, (_, place) => `export function part${place}() {\n  return ${place};\n}\n`);
  writeFileSync(join(repoPath, "src", "many.ts"), many.join("\n"));
  const call = { tool: "search", args: { repoPath, query: "part", ann: true }, caller: house.owner } as const;
  const reply = await dispatch(house.house, { ...call, transport: "http", signal: cancel.signal });
  expect(reply).toMatchObject({ failure: { code: "CANCELLED" } });
  // Texts are embedded in turn, so whatever else was made would be among these.
  for (const path of ["deliver", "money", "resend"]) await find("resend", { path });
  expect(batches).toHaveLength(1);
});

test("[VE4] vectors that take long follow behind the answer, are made once, and are kept", async () => {
  let letThrough: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  const embedded: string[] = [];
  const { find, repoPath } = await openScene({
    patienceMs: 0,
    findModel: async () => ({ name: "slow", id: "1", canRun: true }),
    async embed(texts) {
      if (texts.length > 1) await gate;
      embedded.push(...texts);
      return texts.map(() => Float32Array.of(1, 0));
    },
    close: async () => undefined,
  });
  expect(await find("resend")).toMatchObject({ files: ["src/resend.ts"], warnings: ["vectors_incomplete"] });
  letThrough();
  await until(async () => (await find("resend")).warnings.length === 0);
  const chunks = embedded.filter((text) => text !== "resend");
  expect(new Set(chunks).size).toBe(chunks.length);
  writeFileSync(join(repoPath, "src", "copy.ts"), readFileSync(join(repoPath, "src", "money.ts")));
  expect((await find("resend")).files).toContain("src/copy.ts");
  expect(embedded.filter((text) => text !== "resend")).toEqual(chunks);
});

test("[VE4, AR10] a book of vectors is read again as it was written, up to where its file was cut, and goes on from there until its folder goes", async () => {
  const path = join(makeFolder(), "sub", "vectors.bin");
  const book = await VectorBook.open(path);
  await book.add([["one", Float32Array.of(1, 0.5)]]);
  await book.add([["two", Float32Array.of(0, -2)]]);
  truncateSync(path, statSync(path).size - 1);
  const again = await VectorBook.open(path);
  expect([again.get("one"), again.get("two")]).toEqual([Float32Array.of(1, 0.5), undefined]);
  await again.add([["two", Float32Array.of(0, -3)]]);
  expect((await VectorBook.open(path)).get("two")).toEqual(Float32Array.of(0, -3));
  await again.abandon();
  await again.add([["three", Float32Array.of(1)]]);
  expect((await VectorBook.open(path)).get("three")).toBeUndefined();
});

test("[VE9] a text becomes the numbers of its longest known pieces", () => {
  const { read } = readWordPieces({ name: "vocab.txt", text: vocabulary });
  expect(read("Retrying!")).toEqual([1, 3, 4, 6, 2]);
  expect(read("cost RETRY costly")).toEqual([1, 5, 3, 0, 2]);
  const json = JSON.stringify({
    model: { type: "WordPiece", vocab: { "[UNK]": 0, "[CLS]": 1, "[SEP]": 2, Cost: 3 } },
    normalizer: { lowercase: false },
  });
  expect(readWordPieces({ name: "tokenizer.json", text: json }).read("Cost cost")).toEqual([1, 3, 0, 2]);
  expect(read("word ".repeat(1_000))).toHaveLength(256);
  expect(() => readWordPieces({ name: "vocab.txt", text: "a\nb" })).toThrow("another kind");
});
