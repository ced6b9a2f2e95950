import type { LookedAt } from "./git-repository.ts";

/** Branches here and as remotes had them when last heard of, with their commits; the latest where there are many. */
export async function readRefs({ run }: LookedAt, most: number): Promise<Map<string, string>> {
  const order = ["--sort=-committerdate", `--count=${most}`];
  const { code, text } = await run(
    ["for-each-ref", ...order, "--format=%(objectname) %(refname)", "refs/heads", "refs/remotes"],
    [128],
  );
  if (code !== 0 || text === "") return new Map();
  return new Map(
    text.split("\n").map((line) => {
      const space = line.indexOf(" ");
      return [line.slice(space + 1), line.slice(0, space)] as const;
    }),
  );
}

/** The branch that is checked out; null where the commit is checked out by itself. */
export async function readBranch({ run }: LookedAt): Promise<string | null> {
  const { code, text } = await run(["symbolic-ref", "-q", "HEAD"], [1, 128]);
  return code === 0 && text !== "" ? text : null;
}
