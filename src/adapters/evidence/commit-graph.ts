import type { LookedAt } from "./git-repository.ts";

const mostCommits = 100_000;

/** The commits that lead from a start to a head, and the head's alone. */
export interface Graph {
  /** Each before its parents. */
  readonly commits: readonly string[];
  /** There are more than can be looked at. */
  readonly isCut: boolean;
  parentsOf(commit: string): readonly string[];
  /** Those among them that none of these commits leads to. */
  without(tips: readonly string[]): Promise<ReadonlySet<string>>;
  /** The line of first parents, if it goes back to that commit. */
  straightTo(commit: string | null): ReadonlySet<string>;
}

export async function readGraph({ run }: LookedAt, start: string | null, head: string): Promise<Graph> {
  const range = [head, ...(start === null ? [] : [`^${start}`])];
  const list = async (options: readonly string[], tips: readonly string[]): Promise<string[]> => {
    const input = [...range, ...new Set(tips.map((tip) => `^${tip}`))].map((line) => `${line}\n`).join("");
    const { text } = await run(["rev-list", "--ignore-missing", ...options, "--stdin"], [], input);
    return text === "" ? [] : text.split("\n");
  };
  const lines = await list(["--topo-order", "--parents", `--max-count=${mostCommits + 1}`], []);
  const parents = new Map(
    lines.map((line) => {
      const [commit = "", ...before] = line.split(" ");
      return [commit, before] as const;
    }),
  );
  const commits = [...parents.keys()];
  const parentsOf = (commit: string): readonly string[] => parents.get(commit) ?? [];
  return {
    commits,
    isCut: commits.length > mostCommits,
    parentsOf,
    without: async (tips) => new Set(tips.length === 0 ? commits : await list([], tips)),
    straightTo(commit) {
      const line = new Set<string>();
      let at: string | undefined = head;
      for (; at !== undefined && parents.has(at); at = parentsOf(at)[0]) line.add(at);
      return (at ?? null) === commit ? line : new Set();
    },
  };
}
