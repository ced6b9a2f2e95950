import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, symlink } from "node:fs/promises";
import { posix } from "node:path";
import { placeIn, type RawName } from "./names.ts";
import type { Repository } from "./repository.ts";
import { largestInMemory, listTree, readContents, type StoredFile } from "./trees.ts";

/**
 * Writes stored files below a folder, byte for byte. Nothing is ever written through a link: a copy whose names were
 * made to lead outside ends in an error.
 */
export class FileWriter {
  readonly #repository: Repository;
  readonly #root: string;
  readonly #flags: number;
  readonly #folders = new Set<RawName>(["."]);

  constructor(repository: Repository, root: string, options: { readonly overwrites: boolean }) {
    this.#repository = repository;
    this.#root = root;
    const mode = options.overwrites ? constants.O_TRUNC : constants.O_EXCL;
    this.#flags = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW | mode;
  }

  async writeTree(tree: string): Promise<void> {
    const entries = await listTree(this.#repository, tree);
    const files = entries.filter(({ mode }) => mode !== "160000");
    for await (const { file, content } of readContents(this.#repository, files)) await this.#write(file, content);
    for (const file of files) if (file.bytes > largestInMemory) await this.writeLarge(file);
    // Where a submodule would be checked out, git has an empty folder.
    for (const { mode, name } of entries) if (mode === "160000") await this.#makeFolder(name);
  }

  /** Lets git write straight into the file. */
  async writeLarge(file: Pick<StoredFile, "name" | "oid" | "mode">): Promise<void> {
    await this.#within(file, (handle) => this.#repository.git(["cat-file", "blob", file.oid], { outputTo: handle.fd }));
  }

  async #write(file: StoredFile, content: Buffer): Promise<void> {
    if (file.mode !== "120000") return this.#within(file, (handle) => handle.writeFile(content));
    await this.#makeFolder(posix.dirname(file.name));
    await symlink(content, placeIn(this.#root, file.name));
  }

  async #within(
    { name, mode }: Pick<StoredFile, "name" | "mode">,
    fill: (handle: FileHandle) => Promise<unknown>,
  ): Promise<void> {
    await this.#makeFolder(posix.dirname(name));
    const handle = await open(placeIn(this.#root, name), this.#flags, mode === "100755" ? 0o777 : 0o666);
    try {
      await fill(handle);
    } finally {
      await handle.close();
    }
  }

  async #makeFolder(name: RawName): Promise<void> {
    if (this.#folders.has(name)) return;
    await this.#makeFolder(posix.dirname(name));
    const place = placeIn(this.#root, name);
    const stats = await lstat(place).catch(() => undefined);
    if (stats === undefined) await mkdir(place);
    else if (!stats.isDirectory()) throw new Error("a stored name leads through something that is no folder");
    this.#folders.add(name);
  }
}
