import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { runChecks } from "../scripts/overlap/checks.mjs";
import { makeCorpus } from "../scripts/overlap/corpus.mjs";
import { readProjects, readReports } from "../scripts/overlap/data.mjs";
import { atLength, lengths } from "../scripts/overlap/lengths.mjs";
import { TextIndex } from "../scripts/overlap/peer.mjs";
import * as quality from "../scripts/overlap/quality.mjs";
import { runTimeline, shareOf } from "../scripts/overlap/timeline.mjs";
import { root } from "../scripts/steps/root.mjs";
import { percentile } from "./kit/measure.mjs";
import { row } from "./kit/rows.mjs";

export const title = "Finding work that somebody does already, against plain TF-IDF of the same text";

/** The data is nobody's to publish with the code: `CREWDECK_OVERLAP_DATA` says where it is. */
const folder = resolve(process.env.CREWDECK_OVERLAP_DATA ?? join(root, "..", "shared", "data", "overlap"));
const engine = join(root, "dist", "domain", "overlap", "engine");
const corpusSize = 100_000;
const searches = 500;

export async function run() {
  const load = (name) => import(`${engine}/${name}.js`);
  const [{ OverlapIndex }, { EscalationCap }, { defaultSettings: settings }, series] = await Promise.all(
    ["overlap-index", "escalation-cap", "settings", "series"].map(load),
  );
  const hasData = existsSync(join(folder, "agent-tasks.jsonl.gz"));
  if (!hasData) console.log(`  no data in ${folder}: speed only, with invented tasks`);
  const parts = { OverlapIndex, EscalationCap, series, settings };
  return [
    ...(hasData ? [...measureLengths(parts), ...measureQuality(parts), ...measureQuestions(parts)] : []),
    ...measureSpeed(OverlapIndex, hasData),
  ];
}

function measureQuality(parts) {
  const projects = readProjects(folder, "validate");
  const checks = runChecks(projects, parts);
  const learned = readProjects(folder, "develop");
  const all = [...projects, ...learned];
  const allChecks = [...checks, ...runChecks(learned, parts)];
  const reports = readReports(folder);
  const reported = runChecks([reports], { ...parts, limit: 10 });
  return [
    ...recallRows("agents' tasks", checks, projects, { 1: 0.75, 5: 0.945, 10: 0.97 }),
    share("agents' tasks: duplicate among all that are compared", quality.recallAt(checks, 1_000)),
    ...recallRows("bug reports", reported, [reports], { 5: 0.62, 10: 0.69 }),
    ...recallRows("agents' tasks with those learned from", allChecks, all, { 1: 0.75, 5: 0.945, 10: 0.97 }),
    ...rewordedRows(allChecks),
    ...decisionRows(checks, projects, parts),
    ...siblingRows(allChecks, all),
  ];
}

/** What an agent is shown and asked, by how much was written about the work. */
function measureLengths(parts) {
  const splits = { validate: ["validate"], "validate and develop": ["validate", "develop"] };
  return lengths.flatMap((length) => {
    const checksOf = (split) => runChecks(atLength(readProjects(folder, split), length), parts);
    const found = Object.fromEntries(splits["validate and develop"].map((split) => [split, checksOf(split)]));
    return Object.entries(splits).flatMap(([name, some]) =>
      lengthRows(
        `${name}, ${length}`,
        some.flatMap((split) => found[split]),
        { ...parts.settings, aim: aimsShown[length] },
      ),
    );
  });
}

const aimsShown = { full: 0.9, sentence: 0.88, title: 0.82 };
/** Matches are shown up to a number of their own, and whatever is nearest up to five with them. */
const mostNearest = 5;

function lengthRows(name, checks, { warnFloor, maxMatches, aim }) {
  const reworded = checks.filter(({ isDuplicated, hasTwin }) => isDuplicated && !hasTwin);
  const shown = ({ matches }) => {
    const above = matches.filter(({ score }) => score >= warnFloor).length;
    return matches.slice(0, Math.max(mostNearest, Math.min(above, maxMatches)));
  };
  const isRight = ({ isDuplicate }) => isDuplicate;
  const isFive = ({ matches }) => matches.slice(0, 5).some(isRight);
  return [
    share(`${name}: reworded duplicates (${reworded.length}) among the first five`, shareOf(reworded, isFive), {
      atLeast: aim,
    }),
    share(
      `${name}: found as shown`,
      shareOf(reworded, (check) => shown(check).some(isRight)),
    ),
    share(
      `${name}: found as shown above the floor`,
      shareOf(reworded, (check) => shown(check).some((match) => match.isDuplicate && match.score >= warnFloor)),
    ),
    share(
      `${name}: nothing shown`,
      shareOf(reworded, (check) => shown(check).length === 0),
    ),
    share(
      `${name}: nothing shown above the floor`,
      shareOf(reworded, ({ matches }) => matches.every(({ score }) => score < warnFloor)),
    ),
    share(
      `${name}: asked about`,
      shareOf(reworded, ({ matches }) => matches.some((match) => match.isDuplicate && match.escalates)),
    ),
    share(`${name}: clean checks that ask`, quality.alarmsOnClean(checks), { atMost: 0.12 }),
  ];
}

