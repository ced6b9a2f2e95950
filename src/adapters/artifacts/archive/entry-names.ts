import { Refusal } from "../../../contract/refusal.ts";

export interface ArchiveLimits {
  readonly mostEntries: number;
  readonly mostEntryBytes: number;
  readonly mostBytes: number;
}

export const unsafe = (why: string): Refusal =>
  new Refusal("ARCHIVE_UNSAFE", `The archive was not unpacked: ${why}`, "Don't use this archive.");

/**
 * Keeps watch over an archive while it is unpacked: what its entries are called, how many there are and how much they
 * hold. Names count as the strictest file system would see them, so that an archive means the same everywhere (DL6).
 */
export class ArchiveWatch {
  readonly #limits: ArchiveLimits;
  /** By how a system without capitals sees it: what lies there. */
  readonly #seen = new Map<string, "file" | "folder">();
  #entries = 0;
  #bytes = 0;

  constructor(limits: ArchiveLimits) {
    this.#limits = limits;
  }

  /** The path of an entry below the folder it is unpacked into; empty for that folder itself. */
  admit(name: string, kind: "file" | "folder"): string {
    this.#entries += 1;
    if (this.#entries > this.#limits.mostEntries) {
      throw new Refusal("ARCHIVE_TOO_LARGE", `The archive has more than ${this.#limits.mostEntries} entries.`);
    }
    const parts = partsOf(name, kind);
    const seen = parts.map((part) => part.normalize("NFC").toLowerCase());
    for (let depth = 1; depth <= parts.length; depth += 1) {
      const isLast = depth === parts.length;
      this.#note(seen.slice(0, depth).join("/"), isLast ? kind : "folder");
    }
    return parts.join("/");
  }

  /** Counts what an entry holds as it is written, whatever its header says. */
  count(bytes: number, entryBytes: number): void {
    this.#bytes += bytes;
    const { mostEntryBytes, mostBytes } = this.#limits;
    if (entryBytes > mostEntryBytes || this.#bytes > mostBytes) {
      throw new Refusal("ARCHIVE_TOO_LARGE", "The archive unpacks to more than is allowed.");
    }
  }

  #note(path: string, kind: "file" | "folder"): void {
    const known = this.#seen.get(path);
    if (known === undefined) this.#seen.set(path, kind);
    else if (known === "file" || kind === "file") throw unsafe("two entries have the same name.");
  }
}

function partsOf(name: string, kind: "file" | "folder"): string[] {
  if (/\p{Cc}|\\|\uFFFD/u.test(name)) throw unsafe("an entry has a name with forbidden characters.");
  if (name.startsWith("/") || /^[A-Za-z]:/.test(name)) throw unsafe("an entry has an absolute name.");
  const parts = name.split("/").filter((part, at, all) => part !== "." && !(part === "" && at === all.length - 1));
  if (parts.includes("..")) throw unsafe("an entry would leave its folder.");
  if (parts.some((part) => part === "" || part.length > 255 || /[. ]$/.test(part) || part.includes(":"))) {
    throw unsafe("an entry has a name that not every system can keep.");
  }
  if (parts.length > 32 || (parts.length === 0 && kind === "file")) throw unsafe("an entry has no usable name.");
  return parts;
}
