import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fromBuild, openIndex, searchAsk, watch } from "./kit/codeindex.mjs";
import { makeFolder } from "./kit/homes.mjs";
import { row } from "./kit/rows.mjs";

export const title =
  "Issue text to the files that the change touched: rank of the right files, tokens until one is shown, also by ripgrep";
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
  const { isTestFile } = await fromBuild("search", "test-files.js");
  const results = [];
  for (const { source, lang, base_commit: commit, query, gold_files: gold } of items) {
    checkOut(folder, commit, git);
    await index.ports.build({ repository: { root: folder, main: folder }, isFromScratch: false }, watch);
    const text = query.includes("\n") ? query : `${query}\n${query}`;
    const ask = async (modes, top) => (await index.ports.search(searchAsk(folder, text, { modes, top }), watch)).hits;
    // As the tool does it unless told otherwise.
    const both = await ask(["code", "prose", "extracted-prose"], mostHits);
    const alone = await ask(["code"], 1_000);
    const rank = (hits) => {
      const files = [...new Set(hits.map(({ file }) => file))].filter((file) => !isTestFile(file));
      return gold.map((path) => files.indexOf(path));
    };
    results.push({
      ...{ source, lang },
      ranks: new Map(pages.map((top) => [top, rank(both.code.slice(0, top))])),
      allRanks: rank(alone.code),
      tokens: tokensUntil(
        both.code.map((hit) => [hit.file, JSON.stringify(hit)]),
        gold,
      ),
      grepTokens: tokensUntil(grep(folder, text, fewWords), gold),
      wideTokens: tokensUntil(grep(folder, text, manyWords), gold),
    });
  }
  await index.close();
  rmSync(folder, { recursive: true, force: true });
  return results;
}

/** How many hits a caller may ask for. */
const pages = [5, 10, 20];
const mostHits = 20;

/** A mirror may lack its largest blobs: what is there is checked out. */
function checkOut(folder, commit, git) {
  git("-C", folder, "update-ref", "--no-deref", "HEAD", commit);
  git("-C", folder, "read-tree", commit);
  try {
    git("-C", folder, "checkout-index", "-a", "-f", "-q");
  } catch {}
  git("-C", folder, "clean", "-fdxq");
}

/** Words that may be names, those that look like code first. */
function listIdentifiers(text) {
  const words = [...new Set(text.match(/[A-Za-z_][A-Za-z0-9_]{3,}/g) ?? [])];
  const looksLikeCode = (word) => /[a-z][A-Z]|_/.test(word);
  return words.toSorted((one, other) => looksLikeCode(other) - looksLikeCode(one)).slice(0, 60);
}

const hasRipgrep = spawnSync("rg", ["--version"]).status === 0;

/** Whoever looks for few words misses most, whoever looks for many reads much. */
const [fewWords, manyWords] = [5, 20];

/** What somebody sees who looks for the rarest identifiers of the text that occur at all: line by line, by path. */
function grep(folder, text, count) {
  const run = (...args) => {
    const told = spawnSync("rg", ["--no-config", "-w", "-F", "--sort", "path", ...args, "./"], {
      ...{ cwd: folder, encoding: "utf8", maxBuffer: 2 ** 29 },
    });
    return (told.stdout ?? "").split("\n").filter(Boolean);
  };
  const patterns = (words) => words.flatMap((word) => ["-e", word]);
  const times = new Map();
  for (const word of run("-o", "-I", ...patterns(listIdentifiers(text)))) times.set(word, (times.get(word) ?? 0) + 1);
  const rarest = [...times].sort(([, one], [, other]) => one - other).slice(0, count);
  if (rarest.length === 0) return [];
  return run("-n", "--no-heading", ...patterns(rarest.map(([word]) => word))).map((line) => [
    line.slice(2, line.indexOf(":")),
    `${line}\n`,
  ]);
}

/** What has to be read until one of the right files is shown, in tokens; more than anything where none is. */
function tokensUntil(shown, gold) {
  let letters = 0;
  for (const [file, text] of shown) {
    letters += text.length;
    if (gold.includes(file)) return letters / 4;
  }
  return Number.POSITIVE_INFINITY;
}

function rowsOf(name, results) {
  const share = (test) => (100 * results.filter(test).length) / results.length;
  const say = (what, value, unit) => row({ what: `${name} (${results.length}): ${what}`, value, unit });
  const first = (ranks) => Math.min(...ranks.map((rank) => (rank < 0 ? Number.POSITIVE_INFINITY : rank)));
  const rowsFor = (which, ranksOf) => {
    const within = (count) => share((one) => ranksOf(one).every((rank) => rank >= 0 && rank < count));
    const mean = (worth) => results.reduce((sum, one) => sum + worth(ranksOf(one)), 0) / results.length;
    return [
      say(`${which}, all files among the first`, within(1), "%"),
      say(`${which}, among the first 5`, within(5), "%"),
      say(`${which}, among the first 10`, within(10), "%"),
      say(
        `${which}, MRR`,
        mean((ranks) => 1 / (1 + first(ranks))),
        "",
      ),
      say(`${which}, NDCG@10`, mean(gainOf), ""),
    ];
  };
  const rowsOfTokens = (which, tokensOf) => {
    const tokens = results.map(tokensOf).toSorted((one, other) => one - other);
    return [
      say(
        `${which}, a right file is shown`,
        share((one) => Number.isFinite(tokensOf(one))),
        "%",
      ),
      say(`${which}, until then, median`, tokens[Math.floor(tokens.length / 2)], "tokens"),
      say(`${which}, until then, three quarters of the items`, tokens[Math.floor(tokens.length * 0.75)], "tokens"),
    ];
  };
  const places = Array.from({ length: 10 }, (_, place) => share(({ allRanks }) => allRanks.includes(place)));
  return [
    ...pages.flatMap((top) => rowsFor(`top ${top}`, ({ ranks }) => ranks.get(top))),
    ...rowsFor("code alone, top 1,000", ({ allRanks }) => allRanks),
    ...rowsOfTokens("search", ({ tokens }) => tokens),
    ...(hasRipgrep ? rowsOfTokens(`ripgrep, ${fewWords} words`, ({ grepTokens }) => grepTokens) : []),
    ...(hasRipgrep ? rowsOfTokens(`ripgrep, ${manyWords} words`, ({ wideTokens }) => wideTokens) : []),
    ...places.map((value, place) => say(`the file in place ${place + 1} is touched`, value, "%")),
  ];
}

/** What the right files gain by their places among the first ten, of what they could gain at best. */
function gainOf(ranks) {
  const gain = (places) =>
    places.filter((place) => place >= 0 && place < 10).reduce((sum, place) => sum + 1 / Math.log2(place + 2), 0);
  return gain(ranks) / gain([...ranks.keys()]);
}
