import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { findMirror, groupBy, readList, spread } from "../scripts/forecast/data.mjs";
import { judgeMerges } from "../scripts/forecast/merges.mjs";
import { judgePairs } from "../scripts/forecast/pairs.mjs";
import { judgePlanted } from "../scripts/forecast/planted.mjs";
import { methods, Score } from "../scripts/forecast/scores.mjs";
import { judgeSquashed } from "../scripts/forecast/squashed.mjs";
import { root } from "../scripts/steps/root.mjs";
import { makeFolder } from "./kit/homes.mjs";
import { row } from "./kit/rows.mjs";

export const title = "Telling what will collide, against having the same file and being within ten lines";
/** It works through whole histories, which takes minutes. */
export const isOnRequest = true;

/** The lists are nobody's to publish with the code, nor are the repositories that they are about. */
const folder = resolve(process.env.CREWDECK_MERGES_DATA ?? join(root, "..", "shared", "data", "merges"));
const mirrors = resolve(process.env.CREWDECK_MERGES_REPOSITORIES ?? join(root, "..", ".mirror"));
/** Moments, merges and the like of one repository that are looked at; all of them take an hour. */
const most = Number(process.env.CREWDECK_MERGES_MOST ?? 30);
const built = process.env.CREWDECK_MERGES_BUILD ?? join(root, "dist");

export async function run() {
  if (!existsSync(folder)) throw new Error(`There is no data in ${folder}.`);
  const open = await prepare();
  const parts = [measurePairs, measureMerges, measurePlanted, measureSquashed];
  const rows = [];
  for (const measure of parts) rows.push(...(await measure(open)));
  return rows;
}

const load = (name) => import(join(built, "adapters", `${name}.js`));

/** Opens a repository as a forecast does, with a memory of its own. */
async function prepare() {
  const [{ openRepository }, { installedGit }, { withOwnObjects }, { SideReader }, { Meetings }] = await Promise.all(
    ["git/repository", "git/run", "forecast/own-objects", "forecast/sides", "forecast/meetings"].map(load),
  );
  const own = makeFolder();
  return async (mirror) => {
    const repository = await withOwnObjects(await openRepository(installedGit, mirror), own);
    const sides = new SideReader();
    return { repository, sides, meetings: new Meetings(own, sides) };
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