function recallRows(name, checks, projects, aims) {
  const peers = new Map(projects.map((project) => [project.name, new TextIndex(project.docs)]));
  const plain = checks.map((check) => ({
    ...check,
    matches: peers
      .get(check.project)
      .search(check.doc.id, 10)
      .map(({ id }) => ({ id, isDuplicate: check.duplicates.has(id) })),
  }));
  const count = checks.filter(({ isDuplicated }) => isDuplicated).length;
  return [1, 5, 10].map((most) =>
    row({
      what: `${name}: duplicate among the first ${most} (of ${count.toLocaleString("en")})`,
      value: quality.recallAt(checks, most),
      unit: "share",
      peer: "plain TF-IDF",
      peerValue: quality.recallAt(plain, most),
      aim: aims[most] && { atLeast: aims[most] },
    }),
  );
}

function decisionRows(checks, projects, parts) {
  const identical = quality.recallOfIdentical(projects, parts.OverlapIndex);
  const reworded = checks.filter(({ isDuplicated, hasTwin }) => isDuplicated && !hasTwin).length;
  return [
    share(`reworded duplicates (${reworded}) escalated, 10 % alarms`, quality.recallOfReworded(checks, 0.1, parts), {
      atLeast: 0.35,
    }),
    share("reworded duplicates escalated, 20 % alarms", quality.recallOfReworded(checks, 0.2, parts), {
      atLeast: 0.55,
    }),
    share("clean checks against all work, later work too, that ask", quality.alarmsOnClean(checks), { atMost: 0.1 }),
    share(`same titles (${identical.count}) found`, identical.identical, { atLeast: 1 }),
    share("same titles escalated", identical.escalated),
    share("calibration error", quality.calibrationError(checks), { atMost: 0.03 }),
  ];
}

/** Whose titles are the same are found by that alone. */
function rewordedRows(checks) {
  const reworded = checks.filter(({ hasTwin }) => !hasTwin);
  return [
    share("reworded duplicates with those learned from: among the first 5", quality.recallAt(reworded, 5), {
      atLeast: 0.92,
    }),
    share("reworded duplicates with those learned from: among the first 10", quality.recallAt(reworded, 10), {
      atLeast: 0.955,
    }),
  ];
}

/** As the work was filed: how often a check asks, and how often it would with the cap that a team may set. */
function measureQuestions(parts) {
  const settings = { ...parts.settings, escalationCap: 0.1 };
  return ["validate", "develop"].flatMap((split) => {
    const checks = runTimeline(readProjects(folder, split), { ...parts, settings });
    const clean = checks.filter(({ isClean }) => isClean);
    const reworded = checks.filter(({ isReworded }) => isReworded);
    const name = `as filed, ${split}`;
    return [
      share(
        `${name}: clean checks that ask (of ${clean.length.toLocaleString("en")})`,
        shareOf(clean, ({ asked }) => asked.length > 0),
        {
          atMost: 0.1,
        },
      ),
      share(
        `${name}: the same with a cap of a tenth`,
        shareOf(clean, ({ askedWithCap }) => askedWithCap.length > 0),
      ),
      share(
        `${name}: reworded duplicates (${reworded.length}) asked about`,
        shareOf(reworded, ({ asked }) => asked.some(({ isDuplicate }) => isDuplicate)),
      ),
      share(
        `${name}: the same with a cap of a tenth`,
        shareOf(reworded, ({ askedWithCap }) => askedWithCap.some(({ isDuplicate }) => isDuplicate)),
      ),
    ];
  });
}

const share = (what, value, aim) => row({ what, value, unit: "share", aim });

/** Rules hold back siblings, and rules learn nothing: so all projects count. */
function siblingRows(checks, projects) {
  const docs = new Map(projects.flatMap((project) => project.docs.map((doc) => [`${project.name} ${doc.id}`, doc])));
  const aims = { numbers: 0.01, opposed: 0.03, tests: 0.03 };
  return Object.entries(aims).map(([kind, atMost]) => {
    const { pairs, escalated } = quality.escalatedSiblings(checks, docs, quality.siblings[kind]);
    return share(`${pairs} pairs that differ by ${kind}, escalated`, escalated, { atMost });
  });
}

function measureSpeed(OverlapIndex, hasData) {
  const splits = hasData ? ["develop", "validate"].flatMap((split) => readProjects(folder, split)) : [];
  const table = JSON.parse(readFileSync(join(root, "src/domain/overlap/engine/background.generated.json"), "utf8"));
  const words = table.lines.flatMap((line) => line.split(" ").slice(1));
  const docs = makeCorpus(
    corpusSize,
    splits.flatMap((project) => project.docs),
    words,
  );
  const before = usedMb();
  const index = new OverlapIndex();
  const build = timeCpu(() => {
    for (const doc of docs) index.put(doc);
  });
  const after = usedMb();
  const samples = Array.from({ length: searches }, (_, at) => {
    const doc = docs[(at * 104_729) % docs.length];
    return timeCpu(() => index.search(doc, { skip: (id) => id === doc.id }));
  });
  const settled = samples.slice(searches / 10);
  const what = (text) => `${text}, ${corpusSize.toLocaleString("en")} tasks`;
  const fastest = Math.min(...settled);
  return [
    row({
      what: what("a check"),
      value: percentile(settled, 0.5),
      best: fastest,
      unit: "ms of a core",
      aim: { atMost: 3 },
    }),
    row({
      what: what("a slow check (p95)"),
      value: percentile(settled, 0.95),
      unit: "ms of a core",
      aim: { atMost: 10 },
    }),
    row({ what: what("building the index"), value: build / 1_000, unit: "s of a core", aim: { atMost: 5 } }),
    row({ what: what("memory of the index"), value: after - before, unit: "MB" }),
  ];
}

/** Processor time: on a machine with other work the clock says little. */
function timeCpu(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

function usedMb() {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
}
