import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { openTestHouse } from "../../src/testing/house.ts";
import { makeRepository } from "../git/scratch.ts";

interface Hit {
  readonly id: string;
  readonly file: string;
  readonly text?: string;
  readonly context?: object;
}

interface Found {
  readonly query: string;
  readonly code: readonly Hit[];
  readonly prose?: readonly Hit[];
  readonly extractedProse?: readonly Hit[];
  readonly bundles: readonly { readonly hits: readonly string[] }[];
  readonly total: number;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

/** A function of so many lines, none of which is another one's. */
const functionOf = (name: string, lines: number): string => {
  const body = Array.from({ length: lines }, (_, at) => `  total += weigh(items[${at}], "${name} ${at * 7}");`);
  return [`export function ${name}(items: string[]) {`, "  let total = 0;", ...body, "  return total;", "}", ""].join(
    "\n",
  );
};

const tokensOf = (found: Found): number => encode(JSON.stringify({ ...found, query: "" })).length;
const idsOf = ({ code, prose = [], extractedProse = [] }: Found): string[] =>
  [...code, ...prose, ...extractedProse].map(({ id }) => id);

async function open() {
  const files: Record<string, string> = {};
  for (let at = 0; at < 30; at += 1) files[`src/f${at}.ts`] = `// About weighing ${at}.\n${functionOf(`sum${at}`, 60)}`;
  for (let at = 0; at < 6; at += 1)
    files[`docs/d${at}.md`] = `# Weigh ${at}\n\n${"How to weigh an item. ".repeat(40)}\n`;
  // One line that no answer should bring along by itself.
  files["dist/all.min.js"] = `var weigh=${JSON.stringify(Array.from({ length: 9_000 }, (_, at) => `w${at}`))};\n`;
  const { path: repoPath } = makeRepository(files);
  const house = await openTestHouse("sqlite");
  await house.call("build_index", { repoPath });
  return (args: object) => house.call<Found>("search", { repoPath, query: "weigh", ...args });
}

test("[IX23] an answer has at most the tokens it may take, 8,000 where nothing is said, and tells what has no room", async () => {
  const search = await open();
  const short = await search({});
  expect(short.warnings).toEqual([]);
  expect(short.code).toHaveLength(5);
  const full = await search({ output: "full", context: 20 });
  expect(tokensOf(full)).toBeLessThanOrEqual(8_000);
  expect(idsOf(full)).toEqual(idsOf(short));
  const whole = [...full.code, ...(full.prose ?? []), ...(full.extractedProse ?? [])].filter(
    ({ text }) => text !== undefined,
  );
  expect(whole.length).toBeGreaterThan(0);
  expect(whole.length).toBeLessThan(idsOf(full).length);
  expect(whole.every(({ context }) => context !== undefined)).toBe(true);
  const shortened = idsOf(full).length - whole.length;
  expect(full.warnings).toEqual([
    { code: "answer_shortened", message: expect.stringContaining(`${shortened} hit`) as string },
  ]);
  for (const maxTokens of [400, 1_000, 3_000]) {
    const found = await search({ top: 40, output: "full", maxTokens });
    expect(tokensOf(found)).toBeLessThanOrEqual(maxTokens);
    const every = await search({ top: 40, output: "full" });
    expect(found.code).toEqual(
      every.code.slice(0, found.code.length).map(
        (hit, at) =>
          expect.objectContaining({
            id: hit.id,
            ...(found.code[at]?.text !== undefined && { text: hit.text }),
          }) as Hit,
      ),
    );
    expect(found.bundles.flatMap(({ hits }) => hits).sort()).toEqual(idsOf(found).sort());
    const leftOut = idsOf(every).length - idsOf(found).length;
    expect(found.warnings[0]?.message).toContain(`${leftOut} hits left out`);
    expect(found.total).toBe(every.total);
  }
});

test("[IX23] who names `top` gets as many hits, whole, and the first hit is there however little it may take", async () => {
  const search = await open();
  const every = await search({ top: 40, output: "full" });
  expect(every.code.length).toBeGreaterThanOrEqual(30);
  expect(every.code.every(({ text }) => text !== undefined)).toBe(true);
  expect(every.warnings).toEqual([]);
  expect(tokensOf(every)).toBeGreaterThan(30_000);
  const least = await search({ query: "var", path: "all.min.js", output: "full", maxTokens: 200 });
  expect(least.code.map(({ file, text }) => [file, text])).toEqual([["dist/all.min.js", undefined]]);
});
