import { ask, spread } from "./data.mjs";

/**
 * Pull requests that came in as one commit: is their branch recognised once the base has that commit, and is it not while
 * the base lacks it? The commit's subject says which request it was.
 */
export async function judgeSquashed({ mirror, open, load, most }) {
  const { findTaken } = await load("forecast/taken");
  const { repository, sides } = await open();
  const heads = new Map(
    ask(mirror, "for-each-ref", "--format=%(refname) %(objectname)", "refs/pull/*/head")
      .split("\n")
      .map((line) => line.split(" "))
      .map(([ref = "", commit]) => [ref.split("/")[2], commit]),
  );
  const commits = ask(mirror, "log", "--first-parent", "--max-parents=1", "--max-count=3000", "--format=%H %s", "HEAD")
    .split("\n")
    .flatMap((line) => {
      const number = /\(#(\d+)\)$/.exec(line)?.[1];
      return heads.has(number) ? [{ commit: line.split(" ")[0], head: heads.get(number) }] : [];
    });
  const judged = { found: 0, false: 0, all: 0 };
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
    if (await isTold(parent)) judged.false += 1;
  }
  return judged;
}
