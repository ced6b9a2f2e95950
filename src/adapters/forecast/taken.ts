import type { DoneBy, Taken } from "../../domain/forecast/port.ts";
import { textOfName } from "../evidence/file-names.ts";
import { findMerge } from "../git/merged.ts";
import { bytesOf } from "../git/names.ts";
import type { Repository } from "../git/repository.ts";
import { limits } from "./limits.ts";
import type { Side } from "./sides.ts";

export interface TakenOver {
  readonly taken: Taken | null;
  /** The one commit that seems to do the work; null where it is sure, or there is none. */
  readonly doneBy: DoneBy | null;
}

const notTaken: TakenOver = { taken: null, doneBy: null };

/**
 * How a base came to have a side's work although the side knows nothing of it. That lines are there proves nothing, so
 * this is for telling: whatever removes something asks `findMerge` alone.
 */
export async function findTaken(
  repository: Repository,
  { commit, fork, changes }: Pick<Side, "commit" | "fork" | "changes">,
  base: string,
): Promise<TakenOver> {
  if (changes.size === 0 || fork === base) return notTaken;
  const merge = await findMerge(repository, commit, base);
  if (merge !== undefined) return { taken: merge === "ancestor" ? null : merge, doneBy: null };
  const found = await findLikest(repository, { commit, fork, changes, base });
  if (found === undefined) return notTaken;
  const { isAlike, doneBy } = found;
  return { taken: isAlike ? "alike" : "moot", doneBy };
}

const patchFlags = ["-p", "-U0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames"];

/** What a patch does to lines, without white space; those that could stand anywhere are left out. */
interface Lines {
  readonly added: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
  readonly paths: readonly string[];
}

/** The commit of the base that does most of what the side does, if it is enough for a question (FC32, FC35). */
async function findLikest(
  repository: Repository,
  { commit, fork, changes, base }: Pick<Side, "commit" | "fork" | "changes"> & { readonly base: string },
): Promise<{ readonly isAlike: boolean; readonly doneBy: DoneBy } | undefined> {
  const own = readLines(
    (await repository.git(["diff-tree", ...patchFlags, "--end-of-options", fork, commit])).stdout.toString("utf8"),
  );
  const names = [...changes.keys()].filter((name) => !name.includes("\n"));
  const mine = new Set(names.map(textOfName));
  let best: { share: number; isAlike: boolean; doneBy: DoneBy } | undefined;
  for (const { hash, subject, lines } of await listPatches(repository, { base, commit, names })) {
    const paths = lines.paths.filter((path) => mine.has(path));
    const [added, removed] = [shareOf(own.added, lines.added), shareOf(own.removed, lines.removed)];
    const share = Math.max(added, removed);
    if (paths.length === 0 || share < limits.mootShare || share <= (best?.share ?? 0)) continue;
    const isAlike = added >= limits.takenShare && own.added.size >= limits.fewestLines;
    best = { share, isAlike, doneBy: { commit: hash, subject, paths } };
  }
  return best;
}

/** Of the commits that touch one of these files, everything: work is moved to other files, too. */
async function listPatches(
  { git }: Repository,
  { base, commit, names }: { readonly base: string; readonly commit: string; readonly names: readonly string[] },
): Promise<{ hash: string; subject: string; lines: Lines }[]> {
  const range = [`--max-count=${limits.commitsBehind}`, "--no-merges", "--format=%x00%H %s", "--full-diff"];
  const input = bytesOf(`${base}\n^${commit}\n--\n${names.join("\n")}\n`);
  const { stdout } = await git(["log", ...range, ...patchFlags, "--stdin"], {
    input,
    settings: ["core.quotePath=false"],
  });
  return stdout
    .toString("utf8")
    .split("\0")
    .slice(1)
    .map((text) => {
      const [, hash = "", subject = ""] = /^(\S+) (.*)/.exec(text) ?? [];
      return { hash, subject, lines: readLines(text) };
    });
}

function readLines(patch: string): Lines {
  const linesOf = (sign: RegExp): ReadonlySet<string> =>
    new Set(
      (patch.match(sign) ?? [])
        .map((line) => line.slice(1).replace(/\s+/g, ""))
        .filter((line) => /\w/.test(line) && line.length > 7),
    );
  const paths = [...patch.matchAll(/^(?:\+\+\+ b|--- a)\/([^\t\n]*)/gm)].map(([, path = ""]) => path);
  return {
    added: linesOf(/^\+(?!\+\+ ).*$/gm),
    removed: linesOf(/^-(?!-- ).*$/gm),
    paths: [...new Set(paths)],
  };
}

const shareOf = (own: ReadonlySet<string>, theirs: ReadonlySet<string>): number =>
  own.size === 0 ? 0 : [...own].filter((line) => theirs.has(line)).length / own.size;
