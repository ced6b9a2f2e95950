import { execFileSync } from "node:child_process";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openGit } from "../../src/adapters/git/open.ts";
import { installedGit } from "../../src/adapters/git/run.ts";
import { openCodeindex } from "../../src/codeindex/open-codeindex.ts";
import type { CodeFilters } from "../../src/domain/codeindex/model.ts";
import { git, makeFolder, makeRepository } from "../git/scratch.ts";
import { everyChunk, put, type Scanned, scan } from "./scan.ts";

/** Parts of one name are in another, and in what lies around names in a log. */
const people = ["Ada Example", "Grace Hopper", "ada", "Hopper\t2", "Gráce :100644"];
const paths = ["src/price.ts", "src/Price.ts", "lib/one.py", "Lib/one.py", "notes.md", "src/two  words.ts", "ärger.ts"];
const branches = ["main", "side", "later"];
const day = 24 * 60 * 60_000;
const firstDay = Date.parse("2024-01-01T00:00:00Z");

const text = fc.record({ kind: fc.nat(1), lines: fc.integer({ min: 1, max: 2 }) });

const step = fc.record({
  edits: fc.array(fc.record({ path: fc.constantFrom(...paths), text: fc.option(text, { freq: 5 }) }), {
    minLength: 1,
    maxLength: 3,
  }),
  author: fc.constantFrom(...people),
  /** Clocks differ: a later commit may say that it was made before. */
  day: fc.nat(30),
  end: fc.constantFrom("commit", "commit", "commit", "amend", "merge", "nothing"),
  branch: fc.option(fc.constantFrom(...branches), { freq: 3 }),
});

/** Two functions, of few kinds: the same content lies under several paths, goes and comes back by another hand. */
const textOf = (path: string, { kind, lines }: { readonly kind: number; readonly lines: number }): string => {
  const body = (of: number) => Array.from({ length: of }, (_, at) => `  step(${at}, ${kind});`).join("\n");
  if (path.endsWith(".md")) return `# Part ${kind}\n\n${"Words. ".repeat(lines)}\n`;
  if (path.endsWith(".py")) return `def one():\n${body(lines)}\n\n\ndef two():\n${body(2)}\n`.replaceAll(";", "");
  return `export function one() {\n${body(lines)}\n}\n\nexport function two() {\n${body(2)}\n}\n`;
};

interface History {
  /** The last one first. */
  readonly authors: readonly string[];
  readonly modifiedAt: number;
  readonly churn: number | undefined;
  /** Who wrote each line; undefined for what is not committed as it is. */
  readonly lines: readonly string[] | undefined;
}

/** Signs that no name has in it here. */
const [headerMark, timeMark] = ["\u0001", "\u0002"];

/** What git says of one path, asked for that path alone. */
function readHistory(root: string, path: string): History {
  const format = "--format=%x01%an%x02%ct";
  const log = git(root, "log", "--full-history", "--no-merges", "--no-renames", format, "--numstat", "--", path);
  const commits = log.split(headerMark).slice(1);
  const counts = commits.flatMap((commit) => [...commit.matchAll(/^(\d+)\t(\d+)\t/gm)]);
  const times = commits.map((commit) => Number(commit.slice(commit.indexOf(timeMark) + 1).split("\n", 1)[0]) * 1_000);
  const authors = [...new Set(commits.map((commit) => commit.slice(0, commit.indexOf(timeMark))))];
  const isDirty = git(root, "status", "--porcelain", "--untracked-files=all", "--", path) !== "";
  if (isDirty) times.push(lstatSync(join(root, path)).mtimeMs);
  const blame = isDirty ? "" : git(root, "blame", "--line-porcelain", "HEAD", "--", path);
  return {
    authors,
    modifiedAt: Math.max(...times),
    churn:
      commits.length === 0 ? undefined : counts.reduce((sum, [, one, other]) => sum + Number(one) + Number(other), 0),
    lines: isDirty ? undefined : [...blame.matchAll(/^author (.*)$/gm)].map(([, name]) => name ?? ""),
  };
}

type Filters = Pick<
  CodeFilters,
  "author" | "chunkAuthor" | "churnMin" | "modifiedAfter" | "modifiedSince" | "path" | "caseFile" | "branch"
>;

const now = firstDay + 31 * day;

const filters: fc.Arbitrary<Filters> = fc.oneof(
  fc.record({ author: fc.constantFrom(...people, "ADA", "hopper", "a", "grace hopper,nobody", "ada example,hopper") }),
  fc.record({ chunkAuthor: fc.constantFrom(...people, "ADA", "hopper", "nobody") }),
  fc.record({ churnMin: fc.integer({ min: 0, max: 30 }) }),
  fc.record({ modifiedSince: fc.nat(32) }),
  fc.record({ modifiedAfter: fc.nat(31).map((days) => new Date(firstDay + days * day).toISOString()) }),
  fc.record(
    {
      author: fc.constantFrom("ada", "hopper"),
      modifiedSince: fc.nat(32),
      modifiedAfter: fc.nat(31).map((days) => new Date(firstDay + days * day).toISOString()),
      churnMin: fc.nat(20),
    },
    { requiredKeys: [] },
  ),
  fc.record({
    path: fc.constantFrom("Price", "price", "LIB/", "lib/,notes", "Ä", "/^src/P/", "W"),
    caseFile: fc.boolean(),
  }),
  fc.record({ branch: fc.constantFrom(...branches) }),
);

