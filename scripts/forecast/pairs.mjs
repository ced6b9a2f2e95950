import { ask, baseAt, groupBy, spread } from "./data.mjs";
import { methods, Score, tellBy } from "./scores.mjs";

/**
 * Branches that were open at one moment, as they were then: what is told of each pair, against whether it was in
 * conflict at the end. Pairs that the list leaves out had no file in common, then or later.
 */
export async function judgePairs(lines, { mirror, open, most }) {
  const scores = Object.fromEntries(methods.map((method) => [method, new Score()]));
  const git = { same: 0, differs: 0, unknown: 0 };
  const symbols = { told: 0, pairs: 0, seen: [] };
  const pairs = lines.filter(({ tips }) => tips !== undefined);
  const { repository, sides, meetings } = await open();
  const moments = [...groupBy(pairs, ({ w, t }) => `${w} ${t}`).values()];
  const chosen = spread(moments, most);
  for (const moment of chosen) {
    const base = baseAt(mirror, moment[0].t);
    const tips = [...new Set(moment.flatMap((pair) => pair.tips.slice(0, 2)))];
    const read = await Promise.all(tips.map((commit) => openSide({ repository, sides, mirror }, commit, base)));
    const found = await meetings.find(
      repository,
      read.filter((side) => side !== undefined),
    );
    const verdicts = new Map(found.map(({ between, verdict }) => [[...between].sort().join(), verdict]));
    for (const { tips: pair, now, end } of moment) {
      const verdict = verdicts.get(pair.slice(0, 2).sort().join());
      const told = tellBy(verdict);
      for (const method of methods) scores[method].add(told[method], end.conflict);
      if (verdict === "unknown") git.unknown += 1;
      else git[(verdict === "conflict") === now.conflict ? "same" : "differs"] += 1;
    }
    symbols.pairs += (tips.length * (tips.length - 1)) / 2;
    const alarms = found.filter(({ verdict }) => verdict === "symbol");
    symbols.told += alarms.length;
    symbols.seen.push(...alarms);
  }
  const all = lines.find(({ summary }) => summary !== undefined)?.summary.pairs ?? pairs.length;
  return { scores, git, symbols, all: Math.round((all * chosen.length) / Math.max(1, moments.length)) };
}

/** Dates are not exact: a branch that the base has already is held against the base before that. */
async function openSide({ repository, sides, mirror }, commit, base) {
  const read = (against) => sides.ofCommit(repository, { name: commit, commit }, against).catch(() => undefined);
  const side = await read(base);
  if (base === null || side?.changes.size !== 0) return side;
  const range = ["--first-parent", "--ancestry-path", `${commit}..${base.commit}`];
  const [took] = ask(mirror, "rev-list", "--reverse", ...range).split("\n");
  return took === "" ? side : read({ ...base, commit: ask(mirror, "rev-parse", `${took}^1`) });
}
