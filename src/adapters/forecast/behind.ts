import type { Behind, BehindCommit } from "../../domain/forecast/port.ts";
import { textOfName } from "../evidence/file-names.ts";
import { type RawName, readNames } from "../git/names.ts";
import type { Repository } from "../git/repository.ts";
import { limits } from "./limits.ts";
import type { Base, Side } from "./sides.ts";

/** How far a side is behind its base, and which of those commits touch what it changes. */
export async function findBehind(
  repository: Repository,
  side: Side,
  base: Base,
  conflicts: readonly RawName[],
): Promise<Behind> {
  const flags = [`--max-count=${limits.commitsBehind}`, "--format=%H", "--raw", "-z", "--no-renames", "--no-abbrev"];
  const { stdout } = await repository.git(["log", ...flags, "--end-of-options", base.commit, `^${side.head}`]);
  const commits = readLog(readNames(stdout));
  const concerning = commits.flatMap(({ commit, names }) => {
    const name = names.find((one) => side.changes.has(one));
    return name === undefined ? [] : [{ commit, path: textOfName(name) }];
  });
  return {
    commits: commits.length,
    concerning: concerning.length,
    newest: await describe(repository, concerning.slice(0, limits.toldBehind)),
    conflicts: conflicts.map(textOfName),
  };
}

interface Logged {
  readonly commit: string;
  readonly names: readonly RawName[];
}

/** Each commit, then for each of its files what happened to it, behind a colon, and its name. */
function readLog(words: readonly string[]): Logged[] {
  const commits: { commit: string; names: RawName[] }[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = (words[at] ?? "").replace(/^\n/, "");
    if (word.startsWith(":")) {
      at += 1;
      commits.at(-1)?.names.push(words[at] ?? "");
    } else if (word !== "") {
      commits.push({ commit: word, names: [] });
    }
  }
  return commits;
}

async function describe(
  { git }: Repository,
  commits: readonly { readonly commit: string; readonly path: string }[],
): Promise<BehindCommit[]> {
  if (commits.length === 0) return [];
  const hashes = commits.map(({ commit }) => commit);
  const flags = ["--no-walk=unsorted", "--format=%an%x00%s", "-z", "--end-of-options"];
  const { stdout } = await git(["log", ...flags, ...hashes]);
  const words = stdout.toString("utf8").split("\0");
  return commits.map((one, at) => ({ ...one, author: words[at * 2] ?? "", subject: words[at * 2 + 1] ?? "" }));
}
