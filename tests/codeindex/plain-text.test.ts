import { expect, test } from "vitest";
import { parseFile } from "../../src/codeindex/parse/parse-file.ts";
import type { ChunkMode } from "../../src/codeindex/parsed-file.ts";
import { parseQuery } from "../../src/codeindex/query/grammar.ts";
import { evaluate } from "../../src/codeindex/search/evaluate.ts";
import { rank } from "../../src/codeindex/search/rank.ts";
import { chunkModes, SegmentBuilder } from "../../src/codeindex/segment/builder.ts";

const reader = { text: async () => "", textOrBytes: async () => "" };

interface Asked {
  readonly without?: readonly ChunkMode[];
  readonly mode?: ChunkMode;
}

/** The files of the hits for a question, hit by hit. */
async function listHits(
  files: Readonly<Record<string, string>>,
  question: string,
  { without = [], mode = "code" }: Asked = {},
): Promise<string[]> {
  const builder = new SegmentBuilder({ isLarge: false });
  for (const [path, text] of Object.entries(files)) {
    const bytes = Buffer.from(text);
    const parsed = await parseFile(path, bytes);
    if ("skipped" in parsed) throw new Error(parsed.skipped);
    builder.add({ key: path, bytes, text, parsed });
  }
  const segment = builder.finish();
  const entries = Object.keys(files).map((path) => [
    { path, raw: path, oid: undefined, stamp: undefined, key: path, skipped: undefined },
  ]);
  const allowed = segment.chunks.mode.map((number) => (without.includes(chunkModes[number] ?? "code") ? 0 : 1));
  const scope = { segment, entries, allowed };
  const query = parseQuery(question);
  const evaluation = await evaluate(query, [scope], { isCased: false, reader });
  const found = rank(query, evaluation, [scope], 20).lists.get(mode) ?? [];
  return found.map(({ entry }) => entry.path);
}

/** The files in the order in which a question finds them. */
const order = async (...asked: Parameters<typeof listHits>): Promise<string[]> => [
  ...new Set(await listHits(...asked)),
];

const body = (word: string) => `def run():\n    return ${word}\n`;

test("[PA20] the first line of a question counts most", async () => {
  const files = { "one.py": body("cache"), "two.py": body("socket"), "three.py": body("other") };
  expect((await order(files, "cache is stale\n\nwith a socket open, other")).at(0)).toBe("one.py");
  expect((await order(files, "socket is stale\n\nwith a cache open, other")).at(0)).toBe("two.py");
});

test("[PA20] a name out of the code counts more than a word", async () => {
  const files = { "one.py": body("stale"), "two.py": body("read_socket"), "three.py": body("other") };
  expect((await order(files, "It fails.\nstale answers of read_socket")).at(0)).toBe("two.py");
});

test("[PA20] the words of a path and of the whole file count as well", async () => {
  const same = body("answer");
  expect(
    (await order({ "lib/a.py": same, "lib/socket.py": `${same}# \n` }, "wrong answer\nfrom the socket")).at(0),
  ).toBe("lib/socket.py");
  const spread = { "one.py": `${body("answer")}\ndef other():\n    return socket\n`, "two.py": body("answer") };
  expect((await order(spread, "wrong answer\nfrom the socket")).at(0)).toBe("one.py");
});

test("[PA21] a file that the text names comes first: by its path, in a stack trace or as a module", async () => {
  const files = {
    "lib/db/query.py": body("answer"),
    "lib/db/router.py": `${body("answer")}\n# socket\n`,
    "app/query.py": body("other"),
  };
  const first = async (text: string) => (await order(files, `wrong answer of the socket\n${text}`)).at(0);
  expect(await first("nothing else")).toBe("lib/db/router.py");
  expect(await first("see lib/db/query.py")).toBe("lib/db/query.py");
  expect(await first('  File "/usr/lib/python3/site-packages/lib/db/query.py", line 3, in run')).toBe(
    "lib/db/query.py",
  );
  expect(await first("it is lib.db.query.Query.run that fails")).toBe("lib/db/query.py");
});

