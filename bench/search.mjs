import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import {
  cpuOf,
  cpuOfProgram,
  fromBuild,
  openIndex,
  percentile,
  repositories,
  searchAsk,
  watch,
} from "./kit/codeindex.mjs";
import { makeFolder } from "./kit/homes.mjs";
import { row } from "./kit/rows.mjs";

export const title = "Code search against ripgrep, codesearch and SQLite FTS5 on the same files, processor time";
export const isOnRequest = true;

const queries = 20;

export async function run() {
  const rows = [];
  for (const repository of repositories()) rows.push(...(await measureRepository(repository)));
  return rows;
}

async function measureRepository(repository) {
  const name = basename(repository);
  const say = (what, parts) => row({ what: `${name}: ${what}`, ...parts });
  const home = makeFolder();
  const built = runProgram("build-index", home, repository);
  const megabytes = built.bytes / 1e6;
  const rows = [
    say(`build with all facts (${built.files} files, ${megabytes.toFixed(1)} MB)`, {
      value: megabytes / (built.cpuMs / 1e3),
      unit: "MB/s a core",
      aim: { atLeast: 2.5 },
    }),
    say("the same without syntax: lines, words, trigrams", {
      value: built.lexicalRate,
      unit: "MB/s a core",
      aim: { atLeast: 10 },
    }),
    say("index on disk, of the text", { value: sizeOf(home) / built.bytes, unit: "×", aim: { atMost: 0.6 } }),
    say("memory while building", { value: built.rss / 1e6, unit: "MB", aim: { atMost: 700 } }),
    ...(built.bytes < mostCopied
      ? await measureCopy(repository, home, { say, builtMs: built.cpuMs, indexBytes: sizeOf(home) })
      : []),
  ];
  const words = chooseWords(repository, 7);
  rows.push(...measureServing(repository, home, { words, say }));
  const calm = await openIndex(home, { once: true });
  rows.push(...(await measureQueries(repository, calm, { words, say })));
  rows.push(...(await measureAnswers(repository, calm, { words, say })));
  await calm.close();
  const real = await openIndex(home);
  rows.push(...(await measureLook(repository, real, say)), ...(await measureChange(repository, real, say)));
  await real.close();
  rmSync(home, { recursive: true, force: true });
  return rows;
}

/** A copy of more text says nothing new and takes minutes. */
const mostCopied = 100e6;

/** In a process that has built nothing and loaded nothing yet. */
function measureServing(repository, home, { words, say }) {
  const { firstMs, firstCpuMs, rss } = runProgram("search", home, repository, ...words);
  return [
    say("cold start to the first answer", { value: firstMs, unit: "ms", aim: { atMost: 400 } }),
    say("the same, processor time without git's", { value: firstCpuMs, unit: "ms" }),
    say("memory while serving", { value: rss / 1e6, unit: "MB", aim: { atMost: 350 } }),
  ];
}

/** What a program says that is started for this alone. */
function runProgram(name, ...args) {
  const program = join(import.meta.dirname, "programs", `${name}.mjs`);
  return JSON.parse(execFileSync(process.execPath, [program, ...args], { encoding: "utf8" }));
}

/** What it takes to see whether anything has changed: here, and in git. */
async function measureLook(repository, index, say) {
  const ask = searchAsk(repository, "", { filters: { path: "\u0001" } });
  await index.ports.search(ask, watch);
  const own = [];
  for (let round = 0; round < 5; round += 1) own.push((await cpuOf(() => index.ports.search(ask, watch))).cpuMs);
  const args = ["-C", repository, "status", "--porcelain=v2", "--untracked-files=all", "--ignore-submodules=all"];
  const git = cpuOfProgram("git", args, { GIT_OPTIONAL_LOCKS: "0" });
  return [
    say("looking for changes before each search, here", { value: percentile(own, 0.5), unit: "ms" }),
    say("looking for changes before each search, git status", { value: git, unit: "ms" }),
  ];
}

