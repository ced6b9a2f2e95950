import type { Step } from "./trace.ts";

/** What of the writes since the last sync a power failure leaves behind. */
export const fates = ["none of them", "any of them", "torn sectors of them"] as const;
export type Fate = (typeof fates)[number];

const sector = 512;

type Change = Extract<Step, { kind: "write" | "truncate" }>;

interface StoredFile {
  synced: Buffer;
  unsynced: Change[];
}

/** A disk that forgets: only a sync makes a file's writes last. Names are taken to last, as SQLite syncs the folder. */
export class ForgetfulDisk {
  readonly #files = new Map<string, StoredFile>();

  apply(step: Step): void {
    switch (step.kind) {
      case "write":
      case "truncate":
        this.#at(step.file).unsynced.push(step);
        return;
      case "sync": {
        const file = this.#files.get(step.file);
        if (file) file.synced = replay(file.synced, file.unsynced.splice(0));
        return;
      }
      case "remove":
        this.#files.delete(step.file);
    }
  }

  /** The files as they would be found if the power failed now. */
  afterPowerFailure(fate: Fate, random: () => number): Map<string, Buffer> {
    return new Map(
      [...this.#files].map(([name, { synced, unsynced }]) => [
        name,
        replay(
          Buffer.from(synced),
          unsynced.flatMap((change) => survivorsOf(change, fate, random)),
        ),
      ]),
    );
  }

  #at(name: string): StoredFile {
    let file = this.#files.get(name);
    if (!file) {
      file = { synced: Buffer.alloc(0), unsynced: [] };
      this.#files.set(name, file);
    }
    return file;
  }
}

function survivorsOf(change: Change, fate: Fate, random: () => number): Change[] {
  if (fate === "none of them") return [];
  if (fate === "any of them" || change.kind === "truncate") return random() < 0.5 ? [change] : [];
  const parts: Change[] = [];
  const end = change.offset + change.data.length;
  for (let start = change.offset; start < end; ) {
    const next = Math.min(end, (Math.floor(start / sector) + 1) * sector);
    if (random() < 0.5) {
      const data = change.data.subarray(start - change.offset, next - change.offset);
      parts.push({ ...change, offset: start, data });
    }
    start = next;
  }
  return parts;
}

function replay(content: Buffer, changes: readonly Change[]): Buffer {
  const size = changes.reduce((most, change) => Math.max(most, endOf(change)), content.length);
  const bytes = Buffer.alloc(size);
  content.copy(bytes);
  let length = content.length;
  for (const change of changes) {
    if (change.kind === "truncate") {
      if (change.size < length) bytes.fill(0, change.size, length);
      length = change.size;
    } else {
      change.data.copy(bytes, change.offset);
      length = Math.max(length, endOf(change));
    }
  }
  return bytes.subarray(0, length);
}

const endOf = (change: Change): number => (change.kind === "write" ? change.offset + change.data.length : change.size);