test("[PA21] what many files are called mentions none of them", async () => {
  const files = Object.fromEntries(["a", "b", "c", "d"].map((folder) => [`${folder}/models.py`, body("other")]));
  expect(await order({ ...files, "z/cache.py": body("cache") }, "the cache is stale\nas models.py has it")).toEqual([
    "z/cache.py",
  ]);
});

test("[PA21] tests come after what they test, and addresses and a form's comments say nothing", async () => {
  const files = {
    "tests/store.py": `${body("cache")}# stale\n`,
    "lib/store.py": `${body("cache")}# stale\n`,
    "lib/form.py": body("template"),
  };
  expect(await order(files, "stale cache\n<!-- fill in this template -->\nsee https://example.org/template")).toEqual([
    "lib/store.py",
    "tests/store.py",
  ]);
});

test("[PA22] every file shows its best place before any shows a second one", async () => {
  const files = {
    "lib/store.py": `${body("cache_stale")}\n\n${body("stale_cache").replace("run", "again")}`,
    "lib/other.py": `${body("cache")}# and much else that has nothing to do with it\n`,
  };
  expect(await listHits(files, "stale cache\nof the store")).toEqual(["lib/store.py", "lib/other.py", "lib/store.py"]);
});

test("[PA23] comments count once, whether they are searched as well or not", async () => {
  const files = {
    "lib/one.py": `${body("1")}    # the cache is stale\n`,
    "lib/two.py": body("stale(cache, cache, cache)"),
  };
  const question = "the cache is stale\nsometimes";
  const alone = await order(files, question, { without: ["extracted-prose"] });
  expect(alone).toEqual(["lib/two.py", "lib/one.py"]);
  expect(await order(files, question)).toEqual(alone);
  expect(await order(files, question, { without: ["code", "prose"], mode: "extracted-prose" })).toEqual(["lib/one.py"]);
});

test("[PA24] data comes after code that says the same, and does not decide what much is", async () => {
  const files = {
    "locale/messages.json": '{ "stale": "stale cache", "cache": "stale cache" }\n',
    "lib/store.py": `${body("cache")}# stale\n`,
    "lib/cache.py": body("other"),
  };
  expect((await order(files, "stale cache\nof the other")).at(-1)).toBe("locale/messages.json");
});

test("[PA25] of a stack trace the file where it went wrong comes first, whichever end that is", async () => {
  const python = { "lib/query.py": body("1"), "lib/store.py": body("2") };
  const inPython = 'It fails\n  File "/app/lib/query.py", line 9, in run\n  File "/app/lib/store.py", line 3, in run';
  expect(await order(python, inPython)).toEqual(["lib/store.py", "lib/query.py"]);
  const script = { "lib/query.js": "export function run() {}\n", "lib/store.js": "export function read() {}\n" };
  const inScript = "It fails\n    at read (/app/lib/store.js:3:1)\n    at run (/app/lib/query.js:9:1)";
  expect(await order(script, inScript)).toEqual(["lib/store.js", "lib/query.js"]);
});

test("[PA25] a path that is written out counts more than a trace, and what is only imported hardly counts", async () => {
  const files = { "lib/query.py": body("1"), "lib/store.py": body("2") };
  const traced = 'It fails\n  File "/app/lib/query.py", line 9, in run\nsee lib/store.py';
  expect((await order(files, traced)).at(0)).toBe("lib/store.py");
  const imported = "It fails\nfrom lib.query import run\nbecause of lib.store";
  expect((await order(files, imported)).at(0)).toBe("lib/store.py");
});

test("[PA21] the headings of a form say nothing", async () => {
  const files = { "a.py": body("socket"), "b.py": body("cache") };
  for (const heading of ["### socket", "**socket**"]) {
    for (const end of ["\n", "\r\n"]) {
      expect(await order(files, ["It fails", heading, "cache"].join(end))).toEqual(["b.py"]);
    }
  }
});