/** The SQLite copy beside the index it is made from: what writing it takes, and how large it is. */
async function measureCopy(repository, home, { say, builtMs, indexBytes }) {
  const index = await openIndex(home);
  const { indexCopies } = await import("../dist/storage/index-copy/write-copy.js");
  const path = join(makeFolder(), "copy.sqlite");
  const tree = { root: repository, main: repository };
  const write = () =>
    cpuOf(() => {
      const ask = { mode: "all", isIncremental: true, meta: { repo: repository }, signal: watch.signal };
      return indexCopies.write(path, ask, index.ports.readChunks(tree, watch.signal));
    });
  const first = await write();
  const again = await write();
  await index.close();
  const against = { peer: "the index", peerValue: builtMs / 1e3 };
  return [
    say("SQLite copy, written", { value: first.cpuMs / 1e3, unit: "s", ...against }),
    say("SQLite copy, written again unchanged", { value: again.cpuMs / 1e3, unit: "s", ...against }),
    say("SQLite copy on disk", {
      value: first.value.bytes / 1e6,
      unit: "MB",
      peer: "the index",
      peerValue: indexBytes / 1e6,
    }),
  ];
}

/** Git looks once: what a search itself takes would be lost in what starting git takes. */
async function measureQueries(repository, index, { words, say }) {
  const run = async (query, more) => cpuOf(() => index.ports.search(searchAsk(repository, query, more), watch));
  const all = [];
  const few = [];
  const ranked = [];
  const filtered = { top: 20, modes: ["code"], filters: { type: "function,method" } };
  // A server answers many searches: what the first ones cost in any program that is compiled while it runs is the cold start.
  const others = chooseWords(repository, 16).filter((word) => !words.includes(word));
  for (const word of others) {
    await run(`"${word}("`, { top: 50 });
    await run(`${word} return`, filtered);
  }
  // Files are read by the first of them, so half of the words ask for all hits first.
  for (const [number, word] of words.entries()) {
    const measureAll = async () => all.push((await run(`"${word}("`, { top: 1_000 })).cpuMs);
    const measureFew = async () => few.push((await run(`"${word}("`, { top: 50 })).cpuMs);
    for (const measure of number % 2 === 0 ? [measureAll, measureFew] : [measureFew, measureAll]) await measure();
    ranked.push((await run(`${word} return`, filtered)).cpuMs);
  }
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const own = mean(all);
  const rg = words.map((word) => cpuOfProgram("rg", ["-n", "-F", "--no-ignore", `${word}(`, repository]));
  const codesearch = measureCodesearch(repository, words);
  const fts = await measureFts(repository, index, words);
  return [
    say("literal, all hits", {
      value: own,
      unit: "ms",
      ...(rg[0] === undefined ? {} : { peer: "ripgrep", peerValue: mean(rg), aim: { ratioAtMost: 0.05 } }),
    }),
    ...(codesearch === undefined
      ? []
      : [
          say("the same", {
            value: own,
            unit: "ms",
            peer: "codesearch",
            peerValue: codesearch,
            aim: { ratioAtMost: 1 },
          }),
        ]),
    say("literal, first 50 hits, p50", {
      value: percentile(few, 0.5),
      unit: "ms",
      aim: { atMost: 5 },
    }),
    say("literal, first 50 hits, p95", {
      value: percentile(few, 0.95),
      unit: "ms",
      aim: { atMost: 20 },
    }),
    say("ranked with a filter, p50", { value: percentile(ranked, 0.5), unit: "ms", aim: { atMost: 3 } }),
    say("ranked with a filter, p95", { value: percentile(ranked, 0.95), unit: "ms", aim: { atMost: 15 } }),
    say("ranked with a filter, mean", {
      value: mean(ranked),
      unit: "ms",
      peer: "SQLite FTS5",
      peerValue: fts,
      aim: { ratioAtMost: 0.125 },
    }),
  ];
}

