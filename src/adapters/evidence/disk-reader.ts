import { createHash, type Hash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { type FileHandle, lstat, readlink } from "node:fs/promises";
import { posix } from "node:path";
import { placeIn, type RawName } from "../git/names.ts";
import { openRegular, readRegular } from "../regular-file.ts";

/** What lies at a path: its kind and content, null for nothing. */
export type Identity = string | null;

export interface Seen {
  readonly identity: Identity;
  /** Size, times and place on the disk: while they stay, so does the content. Left out where that is not sure. */
  readonly stamp?: string | undefined;
}

interface ReaderOptions {
  readonly signal: AbortSignal;
  /** So much is read altogether. */
  readonly mostBytes?: bigint | undefined;
  /** How content is named; git's own way where there is git. */
  startHash(bytes: bigint): Hash;
  /** The commit that is checked out in a folder that is a repository of its own; null for any other folder. */
  findCommit(path: string): Promise<string | null>;
}

/** Larger files are told by size and time: reading them would hold up every start and end of a task. */
const largestRead = 64n * 1024n * 1024n;

/** A file that changed so short a time ago may change again without its time showing it. */
const settledAfterMs = 2_000n;
const atOnce = 16;
const wholeBytes = 1024n * 1024n;

/** Reads files below one folder, each once, and never through a link, not even one on the way to them. */
export class DiskReader {
  readonly #root: string;
  readonly #options: ReaderOptions;
  #bytesRead = 0n;
  readonly #folders = new Map<RawName, Promise<boolean>>([[".", Promise.resolve(true)]]);

  constructor(root: string, options: ReaderOptions) {
    this.#root = root;
    this.#options = options;
  }

  /** More was asked for than may be read: what was seen says nothing. */
  get hasReadTooMuch(): boolean {
    const { mostBytes } = this.#options;
    return mostBytes !== undefined && this.#bytesRead > mostBytes;
  }

  /** Several at once. `known` is what was seen before; what bears the same stamp is not read again. */
  async readAll(names: readonly RawName[], known: (name: RawName) => Seen | undefined): Promise<Map<RawName, Seen>> {
    const seen = new Map<RawName, Seen>();
    const waiting = names[Symbol.iterator]();
    const work = async (): Promise<void> => {
      for (const name of waiting) {
        this.#options.signal.throwIfAborted();
        if (this.hasReadTooMuch) return;
        seen.set(name, await this.#read(name, known(name)));
      }
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, names.length) }, work));
    return seen;
  }

  /** The content at a path, if it still is this one. */
  async readIfStill(name: RawName, identity: string, mostBytes: number): Promise<Buffer | "too_large" | undefined> {
    const stats = await this.#stat(name);
    const place = placeIn(this.#root, name);
    if (stats?.isSymbolicLink()) {
      const target = await readlink(place, "buffer").catch(() => undefined);
      return target && this.#nameOf("l", target) === identity ? target : undefined;
    }
    if (!stats?.isFile()) return undefined;
    if (stats.size > mostBytes)
      return (await this.#read(name, undefined)).identity === identity ? "too_large" : undefined;
    const content = await readRegular(place, mostBytes);
    return content && this.#nameOf(kindOf(stats), content) === identity ? content : undefined;
  }

  #nameOf(kind: "f" | "x" | "l", content: Buffer): string {
    return `${kind}:${this.#options.startHash(BigInt(content.length)).update(content).digest("hex")}`;
  }

  async #read(name: RawName, known: Seen | undefined): Promise<Seen> {
    const stats = await this.#stat(name);
    if (!stats) return { identity: null };
    const place = placeIn(this.#root, name);
    if (stats.isDirectory()) {
      const commit = await this.#options.findCommit(place.toString("utf8"));
      return { identity: commit === null ? null : `s:${commit}` };
    }
    const stamp = stampOf(stats);
    if (stamp !== undefined && stamp === known?.stamp) return known;
    if (stats.isSymbolicLink()) return { identity: await this.#readLink(place), stamp };
    if (!stats.isFile()) return { identity: null };
    if (stats.size <= largestRead) this.#bytesRead += stats.size;
    const isRead = stats.size <= largestRead && !this.hasReadTooMuch;
    const content = isRead ? await this.#readFile(place, stats.size) : undefined;
    return { identity: `${kindOf(stats)}:${content ?? `${stats.size}@${stats.mtimeNs}`}`, stamp };
  }

  async #readLink(place: Buffer): Promise<Identity> {
    const target = await readlink(place, "buffer").catch(() => undefined);
    return target ? this.#nameOf("l", target) : null;
  }

  /** The name of a file's content; undefined where it may not be read. */
  async #readFile(place: Buffer, bytes: bigint): Promise<string | undefined> {
    const file = (await openRegular(place))?.file;
    if (file === undefined) return undefined;
    try {
      if (bytes <= wholeBytes) return await this.#readWhole(file, Number(bytes));
      const hash = this.#options.startHash(bytes);
      for await (const chunk of file.createReadStream({ autoClose: false })) {
        this.#options.signal.throwIfAborted();
        hash.update(chunk as Buffer);
      }
      return hash.digest("hex");
    } catch {
      this.#options.signal.throwIfAborted();
      return undefined;
    } finally {
      await file.close();
    }
  }

  /** With one read where the file is as long as it was said to be, and one more byte would show that it is not. */
  async #readWhole(file: FileHandle, bytes: number): Promise<string> {
    const buffer = Buffer.allocUnsafe(bytes + 1);
    const { bytesRead } = await file.read(buffer, 0, bytes + 1, 0);
    const content = bytesRead === bytes ? buffer.subarray(0, bytes) : await file.readFile();
    return this.#options.startHash(BigInt(content.length)).update(content).digest("hex");
  }

  async #stat(name: RawName): Promise<BigIntStats | undefined> {
    if (!(await this.#isFolder(posix.dirname(name)))) return undefined;
    return lstat(placeIn(this.#root, name), { bigint: true }).catch(() => undefined);
  }

  #isFolder(name: RawName): Promise<boolean> {
    const known = this.#folders.get(name) ?? this.#stat(name).then((stats) => stats?.isDirectory() === true);
    this.#folders.set(name, known);
    return known;
  }
}

const kindOf = ({ mode }: BigIntStats): "f" | "x" => ((mode & 0o100n) === 0n ? "f" : "x");

function stampOf({ size, mtimeNs, ctimeNs, ctimeMs, ino }: BigIntStats): string | undefined {
  return BigInt(Date.now()) - ctimeMs < settledAfterMs ? undefined : `${size}.${mtimeNs}.${ctimeNs}.${ino}`;
}

/** The way git names content; the length of its other names tells which hash it uses. */
export const gitHash =
  (algorithm: "sha1" | "sha256") =>
  (bytes: bigint): Hash =>
    createHash(algorithm).update(`blob ${bytes}\0`);
