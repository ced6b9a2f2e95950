import { type RawName, readNames } from "../git/names.ts";
import type { Repository } from "../git/repository.ts";

/** What one side made of a file. */
export interface Change {
  /** Modes, contents before and after and what happened, in one word. */
  readonly head: string;
  /** Its name before and after; the same unless it was renamed. */
  readonly from: RawName;
  readonly to: RawName;
}

export type Changes = ReadonlyMap<RawName, Change>;

/** Its contents before and after, as git names them; zeros where there is none. */
export function contentsOf({ head }: Change): [before: string, after: string] {
  const [, , before = "", after = ""] = head.split(" ");
  return [before, after];
}

/** All that was done to a file: two that rename it to different names do not do the same. */
export const wordOf = (change: Change | undefined): string =>
  change === undefined ? "" : `${change.head}\0${change.from}\0${change.to}`;

/** Every file that differs between two commits; one that was renamed counts under both names. */
export async function listChanges(repository: Repository, from: string, to: string): Promise<Changes> {
  const flags = ["-r", "-M", "-l400", "--raw", "-z", "--no-ext-diff", "--no-textconv", "--full-index"];
  const { stdout } = await repository.git(["diff-tree", ...flags, "--end-of-options", from, to]);
  return readChanges(readNames(stdout));
}

/** Words of git's raw form: `:modes oids letter`, the name, and for a rename or copy the new name. */
function readChanges(words: readonly string[]): Changes {
  const changes = new Map<RawName, Change>();
  let at = 0;
  while (at < words.length) {
    const head = words[at] ?? "";
    const isMoved = /^[RC]\d*$/.test(head.split(" ").at(-1) ?? "");
    const names = words.slice(at + 1, at + (isMoved ? 3 : 2));
    const change = { head, from: names[0] ?? "", to: names.at(-1) ?? "" };
    for (const name of names) changes.set(name, change);
    at += 1 + names.length;
  }
  return changes;
}
