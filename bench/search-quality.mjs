import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openIndex, searchAsk, watch } from "./kit/codeindex.mjs";
import { makeFolder } from "./kit/homes.mjs";
import { row } from "./kit/rows.mjs";

export const title =
  "Issue text to the files that the change touched: rank of the right files, tokens until they are shown";
export const isOnRequest = true;

/**
 * `CREWDECK_BENCH_ISSUES`: a file of items, one JSON object a line with repo, base_commit, query, gold_files.
 * `CREWDECK_BENCH_MIRRORS`: a folder with the repositories as `owner+name/repo`. Items without one are left out.
 */
export async function run() {
  const file = process.env.CREWDECK_BENCH_ISSUES;
  const mirrors = process.env.CREWDECK_BENCH_MIRRORS;
  if (!file || !mirrors) {
    console.log("  Set CREWDECK_BENCH_ISSUES and CREWDECK_BENCH_MIRRORS to measure this.");
    return [];
  }
  const only = process.env.CREWDECK_BENCH_PROJECTS?.split(",");
  const items = readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const groups = groupBy(
    items.filter(({ repo }) => !only || only.includes(repo)),
    ({ repo }) => repo,
  );
  const results = [];
  for (const [repo, some] of groups) {
    const mirror = join(mirrors, repo.replace("/", "+"), "repo");
    if (existsSync(mirror)) results.push(...(await rankAll(mirror, some)));
  }
  return [...groupBy(results, ({ source, lang }) => `${source} ${lang}`)].flatMap(([name, some]) => rowsOf(name, some));
}

function groupBy(all, keyOf) {
  const groups = new Map();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

/** All items of one repository in one work tree: contents that two commits share are indexed once. */
async function rankAll(mirror, items) {
  const folder = join(makeFolder(), "tree");
  const git = (...args) => execFileSync("git", args, { stdio: ["ignore", "pipe", "ignore"], maxBuffer: 2 ** 28 });
  git("clone", "-q", "--shared", "--no-checkout", mirror, folder);
  const index = await openIndex(makeFolder());
  const results = [];
  for (const { source, lang, base_commit: commit, query, gold_files: gold } of items) {
    checkOut(folder, commit, git);
    await index.ports.build({ repository: { root: folder, main: folder }, isFromScratch: false }, watch);
    const text = query.includes("\n") ? query : `${query}\n${query}`;
    const { hits } = await index.ports.search(searchAsk(folder, text, { modes: ["code"], top: 1_000 }), watch);
    const code = hits.code.filter(({ file }) => !isTest(file));
    const files = [...new Set(code.map((hit) => hit.file))];
    results.push({ source, lang, ranks: gold.map((path) => files.indexOf(path)), tokens: tokensUntil(code, gold) });
  }
  await index.close();
  rmSync(folder, { recursive: true, force: true });
  return results;
}

/** A mirror may lack its largest blobs: what is there is checked out. */
function checkOut(folder, commit, git) {
  git("-C", folder, "update-ref", "--no-deref", "HEAD", commit);
  git("-C", folder, "read-tree", commit);
  try {
    git("-C", folder, "checkout-index", "-a", "-f", "-q");
  } catch {}
  git("-C", folder, "clean", "-fdxq");
}

const isTest = (path) =>
  /(^|\/)(tests?|testing|__tests__|spec|testdata)\/|(^|\/)test_|[._-](test|spec)\.|_test\.|Tests?\.java$/.test(path);

/** Compact hits that have to be read until one of the right files is among them, in tokens. */
function tokensUntil(hits, gold) {
  let letters = 0;
  for (const { file, startLine, endLine, kind, name, headline, score } of hits) {
    letters += JSON.stringify({ file, startLine, endLine, kind, name, headline, score }).length;
    if (gold.includes(file)) return letters / 4;
  }
  return undefined;
}

function rowsOf(name, results) {
  const share = (test) => (100 * results.filter(test).length) / results.length;
  const within = (count) => share(({ ranks }) => ranks.every((rank) => rank >= 0 && rank < count));
  const first = ({ ranks }) => Math.min(...ranks.map((rank) => (rank < 0 ? Number.POSITIVE_INFINITY : rank)));
  const found = results.map(({ tokens }) => tokens).filter((tokens) => tokens !== undefined);
  const say = (what, value, unit) => row({ what: `${name} (${results.length}): ${what}`, value, unit });
  const places = Array.from({ length: 10 }, (_, place) => share(({ ranks }) => ranks.includes(place)));
  return [
    say("all files among the first", within(1), "%"),
    say("among the first 5", within(5), "%"),
    say("among the first 10", within(10), "%"),
    say("MRR", results.reduce((sum, one) => sum + 1 / (1 + first(one)), 0) / results.length, ""),
    say("NDCG@10", results.reduce((sum, one) => sum + gainOf(one), 0) / results.length, ""),
    say(
      "tokens until a right file is shown, median",
      found.toSorted((a, b) => a - b)[Math.floor(found.length / 2)],
      "tokens",
    ),
    ...places.map((value, place) => say(`the file in place ${place + 1} is touched`, value, "%")),
  ];
}

/** What the right files gain by their places among the first ten, of what they could gain at best. */
function gainOf({ ranks }) {
  const gain = (places) =>
    places.filter((place) => place >= 0 && place < 10).reduce((sum, place) => sum + 1 / Math.log2(place + 2), 0);
  return gain(ranks) / gain([...ranks.keys()]);
}
