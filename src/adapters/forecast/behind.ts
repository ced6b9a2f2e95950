import type { Behind, BehindCommit } from "../../domain/forecast/port.ts";
import { textOfName } from "../evidence/file-names.ts";
import { type RawName, readNames } from "../git/names.ts";
import type { Repository } from "../git/repository.ts";
import { Memory } from "../memory.ts";
import { type Concern, findConcerns, type Logged } from "./concern.ts";
import { limits } from "./limits.ts";
import type { Nearness } from "./nearness.ts";
import type { Base, Side, SideReader } from "./sides.ts";
import type { SymbolReader } from "./symbols/reader.ts";

type Distance = Omit<Behind, "conflicts">;

const level: Distance = { commits: 0, concerning: 0, functions: 0, symbols: 0, newest: [] };

/** Tells how far sides are behind their base and what of that concerns them; the same two commits are read once. */
export class BehindReader {
  readonly #readers: Parameters<typeof findConcerns>[2];
  readonly #known = new Memory<Promise<Distance>>(1_000);

  constructor(readers: { readonly sides: SideReader; readonly nearness: Nearness; readonly symbols: SymbolReader }) {
    this.#readers = readers;
  }

  /** Without files to be in conflict with, where it is not behind at all. */
  async read(
    repository: Repository,
    { side, base }: { readonly side: Side; readonly base: Base },
    conflicts: readonly RawName[] | undefined,
  ): Promise<Behind> {
    if (conflicts === undefined) return { ...level, conflicts: [] };
    const distance = await this.#known.of(`${side.commit} ${base.commit}`, () =>
      this.#measure(repository, { side, base }),
    );
    return { ...distance, conflicts: conflicts.map(textOfName) };
  }

  async #measure(
    repository: Repository,
    { side, base }: { readonly side: Side; readonly base: Base },
  ): Promise<Distance> {
    const flags = [`--max-count=${limits.commitsBehind}`, "--format=%H", "--raw", "-z", "--no-renames", "--no-abbrev"];
    const { stdout } = await repository.git(["log", ...flags, "--end-of-options", base.commit, `^${side.head}`]);
    const commits = readLog(readNames(stdout));
    const concerns = await findConcerns(repository, { side, base, commits }, this.#readers);
    const count = (why: Concern["why"]): number => concerns.filter((one) => one.why === why).length;
    return {
      commits: commits.length,
      concerning: concerns.length,
      functions: count("function"),
      symbols: count("symbol"),
      newest: await describe(repository, concerns.slice(0, limits.toldBehind)),
    };
  }
}

/** Each commit, then for each of its files what happened to it, behind a colon, and its name. */
function readLog(words: readonly string[]): Logged[] {
  const commits: { commit: string; files: Map<RawName, string> }[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = (words[at] ?? "").replace(/^\n/, "");
    if (word.startsWith(":")) {
      at += 1;
      commits.at(-1)?.files.set(words[at] ?? "", word);
    } else if (word !== "") {
      commits.push({ commit: word, files: new Map() });
    }
  }
  return commits;
}

async function describe({ git }: Repository, concerns: readonly Concern[]): Promise<BehindCommit[]> {
  if (concerns.length === 0) return [];
  const hashes = concerns.map(({ commit }) => commit);
  const flags = ["--no-walk=unsorted", "--format=%an%x00%s", "-z", "--end-of-options"];
  const { stdout } = await git(["log", ...flags, ...hashes]);
  const words = stdout.toString("utf8").split("\0");
  return concerns.map((one, at) => ({ ...one, author: words[at * 2] ?? "", subject: words[at * 2 + 1] ?? "" }));
}
