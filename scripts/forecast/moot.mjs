import { ask, spread } from "./data.mjs";

const namesIt = /\b(?:supersed\w*|clos\w*|replac\w*|fix\w*|cherry-picked from|based on)\b[^#\n]{0,60}#(\d+)/gi;
/** Branches this old were open when the commit came, as far as their commits say. */
const openForSeconds = 14 * 86_400;

/**
 * Commits that say which pull request they make needless: is its branch asked about once the base has the commit, and is
 * none of the others that were open then? A branch that the commit itself merges is neither.
 */
export async function judgeMoot(lines, { mirror, open, load, most }) {
  const { findTaken } = await load("forecast/taken");
  const { repository, sides } = await open();
  const heads = ask(
    mirror,
    "for-each-ref",
    "--format=%(refname) %(objectname) %(committerdate:unix)",
    "refs/pull/*/head",
  )
    .split("\n")
    .map((line) => line.split(" "))
    .map(([ref = "", head, seconds]) => ({ number: ref.split("/")[2], head, seconds: Number(seconds) }));
  const byNumber = new Map(heads.map((one) => [one.number, one]));
  const judged = { moot: 0, found: 0, others: 0, false: 0 };
  for (const by of new Set(lines.map((line) => line.by))) {
    const text = tell(mirror, "log", "-1", "--format=%ct %B", by);
    if (text === undefined) continue;
    const seconds = Number(text.split(" ")[0]);
    const own = /\(#(\d+)\)/.exec(text.split("\n")[0])?.[1];
    const named = new Set([...text.matchAll(namesIt)].map(([, number]) => number).filter((one) => one !== own));
    const isAsked = async (head) => {
      const parent = ask(mirror, "rev-parse", `${by}^`);
      const base = { branch: "main", commit: parent };
      const side = await sides.ofCommit(repository, { name: head, commit: head }, base).catch(() => undefined);
      if (side === undefined || side.changes.size === 0) return undefined;
      const before = await findTaken(repository, side, parent).catch(() => undefined);
      // What was moot before, or is merged, says nothing about this commit.
      if (before === undefined || before.taken !== null) return undefined;
      return (await findTaken(repository, side, by).catch(() => undefined))?.doneBy !== null;
    };
    for (const number of named) {
      const one = byNumber.get(number);
      const answer = one && (await isAsked(one.head));
      if (answer === undefined) continue;
      judged.moot += 1;
      if (answer) judged.found += 1;
    }
    const others = heads.filter(
      (one) =>
        one.number !== own && !named.has(one.number) && one.seconds < seconds && one.seconds > seconds - openForSeconds,
    );
    for (const { head } of spread(others, most)) {
      const answer = await isAsked(head);
      if (answer === undefined) continue;
      judged.others += 1;
      if (answer) judged.false += 1;
    }
  }
  return judged;
}

/** The largest files of a copy are missing, and some commits with them. */
function tell(mirror, ...args) {
  try {
    return ask(mirror, ...args);
  } catch {
    return undefined;
  }
}
