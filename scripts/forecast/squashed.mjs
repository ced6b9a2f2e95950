import { ask, spread } from "./data.mjs";

/**
 * Pull requests that came in as one commit: is their branch recognised once the base has that commit, and is it not while
 * the base lacks it? The commit's subject says which request it was; where that number is an old issue's, as in some
 * projects, the request of that number was made at another time and is left out.
 */
export async function judgeSquashed({ mirror, open, load, most }) {
  const { findTaken } = await load("forecast/taken");
  const { repository, sides } = await open();
  const heads = new Map(
    ask(mirror, "for-each-ref", "--format=%(refname) %(objectname) %(committerdate:unix)", "refs/pull/*/head")
      .split("\n")
      .map((line) => line.split(" "))
      .map(([ref = "", commit, seconds]) => [ref.split("/")[2], { head: commit, seconds: Number(seconds) }]),
  );
  const commits = ask(
    mirror,
    "log",
    "--first-parent",
    "--max-parents=1",
    "--max-count=3000",
    "--format=%H %ct %s",
    "HEAD",
  )
    .split("\n")
    .flatMap((line) => {
      const found = heads.get(/\(#(\d+)\)$/.exec(line)?.[1]);
      const [commit, at] = line.split(" ");
      const age = Number(at) - (found?.seconds ?? Number.NaN);
      return age > -dayS && age < longestOpenS ? [{ commit, head: found.head }] : [];
    });
  const judged = { found: 0, false: 0, all: 0, missed: [] };
  for (const { commit, head } of spread(commits, most)) {
    const parent = ask(mirror, "rev-parse", `${commit}^`);
    const side = await sides
      .ofCommit(repository, { name: head, commit: head }, { branch: "main", commit: parent })
      .catch(() => undefined);
    if (side === undefined || side.changes.size === 0) continue;
    judged.all += 1;
    // That half of it is there is a question of its own.
    const isTold = async (base) => {
      const { taken = null } = (await findTaken(repository, side, base).catch(() => undefined)) ?? {};
      return taken !== null && taken !== "moot";
    };
    if (await isTold(commit)) judged.found += 1;
    else judged.missed.push(commit.slice(0, 10));
    if (await isTold(parent)) judged.false += 1;
  }
  return judged;
}

const dayS = 86_400;
const longestOpenS = 200 * dayS;
