import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync } from "node:fs";

/** Not through a link in the last place, and never waiting for whoever holds the other end of a pipe. */
const asItIs = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Files that change within this time of being read may change once more without a sign of it. */
const unsettledMs = 2_000;

export interface ReadBytes {
  readonly bytes: Buffer;
  /** Undefined where the file may have changed again in the same tick of the clock. */
  readonly stamp: string | undefined;
}

/** Reads files of a work tree, which may be anybody's: never through a link, never anything but plain files. */
export class TreeReader {
  readonly #root: string;
  readonly #folders: Map<string, boolean>;
  #room: Buffer = Buffer.alloc(0);

  /** `folders` is what is known of folders: whether each is one itself, and not a link. */
  constructor(root: string, folders = new Map<string, boolean>()) {
    this.#root = root;
    this.#folders = folders;
  }

  /** The bytes, or why there are none. */
  read(raw: string, mostBytes: number): ReadBytes | { readonly skipped: string } | undefined {
    return this.#read(raw, mostBytes, Buffer.alloc);
  }

  /** The same for bytes that are looked at once: they are overwritten by the next ones. */
  peek(raw: string, mostBytes: number): ReadBytes | { readonly skipped: string } | undefined {
    return this.#read(raw, mostBytes, (size) => {
      if (this.#room.length < size) this.#room = Buffer.alloc(size * 2);
      return this.#room.subarray(0, size);
    });
  }

  #read(
    raw: string,
    mostBytes: number,
    makeRoom: (size: number) => Buffer,
  ): ReadBytes | { readonly skipped: string } | undefined {
    if (!this.#isWithoutLinks(raw)) return { skipped: "behind a symbolic link" };
    let file: number | undefined;
    try {
      file = openSync(this.#placeOf(raw), asItIs);
      const stats = fstatSync(file, { bigint: true });
      if (!stats.isFile()) return { skipped: "not a regular file" };
      if (stats.size > BigInt(mostBytes)) return { skipped: `larger than ${Math.floor(mostBytes / 1024 / 1024)} MB` };
      const bytes = makeRoom(Number(stats.size));
      let length = 0;
      while (length < bytes.length) {
        const read = readSync(file, bytes, length, bytes.length - length, length);
        if (read === 0) break;
        length += read;
      }
      const changedMs = Math.max(Number(stats.mtimeMs), Number(stats.ctimeMs));
      const isSettled = changedMs < Date.now() - unsettledMs;
      return { bytes: bytes.subarray(0, length), stamp: isSettled ? stampOf(stats) : undefined };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT" || code === "ENOTDIR") return undefined;
      return { skipped: code === "ELOOP" ? "a symbolic link" : "unreadable" };
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }

  /** Size and times of a file; undefined where there is none. */
  stamp(raw: string): string | undefined {
    try {
      return stampOf(lstatSync(this.#placeOf(raw), { bigint: true }));
    } catch {
      return undefined;
    }
  }

  #placeOf(raw: string): Buffer {
    return Buffer.concat([Buffer.from(`${this.#root}/`), Buffer.from(raw, "latin1")]);
  }

  #isWithoutLinks(raw: string): boolean {
    const slash = raw.lastIndexOf("/");
    if (slash === -1) return true;
    const folder = raw.slice(0, slash);
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    const place = this.#placeOf(folder);
    let isPlain = true;
    try {
      isPlain = realpathSync.native(place, "buffer").equals(place);
    } catch {
      // It is gone: so is the file, and reading it says so.
    }
    this.#folders.set(folder, isPlain);
    return isPlain;
  }
}

function stampOf(stats: { size: bigint; mtimeNs: bigint; ctimeNs: bigint; ino: bigint }): string {
  return `${stats.size} ${stats.mtimeNs} ${stats.ctimeNs} ${stats.ino}`;
}

/** The id git would give to these bytes as a blob. */
export const blobIdOf = (bytes: Uint8Array): string =>
  createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