/** What each of these means, said once more in the plainest way. */
function passes({ path, chunk }: Scanned, asked: Filters, { history, branch }: { history: History; branch: string }) {
  const has = (name: string, given: string): boolean =>
    given.split(",").some((part) => name.toLowerCase().includes(part.toLowerCase()));
  const { author, chunkAuthor, churnMin, modifiedAfter, modifiedSince } = asked;
  const fold = (one: string): string => (asked.caseFile ? one : one.toLowerCase());
  const isPath = (part: string): boolean =>
    part.startsWith("/") ? new RegExp(part.slice(1, -1)).test(path) : fold(path).includes(fold(part));
  // Git follows lines to files of other names; a person who never changed this one is not looked for in it.
  const isTouched = chunkAuthor !== undefined && history.authors.some((name) => has(name, chunkAuthor));
  const writers = history.lines?.slice(chunk.startLine - 1, chunk.endLine) ?? history.authors.slice(0, 1);
  return (
    (author === undefined || history.authors.some((name) => has(name, author))) &&
    (chunkAuthor === undefined || (isTouched && writers.some((name) => has(name, chunkAuthor)))) &&
    (churnMin === undefined || (history.churn !== undefined && history.churn >= churnMin)) &&
    (modifiedAfter === undefined || history.modifiedAt >= Date.parse(modifiedAfter)) &&
    (modifiedSince === undefined || history.modifiedAt >= now - modifiedSince * day) &&
    (typeof asked.path !== "string" ||
      (asked.path.startsWith("/") ? [asked.path] : asked.path.split(",")).some(isPath)) &&
    (asked.branch === undefined || asked.branch === branch)
  );
}

test("[IX5, IX7, IX10, PA16, PA18, PA19] after any history the filters on authors, churn, time, branch and capitals find what git's log and a scan find", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(step, fc.array(filters, { minLength: 4, maxLength: 8 })), { minLength: 3, maxLength: 7 }),
      async (steps) => {
        const { path: root } = makeRepository({ "notes.md": "# Notes\n" });
        const repository = { root, main: root };
        const index = openCodeindex({
          homeDir: makeFolder(),
          openGit: (signal) => openGit(installedGit, signal),
          now: Date.now,
        });
        const watch = { signal: new AbortController().signal };
        await index.ports.build({ repository, isFromScratch: false }, watch);
        for (const [one, asks] of steps) {
          take(root, one);
          const files = git(
            root,
            "-c",
            "core.quotePath=false",
            "ls-files",
            "-co",
            "--exclude-standard",
            "--deduplicate",
          );
          const present = files
            .split("\n")
            .filter((path) => path !== "" && lstatSync(join(root, path), { throwIfNoEntry: false }));
          const all = await scan(root, present);
          const branch = git(root, "branch", "--show-current");
          const histories = new Map(present.map((path) => [path, readHistory(root, path)]));
          for (const asked of asks) {
            if (Object.keys(asked).length === 0) continue;
            const expected = all.filter((chunk) => {
              const history = histories.get(chunk.path);
              return history && passes(chunk, asked, { history, branch });
            });
            const found = await index.ports.search({ ...everyChunk, now, repository, filters: asked }, watch);
            const hits = Object.values(found.hits).flatMap((list) => list.map(({ id }) => id));
            expect(hits.sort(), JSON.stringify(asked)).toEqual(expected.map(({ id }) => id).sort());
            const isElsewhere = asked.branch !== undefined && asked.branch !== branch;
            expect(found.warnings.map(({ code }) => code)).toEqual(isElsewhere ? ["branch_mismatch"] : []);
          }
        }
        await index.close();
      },
    ),
    // Each takes a second or more: what fails is told as it came, not made smaller.
    { numRuns: 5, endOnFailure: true },
  );
});

/** Somebody works: edits, perhaps on another branch, and perhaps commits them. */
function take(root: string, { edits, author, day: at, end, branch }: Step): void {
  const date = new Date(firstDay + at * day).toISOString();
  const who = { GIT_AUTHOR_NAME: author, GIT_COMMITTER_NAME: author, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  const run = (...args: string[]) =>
    execFileSync("git", args, { cwd: root, env: { ...process.env, ...developer, ...who }, stdio: "pipe" });
  if (branch !== null) {
    run("add", "-A");
    run("stash", "-q");
    const isKnown = git(root, "branch", "--list", branch) !== "";
    run("switch", "-q", ...(isKnown ? [] : ["-c"]), branch);
  }
  for (const { path, text } of edits) put(root, new Set(), path, text && textOf(path, text));
  if (end === "nothing") return;
  run("add", "-A");
  run("commit", "-q", "--allow-empty", "-m", "Step", ...(end === "amend" ? ["--amend", "--reset-author"] : []));
  if (end === "merge") {
    const other = branches.find((name) => git(root, "branch", "--list", name).startsWith("  "));
    if (other !== undefined) merge(run, other);
  }
}

/** What Git can't put together is committed as it lies there. */
function merge(run: (...args: string[]) => unknown, branch: string): void {
  try {
    run("merge", "-q", "-X", "ours", "--allow-unrelated-histories", "-m", "Merge", branch);
  } catch {
    run("add", "-A");
    run("commit", "-q", "-m", "Merge");
  }
}

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

const developer = {
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_EMAIL: "x@example.com",
  GIT_COMMITTER_EMAIL: "x@example.com",
};