/** What an agent pays for an answer, in tokens: as it comes, with ten hits, and with their texts. */
async function measureAnswers(repository, index, { words, say }) {
  const [{ bundleHits, hitRecords }, { fitHits, usualTokens }] = await Promise.all([
    fromBuild("tools", "index", "voice", "hits.js"),
    fromBuild("tools", "index", "voice", "fit-hits.js"),
  ]);
  const kinds = [
    { what: "usual", top: 5, isFull: false, maxTokens: usualTokens },
    { what: "10 in each list", top: 10, isFull: false },
    { what: "usual, full", top: 5, isFull: true, maxTokens: usualTokens },
    { what: "full and unbounded", top: 5, isFull: true },
  ];
  const rows = [];
  for (const { what, maxTokens, ...more } of kinds) {
    const tokens = [];
    for (const query of words.flatMap((word) => [word, `"${word}("`, `${word} return`])) {
      const ask = searchAsk(repository, query, { modes: ["code", "prose", "extracted-prose"], ...more });
      const { hits, ...about } = await index.ports.search(ask, watch);
      const lists = {
        code: hitRecords(hits.code),
        prose: hitRecords(hits.prose),
        extractedProse: hitRecords(hits["extracted-prose"]),
      };
      const kept = maxTokens === undefined ? { lists, warnings: [] } : fitHits(lists, maxTokens, about);
      const answer = { query, ...kept.lists, bundles: bundleHits(kept.lists), ...about, warnings: kept.warnings };
      tokens.push(countTokens(JSON.stringify(answer)));
    }
    for (const [share, name] of [
      [0.5, "p50"],
      [0.95, "p95"],
      [1, "most"],
    ]) {
      rows.push(say(`an answer, ${what}, ${name}`, { value: percentile(tokens, share), unit: "tokens" }));
    }
  }
  return rows;
}

async function measureChange(repository, index, say) {
  const file = join(repository, `crewdeck-bench-${process.pid}.ts`);
  const times = [];
  try {
    for (let round = 0; round < 5; round += 1) {
      writeFileSync(file, `export function changed${round}() {\n  return ${round};\n}\n`);
      times.push((await cpuOf(() => index.ports.search(searchAsk(repository, `changed${round}`), watch))).wallMs);
    }
  } finally {
    rmSync(file, { force: true });
  }
  return [say("changed file to searchable", { value: percentile(times, 0.5), unit: "ms", aim: { atMost: 30 } })];
}

function measureCodesearch(repository, words) {
  const home = makeFolder();
  const env = { CSEARCHINDEX: join(home, "csearch") };
  if (cpuOfProgram("cindex", [repository], env) === undefined) return undefined;
  const times = words.map((word) => cpuOfProgram("csearch", ["-n", `${word}\\(`], env));
  return times.reduce((sum, time) => sum + time, 0) / times.length;
}

/** The same chunks in a plain full-text table, the best 20 of them by its own ranking. */
async function measureFts(repository, index, words) {
  const { DatabaseSync } = createRequire(import.meta.url)("@photostructure/sqlite");
  const db = new DatabaseSync(":memory:");
  db.exec("create virtual table t using fts5(name, body, content='', tokenize=\"unicode61 tokenchars '_'\"); begin");
  const add = db.prepare("insert into t(name, body) values (?, ?)");
  for await (const chunk of index.ports.readChunks({ root: repository, main: repository }, watch.signal)) {
    if (chunk.mode === "code") add.run(chunk.name, chunk.text);
  }
  db.exec("commit");
  const find = db.prepare("select rowid from t where t match ? order by bm25(t, 5, 1) limit 20");
  let sum = 0;
  for (const word of words) sum += (await cpuOf(() => find.all(`"${word}" AND "return"`))).cpuMs;
  db.close();
  return sum / words.length;
}

/** Names that are called somewhere, spread over the files, the same in every run. */
function chooseWords(repository, from) {
  const files = execFileSync("git", ["ls-files", "-z"], { cwd: repository, maxBuffer: 2 ** 28 })
    .toString("latin1")
    .split("\0")
    .filter((file) => /\.(ts|js|py|go|rs|java)$/.test(file));
  const words = new Set();
  for (
    let at = from;
    words.size < queries && files.length > 0 && at < files.length * 3;
    at += 1 + Math.floor(files.length / 40)
  ) {
    const text = readText(join(repository, files[at % files.length]));
    const names = [...text.matchAll(/\b([A-Za-z_]\w{4,})\(/g)].map(([, word]) => word);
    if (names.length > 0) words.add(names[Math.floor(names.length / 2)]);
  }
  return [...words];
}

/** A snapshot may lack some of its files. */
const readText = (path) => (existsSync(path) ? readFileSync(path, "utf8") : "");

function sizeOf(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath ?? entry.path, entry.name)).size, 0);
}
