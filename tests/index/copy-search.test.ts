import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openTestHouse } from "../../src/testing/house.ts";
import { samples } from "../codeindex/samples.ts";
import { git, makeRepository } from "../git/scratch.ts";

const words = fc.constantFrom(
  "return",
  "Queue",
  "queue",
  "a",
  "self",
  "é",
  "read",
  "run(",
  "x",
  "i++",
  "TODO",
  "absent",
);
const atom = fc.oneof(
  words,
  words.map((word) => `-${word}`),
  fc.constantFrom('"return x"', "/re.d/", "/^\\s+return/", "/\\bQUEUE\\b/i", "/end$/"),
);
const query = fc.oneof(
  fc.array(atom, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(" ")),
  fc.tuple(atom, atom).map(([one, other]) => `${one} OR ${other}`),
  fc.constantFrom("Why does the queue\nnot read the size?", "parse header\nreturns"),
  fc.constant(""),
);

const filter = fc.constantFrom<Record<string, unknown>>(
  ...[{ type: "function" }, { type: "method,class" }, { lang: "ts" }, { ext: ["py", "go"] }, { path: "SRC" }],
  ...[{ calls: "push" }, { calls: "read" }, { uses: "Map" }, { param: "x" }, { reads: "size" }, { writes: "this" }],
  ...[{ mutates: "jobs" }, { alias: "=" }, { throws: "Error" }, { returnType: "number" }, { inferredType: "string" }],
  ...[{ extends: "base" }, { visibility: "private" }, { decorator: "a" }, { awaits: "f" }, { signature: "(" }],
  ...[{ riskTag: "injection" }, { riskFlow: "->" }, { riskSink: "e" }, { branchesMin: 1 }, { loopsMin: 1 }],
  ...[{ breaksMin: 1 }, { async: true }, { generator: true }, { returns: true }, { import: "os" }, { author: "a" }],
  ...[{ caseTokens: true }, { modifiedSince: 10 }, { churnMin: 3 }, { chunkAuthor: "t" }, { branch: "other" }],
);

interface Found {
  readonly total: number;
  readonly code?: readonly Record<string, unknown>[];
  readonly prose?: readonly Record<string, unknown>[];
  readonly extractedProse?: readonly Record<string, unknown>[];
}

/** Everything that was found, in no order, without what it was worth. */
const hitsOf = ({ total, code = [], prose = [], extractedProse = [] }: Found) => ({
  total,
  hits: [...code, ...prose, ...extractedProse]
    .map(({ score: _, id, meta, ...hit }) => ({ ...hit, id: String(id), meta: sorted(meta as object) }))
    .sort((one, other) => (one.id < other.id ? -1 : 1)),
});

const sorted = (meta: object) =>
  Object.fromEntries(
    Object.entries(meta)
      .map(([key, value]) => [key, Array.isArray(value) ? value.toSorted() : value] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );

async function openCopied() {
  const { path: repoPath } = makeRepository();
  for (const { path, text } of samples) {
    mkdirSync(dirname(join(repoPath, path)), { recursive: true });
    writeFileSync(join(repoPath, path), text);
  }
  writeFileSync(join(repoPath, "notes.md"), "# Queue\n\nRead the size.\n\n## TODO\n\nnaïve é\n");
  git(repoPath, "add", "-A");
  git(repoPath, "commit", "-qm", "Samples");
  const house = await openTestHouse("sqlite");
  await house.call("build_index", { repoPath });
  const copy = await house.call<{ path: string }>("build_sqlite_index", { repoPath });
  return { house, repoPath, file: copy.path };
}

test("[SQ6] for any query and any filters a copy finds the same hits as the index, with and without full-text search", async () => {
  const { house, repoPath } = await openCopied();
  const search = async (args: Record<string, unknown>, backend: string) => {
    const reply = await house.reply("search", { repoPath, top: 1_000, output: "full", ...args, backend });
    return reply.ok ? hitsOf(reply.value as Found) : reply.failure.code;
  };
  // Words that occur nowhere are no words of the full-text table.
  for (const text of ["nowhere", "Queue nowhere", "Queue OR nowhere", "nowhere OR elsewhere"]) {
    const expected = await search({ query: text }, "memory");
    expect(await search({ query: text }, "sqlite-fts")).toEqual(expected);
  }
  const lines = fc.constantFrom(0, 0, 2);
  const isSame = fc.asyncProperty(query, fc.array(filter, { maxLength: 2 }), lines, async (text, filters, context) => {
    const args = { query: text, context, ...Object.assign({}, ...filters) };
    const expected = await search(args, "memory");
    expect(await search(args, "sqlite")).toEqual(expected);
    expect(await search(args, "sqlite-fts")).toEqual(expected);
  });
  await fc.assert(isSame, { numRuns: 7 });
  // Files that have changed, are new or gone are replaced in the copy, and what it holds is the same again.
  const [gone, changed] = samples;
  rmSync(join(repoPath, gone?.path ?? ""));
  writeFileSync(join(repoPath, changed?.path ?? ""), `${changed?.text}\n// TODO read the queue again\n`);
  writeFileSync(join(repoPath, "fresh.ts"), "export const Queue = () => read(x);\n");
  await house.call("build_sqlite_index", { repoPath });
  await fc.assert(isSame, { numRuns: 5 });
});

test("[SQ7] every query that is written down for the SQLite file can be run on it", async () => {
  const { file } = await openCopied();
  const db = new DatabaseSync(file, { readOnly: true });
  const text = readFileSync(join(import.meta.dirname, "..", "..", "docs", "index-database.md"), "utf8");
  const queries = [...text.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql]) => sql ?? "");
  expect(queries.length).toBeGreaterThanOrEqual(5);
  for (const sql of queries) expect(Array.isArray(db.prepare(sql).all())).toBe(true);
  db.close();
});
