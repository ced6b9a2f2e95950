import fc from "fast-check";
import { expect, test } from "vitest";
import { openGit } from "../../src/adapters/git/open.ts";
import { installedGit } from "../../src/adapters/git/run.ts";
import { openCodeindex } from "../../src/codeindex/open-codeindex.ts";
import { countFacts, flagFacts, type WordFact } from "../../src/codeindex/parsed-file.ts";
import { samples } from "../codeindex/samples.ts";
import { git, makeFolder, makeRepository } from "../git/scratch.ts";
import { everyChunk, put, type Scanned, scan } from "./scan.ts";

type Filters = Readonly<Record<string, string | number | boolean>>;

const exact: readonly string[] = ["calls", "uses", "param"];
const isIn = (values: readonly string[], sought: string): boolean =>
  values.some((value) => value.toLowerCase().includes(sought.toLowerCase()));

/** What each filter means, said once more in the plainest way. */
function passes({ path, file, chunk, facts }: Scanned, [name, value]: readonly [string, unknown]): boolean {
  const text = String(value);
  if (name === "type") return chunk.kind === text;
  if (name === "lang") return file.language === text;
  if (name === "path") return path.toLowerCase().includes(text.toLowerCase());
  if (name === "ext") return path.endsWith(text);
  if (name === "import") return file.imports.includes(text);
  if (name === "signature") return chunk.signature.includes(text);
  const flag = (flagFacts as readonly string[]).indexOf(name);
  if (flag >= 0) return ((chunk.flags >> flag) & 1) === 1;
  const count = countFacts.findIndex((one) => `${one}Min` === name);
  if (count >= 0) return (chunk.counts?.[count as 0] ?? -1) >= Number(value);
  const values = facts.get((name === "risk" ? "riskTag" : name) as WordFact) ?? [];
  return exact.includes(name) ? values.includes(text) : isIn(values, text);
}

/** Filters that some chunk passes. Values with a comma or a space would be several, or none. */
function filtersOf({ path, file, chunk, facts }: Scanned): [string, string | number | boolean][] {
  const found: [string, string | number | boolean][] = [
    ["type", chunk.kind],
    ["lang", file.language],
    ["path", path.slice(1, 5)],
    ["ext", path.slice(path.lastIndexOf("."))],
    ["signature", chunk.signature.slice(2, 9).trim()],
  ];
  for (const name of file.imports) found.push(["import", name]);
  for (const [fact, values] of facts) for (const value of values) found.push([fact, value]);
  for (const value of facts.get("riskTag") ?? []) found.push(["risk", value]);
  for (const [at, count] of (chunk.counts ?? []).entries()) found.push([`${countFacts[at]}Min`, count]);
  for (const [at, flag] of flagFacts.entries()) if (((chunk.flags >> at) & 1) === 1) found.push([flag, true]);
  return found.filter(([, value]) => typeof value !== "string" || /^[^\s,/]+$/.test(value));
}

const paths = samples.map(({ path }) => path);

const step = fc.record({
  path: fc.constantFrom(...paths, ...paths.map((path) => `more/${path}`)),
  /** What lies there then: of this language, whichever sample; null takes it away. */
  text: fc.option(fc.nat(2), { freq: 5 }),
  isCommitted: fc.boolean(),
  picks: fc.array(fc.array(fc.nat(), { minLength: 1, maxLength: 2 }), { minLength: 3, maxLength: 6 }),
});

test("[IX5, IX10, PA9] after any edits each filter finds the chunks that a scan of the files finds, alone and with another", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 7 }), async (steps) => {
      const { path: root } = makeRepository();
      const repository = { root, main: root };
      const index = openCodeindex({
        homeDir: makeFolder(),
        openGit: (signal) => openGit(installedGit, signal),
        now: Date.now,
      });
      const watch = { signal: new AbortController().signal };
      const files = new Set(git(root, "ls-files").split("\n").filter(Boolean));
      for (const { path, text } of samples.slice(0, 4)) put(root, files, path, text);
      await index.ports.build({ repository, isFromScratch: false }, watch);
      for (const { path, text, isCommitted, picks } of steps) {
        const sample = samples.find((one) => path.endsWith(one.path));
        // The same text twice is one content under two paths, and a longer one another.
        put(root, files, path, text === null ? null : (sample?.text ?? "").repeat(text + 1));
        if (isCommitted) {
          git(root, "add", "-A");
          git(root, "commit", "-q", "--allow-empty", "-m", "Step");
        }
        const all = await scan(root, files);
        const known = all.flatMap((one) => filtersOf(one).map((filter) => ({ filter, lang: one.file.language })));
        for (const pick of picks) {
          // What a language cannot answer is refused, so both filters are ones of one language.
          const [first = 0, second = first] = pick;
          const one = known[first % known.length];
          const near = known.filter(({ lang }) => lang === one?.lang);
          const other = near[second % near.length];
          if (!one || !other) continue;
          const filters: Filters = { lang: one.lang, ...Object.fromEntries([one.filter, other.filter]) };
          const found = await index.ports.search({ ...everyChunk, repository, filters }, watch);
          const hits = Object.values(found.hits).flatMap((list) => list.map(({ id }) => id));
          const expected = all.filter((one) => Object.entries(filters).every((entry) => passes(one, entry)));
          expect(hits.sort(), JSON.stringify(filters)).toEqual(expected.map(({ id }) => id).sort());
          expect(found.total).toBe(expected.length);
        }
      }
      await index.close();
    }),
    // Each takes a second or more: what fails is told as it came, not made smaller.
    { numRuns: 4, endOnFailure: true },
  );
});
