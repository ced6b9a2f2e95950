import type { Taken } from "../../domain/forecast/port.ts";
import { findMerge } from "../git/merged.ts";
import type { Repository } from "../git/repository.ts";
import { limits } from "./limits.ts";
import type { Side } from "./sides.ts";

/**
 * How a base came to have a side's work although the side knows nothing of it; null where it has not. That most lines are
 * there proves nothing, so this is for telling: whatever removes something asks `findMerge` alone.
 */
export async function findTaken(
  repository: Repository,
  { commit, fork, changes }: Pick<Side, "commit" | "fork" | "changes">,
  base: string,
): Promise<Taken | null> {
  if (changes.size === 0 || fork === base) return null;
  const merge = await findMerge(repository, commit, base);
  if (merge !== undefined) return merge === "ancestor" ? null : merge;
  return (await hasLines(repository, { commit, fork, base })) ? "alike" : null;
}

/** One commit of the base adds nearly all the lines that the side adds. */
async function hasLines(
  { git }: Repository,
  { commit, fork, base }: { readonly commit: string; readonly fork: string; readonly base: string },
): Promise<boolean> {
  const flags = ["-p", "-U0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames"];
  const own = addedLines(
    (await git(["diff-tree", ...flags, "--end-of-options", fork, commit])).stdout.toString("utf8"),
  );
  if (own.size < limits.fewestLines) return false;
  const range = [`--max-count=${limits.commitsBehind}`, "--no-merges", "--format=%x00", ...flags];
  const { stdout } = await git(["log", ...range, "--end-of-options", base, `^${commit}`]);
  return stdout
    .toString("utf8")
    .split("\0")
    .some((patch) => {
      const theirs = addedLines(patch);
      const found = [...own].filter((line) => theirs.has(line)).length;
      return found / own.size >= limits.takenShare;
    });
}

/** The lines a patch adds, without white space; those that could stand anywhere are left out. */
function addedLines(patch: string): ReadonlySet<string> {
  const lines = patch.match(/^\+(?!\+\+ ).*$/gm) ?? [];
  return new Set(
    lines.map((line) => line.slice(1).replace(/\s+/g, "")).filter((line) => /\w/.test(line) && line.length > 7),
  );
}
