import { constants, type Stats } from "node:fs";
import { lstat } from "node:fs/promises";
import { posix } from "node:path";
import { placeIn, type RawName } from "./names.ts";

/** The kinds of things git can keep, as it writes them. */
export type Mode = "100644" | "100755" | "120000" | "160000";

export interface OnDisk {
  readonly name: RawName;
  readonly mode: Exclude<Mode, "160000">;
  readonly bytes: number;
}

/** Looks at files of a folder without ever following a link, not even one on the way to them. */
export class Disk {
  readonly #root: string;
  readonly #folders = new Map<RawName, Promise<boolean>>([[".", Promise.resolve(true)]]);

  constructor(root: string) {
    this.#root = root;
  }

  /** A file or a link; undefined for what is missing, and for folders, pipes and the like, which git does not keep. */
  async find(name: RawName): Promise<OnDisk | undefined> {
    const stats = await this.#stat(name);
    if (stats?.isSymbolicLink()) return { name, mode: "120000", bytes: stats.size };
    if (!stats?.isFile()) return undefined;
    return { name, mode: (stats.mode & constants.S_IXUSR) === 0 ? "100644" : "100755", bytes: stats.size };
  }

  async exists(name: RawName): Promise<boolean> {
    return (await this.#stat(name)) !== undefined;
  }

  async #stat(name: RawName): Promise<Stats | undefined> {
    if (!(await this.#isFolder(posix.dirname(name)))) return undefined;
    return lstat(placeIn(this.#root, name)).catch(() => undefined);
  }

  #isFolder(name: RawName): Promise<boolean> {
    const known = this.#folders.get(name) ?? this.#stat(name).then((stats) => stats?.isDirectory() === true);
    this.#folders.set(name, known);
    return known;
  }
}
