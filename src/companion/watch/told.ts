import { createHash, randomUUID } from "node:crypto";
import { readJsonFile, writeJsonFile } from "../files.ts";
import type { Companion } from "../places.ts";

const mostTold = 5_000;
const mostStarts = 400;

interface Notes {
  /** Hashes of violations, oldest first. */
  readonly violations: readonly string[];
  /** By working copy, under which key its session is being started. */
  readonly starts: Readonly<Record<string, string>>;
}

/** What the watcher has told and is about to tell, kept over its death. */
export class Told {
  readonly #file: string;

  constructor({ toldFile }: Companion) {
    this.#file = toldFile;
  }

  hasViolation(key: string): boolean {
    return this.#read().violations.includes(hashOf(key));
  }

  addViolations(keys: readonly string[]): void {
    const { violations, starts } = this.#read();
    const all = new Set([...violations, ...keys.map(hashOf)]);
    writeJsonFile(this.#file, { violations: [...all].slice(-mostTold), starts });
  }

  /** The same until the session is known here, so that a start which was cut off is not made twice. */
  startKey(root: string): string {
    const { violations, starts } = this.#read();
    const key = starts[root] ?? `watch-${randomUUID()}`;
    const { [root]: _, ...others } = starts;
    const kept = Object.entries(others).slice(1 - mostStarts);
    writeJsonFile(this.#file, { violations, starts: { ...Object.fromEntries(kept), [root]: key } });
    return key;
  }

  endStart(root: string): void {
    const { violations, starts } = this.#read();
    const { [root]: _, ...others } = starts;
    writeJsonFile(this.#file, { violations, starts: others });
  }

  #read(): Notes {
    const { violations, starts } = (readJsonFile(this.#file) ?? {}) as Partial<Notes>;
    return { violations: Array.isArray(violations) ? violations : [], starts: starts ?? {} };
  }
}

export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 24);
