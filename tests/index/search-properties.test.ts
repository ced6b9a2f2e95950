import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openTestHouse } from "../../src/testing/house.ts";
import { git, makeRepository } from "../git/scratch.ts";

/** Words that share parts, stand inside one another and differ in capitals only. */
const words = [
  "alpha",
  "Alpha",
  "alphaBeta",
  "beta_gamma",
  "gamma",
  "GAMMA2",
  "x1",
  "f(x)",
  "a.b",
  "é",
  "ÉTÉ",
  "naïve",
  "$k",
  "--",
];
/** Some have what git quotes, what a shell or an option would be, and what lists are cut at. */
const paths = ["a.ts", "b.py", "src/c.go", "src/deep/d.rs", "notes.md", "e.json", "F.ts"];
paths.push("li\nne.ts", 'src/"q"\t.py', "--all.go", "$(x)/`y`.rs", "src/é\r\n.md");

const content = fc
  .array(fc.array(fc.constantFrom(...words), { maxLength: 6 }), { maxLength: 30 })
  .map((lines) => lines.map((line) => line.join(" ")).join("\n"));

type Step = { readonly path: string; readonly content: string | null; readonly isCommitted: boolean };

const step: fc.Arbitrary<Step> = fc.record({
  path: fc.constantFrom(...paths),
  content: fc.option(content, { freq: 4 }),
  isCommitted: fc.boolean(),
});

const sought = fc.oneof(
  fc.constantFrom(...words, "lph", "a", "mma2", "alpha beta", "phaB", "gamma alpha"),
  fc.constantFrom("/alp.a/", "/gam+a\\d/i", "/^x1 /", "/beta$/"),
);

/** The files that have it in a line, found by reading all of them. */
function scan(files: ReadonlyMap<string, string>, text: string, isCased: boolean): string[] {
  const pattern = /^\/(.*)\/([a-z]*)$/.exec(text);
  const fold = (one: string): string => (isCased ? one : one.toLowerCase());
  const has = (line: string): boolean =>
    pattern ? new RegExp(pattern[1] ?? "", pattern[2]).test(line) : fold(line).includes(fold(text));
  return [...files]
    .filter(([, lines]) => lines.split("\n").some(has))
    .map(([path]) => path)
    .sort();
}

test("[QG5, IX10] after any edits literals and patterns are found in the files that a scan finds them in", async () => {
  const house = await openTestHouse("sqlite");
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 8 }),
      fc.array(sought, { minLength: 3, maxLength: 6 }),
      fc.boolean(),
      async (steps, queries, isCased) => {
        const { path: repoPath } = makeRepository();
        for (const name of git(repoPath, "ls-files").split("\n").filter(Boolean)) git(repoPath, "rm", "-q", name);
        await house.call("build_index", { repoPath });
        const files = new Map<string, string>();
        for (const { path, content: text, isCommitted } of steps) {
          const place = join(repoPath, path);
          if (text === null) {
            rmSync(place, { force: true });
            files.delete(path);
          } else {
            mkdirSync(dirname(place), { recursive: true });
            writeFileSync(place, text);
            files.set(path, text);
          }
          if (isCommitted) {
            git(repoPath, "add", "-A");
            git(repoPath, "commit", "-q", "--allow-empty", "-m", "Step");
          }
          const [query = ""] = queries;
          expect(await find(repoPath, query, isCased), query).toEqual(scan(files, query, isCased));
        }
        for (const query of queries)
          expect(await find(repoPath, query, isCased), query).toEqual(scan(files, query, isCased));
      },
    ),
    { numRuns: 8 },
  );

  async function find(repoPath: string, text: string, isCased: boolean): Promise<string[]> {
    const query = text.startsWith("/") ? text : `"${text}"`;
    const found = await house.call<{ bundles: { file: string }[] }>("search", {
      repoPath,
      query,
      top: 1_000,
      caseTokens: isCased,
    });
    return found.bundles.map(({ file }) => file).sort();
  }
});
