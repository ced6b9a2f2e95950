import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { MeetingPlace } from "../../domain/forecast/port.ts";
import { textOfName } from "../evidence/file-names.ts";
import type { RawName } from "../git/names.ts";
import type { Repository } from "../git/repository.ts";
import { Memory } from "../memory.ts";
import { wordOf } from "./changes.ts";
import { findNear, type Hunk, readHunks } from "./hunks.ts";
import { limits } from "./limits.ts";
import type { Side } from "./sides.ts";

/** Git knows what a function looks like in these languages, once it is told which file is in which. */
const headings: Readonly<Record<string, string>> = {
  bash: "sh bash",
  cpp: "c cc cpp cxx h hh hpp",
  csharp: "cs",
  css: "css scss",
  elixir: "ex exs",
  golang: "go",
  html: "html htm",
  java: "java",
  kotlin: "kt kts",
  markdown: "md",
  perl: "pl pm",
  php: "php",
  python: "py pyi",
  ruby: "rb",
  rust: "rs",
};

/** Finds where in a file two sides meet, with every patch read once. */
export class Nearness {
  readonly #hunks = new Memory<Promise<readonly Hunk[]>>(20_000);
  #attributes: Promise<string> | undefined;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The places of one file at which both sides are at work. */
  async find(
    repository: Repository,
    name: RawName,
    { fork, sides: [one, other] }: { readonly fork: string; readonly sides: readonly [Worked, Worked] },
  ): Promise<MeetingPlace[]> {
    const mine = await this.#readWork(repository, name, { fork, side: one });
    const theirs = await this.#readWork(repository, name, { fork, side: other });
    const found = new Set(findNear(mine, theirs).map(({ heading }) => heading));
    return [...found].slice(0, limits.placesAMeeting).map((heading) => ({ path: textOfName(name), heading }));
  }

  /** Functions of one file that a commit changes. */
  async listHeadings(repository: Repository, name: RawName, commit: string): Promise<string[]> {
    const hunks = await this.#read(repository, name, `${commit}^`, commit);
    return hunks.flatMap(({ heading }) => heading ?? []);
  }

  /** The same contents have the same lines, whatever else is saved beside them. */
  #readWork(
    repository: Repository,
    name: RawName,
    { fork, side }: { readonly fork: string; readonly side: Worked },
  ): Promise<readonly Hunk[]> {
    const change = side.fork === fork ? side.changes?.get(name) : undefined;
    return this.#read(repository, name, fork, side.commit, change && wordOf(change));
  }

  #read(
    repository: Repository,
    name: RawName,
    from: string,
    to: string,
    contents = `${from} ${to}`,
  ): Promise<readonly Hunk[]> {
    return this.#hunks.of(`${contents}\0${name}`, async () => {
      this.#attributes ??= this.#writeAttributes();
      const settings = [`core.attributesFile=${await this.#attributes}`];
      const flags = ["-p", "-U0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames"];
      const path = Buffer.from(name, "latin1").toString("utf8");
      // A name that is no text cannot be passed to a program from here: then nothing is known of its lines.
      if (Buffer.from(path).toString("latin1") !== name) return [];
      const { stdout } = await repository.git(["diff-tree", ...flags, from, to, "--", path], { settings });
      return readHunks(stdout.subarray(0, mostPatch).toString("utf8"));
    });
  }

  async #writeAttributes(): Promise<string> {
    const path = join(this.#folder, "headings");
    const lines = Object.entries(headings).flatMap(([driver, endings]) =>
      endings.split(" ").map((ending) => `*.${ending} diff=${driver}\n`),
    );
    await writeFile(path, lines.join(""), { mode: 0o600 });
    return path;
  }
}

/** A side, or a commit of which no more is known. */
type Worked = Pick<Side, "commit"> & Partial<Pick<Side, "fork" | "changes">>;

const mostPatch = 4 * 1024 * 1024;
