/**
 * `node scripts/overlap/train.mjs [DATA]`: fits the weights of the overlap engine on the develop split and writes them
 * with their version. Nothing in it is left to chance: the same data gives the same file.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findThreshold, runChecks } from "./checks.mjs";
import { readProjects } from "./data.mjs";
import { openEngine } from "./engine.mjs";
import { fitLogistic, predict } from "./logistic.mjs";

const trained = ["titleCosine", "wholeLog", "wholeLogIfBare", "bare", "covered", "apart", "sharedWeight"];
/** No public data has these: their worth is a judgement. */
const set = { filesCosine: 1.5, sameComponent: 0.3, differentRepo: -0.7 };
/** Of each check so many matches are learned from, and every duplicate. */
const mostLearned = 10;
const alarmShare = 0.1;

const { folder, load, home } = await openEngine();
const { OverlapIndex } = await load("overlap-index");
const series = await load("series");
/** Whatever weights are in use now, they must have no say in what is learned from. */
const checks = runChecks(readProjects(folder, "develop"), { OverlapIndex, series, limit: 1_000 }).map((check) => ({
  ...check,
  matches: check.matches.toSorted((a, b) => b.features.wholeCosine - a.features.wholeCosine || (a.id < b.id ? -1 : 1)),
}));
const rowOf = ({ features }) => trained.map((name) => features[name]);

const projects = [...new Set(checks.filter(({ isDuplicated }) => isDuplicated).map(({ project }) => project))];
const model = learn(checks);
const held = new Map(projects.map((name) => [name, learn(checks.filter(({ project }) => project !== name))]));
const calibration = calibrate();
const guess = (match, { project }) => {
  const raw = logit(predict(held.get(project) ?? model, rowOf(match)));
  return 1 / (1 + Math.exp(-(calibration.slope * raw + calibration.intercept)));
};
const scored = checks.map((check) => ({
  ...check,
  matches: check.matches.map((match) => ({
    ...match,
    score: match.tier === "identical" ? match.score : guess(match, check),
  })),
}));
const threshold = findThreshold(
  scored.filter(({ hasTwin }) => !hasTwin),
  alarmShare,
);
const weights = {
  intercept: round(model.intercept),
  trained: Object.fromEntries(trained.map((name, at) => [name, round(model.weights[at])])),
  set,
  calibration: { slope: round(calibration.slope), intercept: round(calibration.intercept) },
  escalateThreshold: round(threshold),
};
const background = readFileSync(join(home, "background.generated.json"));
const hash = createHash("sha256").update(JSON.stringify(weights)).update(background).digest("hex");
const published = { version: `2-${hash.slice(0, 8)}`, ...weights };
writeFileSync(join(home, "weights.generated.json"), `${JSON.stringify(published, null, 2)}\n`);
console.log(JSON.stringify({ ...published, heldOut: recallHeldOut() }, null, 2));

/** Identical titles are a tier of their own and would teach the model nothing but themselves. */
function learn(some) {
  const rows = listRows(some);
  return fitLogistic(
    rows.map(({ match }) => rowOf(match)),
    rows.map(({ match }) => Number(match.isDuplicate)),
  );
}

function listRows(some) {
  return some
    .filter(({ hasTwin }) => !hasTwin)
    .flatMap((check) =>
      check.matches.filter((match, at) => at < mostLearned || match.isDuplicate).map((match) => ({ match, check })),
    );
}

/** How sure the model may be, learned on projects it has not seen. */
function calibrate() {
  const rows = listRows(checks).filter(({ check }) => held.has(check.project));
  const fitted = fitLogistic(
    rows.map(({ match, check }) => [logit(predict(held.get(check.project), rowOf(match)))]),
    rows.map(({ match }) => Number(match.isDuplicate)),
    { ridge: 0 },
  );
  return { slope: fitted.weights[0], intercept: fitted.intercept };
}

function recallHeldOut() {
  const reworded = scored.filter(({ isDuplicated, hasTwin }) => isDuplicated && !hasTwin);
  const found = reworded.filter(({ matches }) =>
    matches.some((match) => match.isDuplicate && match.suppressedBy === null && match.score >= threshold),
  );
  return { reworded: reworded.length, escalated: round(found.length / reworded.length) };
}

function logit(probability) {
  return Math.log(probability / (1 - probability));
}

function round(value) {
  return Math.round(value * 1e4) / 1e4;
}
