import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { judgeCost } from "../scripts/forecast/cost.mjs";
import { findMirror, groupBy, readList, spread } from "../scripts/forecast/data.mjs";
import { judgeMerges } from "../scripts/forecast/merges.mjs";
import { judgeMoot } from "../scripts/forecast/moot.mjs";
import { judgePairs } from "../scripts/forecast/pairs.mjs";
import { judgePlanted } from "../scripts/forecast/planted.mjs";
import { methods, Score } from "../scripts/forecast/scores.mjs";
import { judgeSquashed } from "../scripts/forecast/squashed.mjs";
import { judgeWarning } from "../scripts/forecast/warning.mjs";
import { root } from "../scripts/steps/root.mjs";
import { makeFolder, readToken } from "./kit/homes.mjs";
import { median, percentile } from "./kit/measure.mjs";
import { startServer } from "./kit/programs.mjs";
import { row } from "./kit/rows.mjs";

export const title = "Telling what will collide, against having the same file and being within ten lines";
/** It works through whole histories, which takes minutes. */
export const isOnRequest = true;

/** The lists are nobody's to publish with the code, nor are the repositories that they are about. */
const folder = resolve(process.env.CREWDECK_MERGES_DATA ?? join(root, "..", "shared", "data", "merges"));
const mirrors = resolve(process.env.CREWDECK_MERGES_REPOSITORIES ?? join(root, "..", ".mirror"));
/** Moments, merges and the like of one repository that are looked at; all of them take an hour. */
const most = Number(process.env.CREWDECK_MERGES_MOST ?? 30);
/** Parts that are measured, such as `pairs,cost`; all unless told. */
const wanted = (process.env.CREWDECK_MERGES_PARTS ?? "").split(",").filter((name) => name !== "");
const built = process.env.CREWDECK_MERGES_BUILD ?? join(root, "dist");

export async function run() {
  if (!existsSync(folder)) throw new Error(`There is no data in ${folder}.`);
  const unknown = wanted.filter((name) => !(name in parts));
  if (unknown.length > 0) throw new Error(`No part is called ${unknown.join(", ")}: ${Object.keys(parts).join(", ")}.`);
  const open = await prepare();
  const rows = [];
  for (const [name, measure] of Object.entries(parts)) {
    if (wanted.length === 0 || wanted.includes(name)) rows.push(...(await measure(open)));
  }
  return rows;
}

const parts = {
  pairs: measurePairs,
  merges: measureMerges,
  planted: measurePlanted,
  squashed: measureSquashed,
  moot: measureMoot,
  cost: measureCost,
  warning: measureWarning,
};

const load = (name) => import(join(built, "adapters", `${name}.js`));

/** Opens a repository as a forecast does, with a memory of its own. */
async function prepare() {
  const names = [
    "git/repository",
    "git/run",
    "forecast/own-objects",
    "forecast/sides",
    "git/attributes",
    "forecast/meetings",
  ];
  const [{ openRepository }, { installedGit }, { withOwnObjects }, { SideReader }, { Attributes }, { Meetings }] =
    await Promise.all(names.map(load));
  const own = makeFolder();
  return async (mirror) => {
    const repository = await withOwnObjects(await openRepository(installedGit, mirror), own);
    const sides = new SideReader();
    const readers = { sides, attributes: new Attributes(own) };
    // What one look leaves for the next is looked at here all the same: verdicts are measured, not rounds.
    return { repository, sides, meetings: new Meetings(own, readers, Number.POSITIVE_INFINITY) };
  };
}

/** The lines of each repository of which there is a copy; the others are named. */
function byRepository(kind) {
  const groups = [...groupBy(readList(folder, kind), ({ repo }) => repo)];
  const missing = groups.filter(([repo]) => findMirror(mirrors, repo) === undefined);
  if (missing.length > 0) console.log(`  ${kind}: no copy of ${missing.map(([repo]) => repo).join(", ")}`);
  return groups.flatMap(([repo, lines]) => {
    const mirror = findMirror(mirrors, repo);
    return mirror === undefined ? [] : [{ repo, mirror, lines }];
  });
}

async function measurePairs(open) {
  const agents = byRepository("pairs").filter(({ lines }) => lines[0].kind === "agents");
  const judged = [];
  for (const { repo, mirror, lines } of agents) {
    judged.push(await judgePairs(lines, { mirror, most, open: () => open(mirror) }));
    console.log(`  pairs of ${repo}: ${JSON.stringify({ ...judged.at(-1), symbols: undefined })}`);
  }
  const all = sum(judged.map((one) => one.all));
  const symbols = sum(judged.map((one) => one.symbols.told));
  const looked = Math.max(1, sum(judged.map((one) => one.symbols.pairs)));
  const git = (key) => sum(judged.map((one) => one.git[key]));
  return [
    ...rowsOf("live pairs", judged, { precision: 0.8, recall: 0.6 }),
    ...methods.map((method) =>
      share(`live pairs (${all.toLocaleString("en")}): alarms by ${method}`, toldBy(judged, method) / all),
    ),
    share(`live pairs: alarms over symbols`, symbols / looked, { atMost: 0.005 }),
    share(
      `live pairs: the verdict is git's own (of ${(git("same") + git("differs")).toLocaleString("en")}, ${git("unknown")} unknown)`,
      git("same") / (git("same") + git("differs")),
      { atLeast: 1 },
    ),
  ];
}

