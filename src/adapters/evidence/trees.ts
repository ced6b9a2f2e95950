import { createHash } from "node:crypto";
import type { RawName } from "../git/names.ts";
import type { Identity, Seen } from "./disk-reader.ts";
import { textOfName } from "./file-names.ts";

/** What was seen, in the form in which it is kept: by the names that readers see. */
export function filesOf(seen: ReadonlyMap<RawName, Seen>): {
  readonly files: Record<string, Identity>;
  readonly stamps: Record<string, string>;
} {
  const inOrder = [...seen].map(([name, one]) => [textOfName(name), one] as const).sort(([a], [b]) => compare(a, b));
  return {
    files: Object.fromEntries(inOrder.map(([text, { identity }]) => [text, identity])),
    stamps: Object.fromEntries(inOrder.flatMap(([text, { stamp }]) => (stamp === undefined ? [] : [[text, stamp]]))),
  };
}

interface Difference {
  readonly added: string[];
  readonly modified: string[];
  readonly deleted: string[];
  /** What now lies at every changed path. */
  readonly hashes: Record<string, Identity>;
}

export function changesBetween(
  names: readonly RawName[],
  before: (name: RawName) => Identity,
  after: (name: RawName) => Identity,
): Difference {
  const changed = names
    .map((name) => ({ text: textOfName(name), was: before(name), is: after(name) }))
    .filter(({ was, is }) => was !== is)
    .sort((one, other) => compare(one.text, other.text));
  return {
    added: changed.filter(({ was }) => was === null).map(({ text }) => text),
    modified: changed.filter(({ was, is }) => was !== null && is !== null).map(({ text }) => text),
    deleted: changed.filter(({ is }) => is === null).map(({ text }) => text),
    hashes: Object.fromEntries(changed.map(({ text, is }) => [text, is])),
  };
}

/** One name for a whole set of files; the same files have the same one. */
export function digestOf(files: Readonly<Record<string, Identity>>): string {
  const hash = createHash("sha256");
  for (const name of Object.keys(files).sort(compare)) hash.update(`${name}\0${files[name]}\0`);
  return hash.digest("hex");
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
