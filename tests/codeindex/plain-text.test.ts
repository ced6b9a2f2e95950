import { expect, test } from "vitest";
import { parseFile } from "../../src/codeindex/parse/parse-file.ts";
import { parseQuery } from "../../src/codeindex/query/grammar.ts";
import { evaluate } from "../../src/codeindex/search/evaluate.ts";
import { rank } from "../../src/codeindex/search/rank.ts";
import { SegmentBuilder } from "../../src/codeindex/segment/builder.ts";

const reader = { text: async () => "", textOrBytes: async () => "" };

/** The files in the order in which a question finds them. */
async function order(files: Readonly<Record<string, string>>, question: string): Promise<string[]> {
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
  const scope = { segment, entries, allowed: new Uint8Array(segment.chunks.content.length).fill(1) };
  const query = parseQuery(question);
  const evaluation = await evaluate(query, [scope], { isCased: false, reader });
  const found = rank(query, evaluation, [scope], 20).lists.get("code") ?? [];
  return [...new Set(found.map(({ entry }) => entry.path))];
}

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