async function measureMerges(open) {
  const judged = [];
  for (const { repo, mirror, lines } of byRepository("merges")) {
    judged.push(await judgeMerges(spread(lines, most), { open: () => open(mirror) }));
    console.log(`  merges of ${repo}: ${JSON.stringify(judged.at(-1))}`);
  }
  return rowsOf("half way", judged, { precision: 0.88, recall: 0.5 });
}

async function measurePlanted(open) {
  const judged = [];
  for (const { repo, mirror, lines } of byRepository("planted")) {
    const some = await judgePlanted(spread(lines, most), { mirror, open: () => open(mirror) });
    judged.push(...some);
    const missed = some.filter(({ isTold }) => !isTold).map(({ plant, S }) => `${plant} ${S}`);
    console.log(`  planted in ${repo}: ${some.length}; not told: ${missed.join(", ") || "none"}`);
  }
  const told = (some) => some.filter(({ isTold }) => isTold).length / some.length;
  return [
    share(`planted symbol collisions (${judged.length}) told`, told(judged), { atLeast: 0.9 }),
    ...[...groupBy(judged, ({ family, plant }) => `${family}, ${plant}`)].map(([name, some]) =>
      share(`planted: ${name} (${some.length})`, told(some)),
    ),
  ];
}

async function measureSquashed(open) {
  const judged = [];
  for (const { repo, mirror } of byRepository("pairs")) {
    judged.push(await judgeSquashed({ mirror, load, most, open: () => open(mirror) }));
    console.log(`  squashed in ${repo}: ${JSON.stringify(judged.at(-1))}`);
  }
  const [found, wrong, all] = ["found", "false", "all"].map((key) => sum(judged.map((one) => one[key])));
  return [
    share(`squashed work (${all}) recognised as merged`, found / all, { atLeast: 0.98 }),
    share("the same before it was merged", wrong / all, { atMost: 0.005 }),
  ];
}

async function measureMoot(open) {
  const judged = [];
  for (const { repo, mirror, lines } of byRepository("supersede")) {
    const moot = lines.filter(({ type }) => type === "moot");
    if (moot.length === 0) continue;
    judged.push(await judgeMoot(spread(moot, most), { mirror, load, most, open: () => open(mirror) }));
    console.log(`  moot in ${repo}: ${JSON.stringify(judged.at(-1))}`);
  }
  const [moot, found, others, wrong] = ["moot", "found", "others", "false"].map((key) =>
    sum(judged.map((one) => one[key])),
  );
  return [
    share(`moot work (${moot}) asked about`, found / moot, { atLeast: 0.55 }),
    share(`the same: precision beside ${others} other open branches`, found / (found + wrong), { atLeast: 0.75 }),
  ];
}

const worktreeCounts = [10, 50, 100];

async function measureCost() {
  const list = join(folder, "kubernetes-live.txt");
  const mirror = findMirror(mirrors, "kubernetes/kubernetes");
  if (mirror === undefined || !existsSync(list)) {
    console.log("  cost: no copy of kubernetes/kubernetes");
    return [];
  }
  const lines = readFileSync(list, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(" "));
  const heads = lines.map(([head]) => head);
  const asked = { mirror, heads, base: lines[0][1], load, folder: makeFolder(), amounts: worktreeCounts };
  return (await judgeCost(asked)).flatMap(({ worktrees, firstMs, idleMs, savedMs }) => [
    row({ what: `${worktrees} worktrees of kubernetes: first look`, value: firstMs, unit: "ms of processor time" }),
    row({ what: "the same, nothing changed", value: idleMs, unit: "ms of processor time" }),
    row({
      what: "the same, one file saved",
      value: median(savedMs),
      unit: "ms of processor time",
      aim: { atMost: 60 },
    }),
  ]);
}

async function measureWarning() {
  const home = makeFolder();
  const server = await startServer(home);
  const headers = { authorization: `Bearer ${readToken(home)}`, "content-type": "application/json" };
  const call = async (tool, args) => {
    const response = await fetch(new URL(`/api/tools/${tool}`, server.url), {
      method: "POST",
      headers,
      body: JSON.stringify(args),
    });
    return (await response.json()).result;
  };
  const took = await judgeWarning({ call, folder: makeFolder(), worktrees: 30, times: 20 });
  await server.end();
  return [
    row({ what: "saved file to warning, 30 worktrees: half", value: median(took) / 1_000, unit: "s" }),
    row({ what: "the same: p95", value: percentile(took, 0.95) / 1_000, unit: "s", aim: { atMost: 15 } }),
  ];
}

function rowsOf(what, judged, aims) {
  return ["precision", "recall"].flatMap((figure) => {
    const figureOf = (method) => addUp(judged.map(({ scores }) => scores[method]))[figure];
    return methods.slice(1).map((plain) =>
      row({
        what: `${what}: ${figure} of a dry merge (of ${addUp(judged.map(({ scores }) => scores["dry merge"])).true} conflicts)`,
        value: figureOf("dry merge"),
        unit: "share",
        peer: plain,
        peerValue: figureOf(plain),
        aim: { atLeast: aims[figure] },
      }),
    );
  });
}

function addUp(scores) {
  const total = new Score();
  for (const key of ["told", "right", "true", "all"]) total[key] = sum(scores.map((score) => score[key]));
  return total;
}

const toldBy = (judged, method) => addUp(judged.map(({ scores }) => scores[method])).told;
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const share = (what, value, aim) => row({ what, value, unit: "share", aim });
