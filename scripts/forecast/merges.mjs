import { methods, Score, tellBy } from "./scores.mjs";

/** Merges of the past, redone when both sides had half of their commits: what is told then, against the end. */
export async function judgeMerges(lines, { open }) {
  const scores = Object.fromEntries(methods.map((method) => [method, new Score()]));
  let unknown = 0;
  const { repository, sides, meetings } = await open();
  for (const { base, a, b } of lines) {
    const tell = async (at) => {
      const ends = await Promise.all(
        [a[at], b[at]].map((commit, side) =>
          sides.ofCommit(repository, { name: `${side} ${commit}`, commit }, { branch: "main", commit: base }),
        ),
      ).catch(() => [undefined]);
      if (ends.includes(undefined)) return "unknown";
      return (await meetings.find(repository, ends))[0]?.verdict;
    };
    const end = await tell(3);
    const half = await tell(1);
    if (end === "unknown" || half === "unknown") {
      unknown += 1;
      continue;
    }
    const told = tellBy(half);
    for (const method of methods) scores[method].add(told[method], end === "conflict");
  }
  return { scores, unknown };
}
