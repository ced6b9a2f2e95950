import { type RawName, readNames } from "../git/names.ts";
import type { Repository } from "../git/repository.ts";

/** What one side made of a file: mode and content before and after, in one word. */
export type Changes = ReadonlyMap<RawName, string>;

/** Every file that differs between two commits; one that was renamed counts under both names. */
export async function listChanges(repository: Repository, from: string, to: string): Promise<Changes> {
  const flags = ["-r", "-M", "-l400", "--raw", "-z", "--no-ext-diff", "--no-textconv", "--full-index"];
  const { stdout } = await repository.git(["diff-tree", ...flags, "--end-of-options", from, to]);
  return readChanges(readNames(stdout));
}

/** Words of git's raw form: `:modes oids letter`, the name, and for a rename or copy the new name. */
function readChanges(words: readonly string[]): Changes {
  const changes = new Map<RawName, string>();
  let at = 0;
  while (at < words.length) {
    const head = words[at] ?? "";
    const isMoved = /^[RC]\d*$/.test(head.split(" ").at(-1) ?? "");
    const names = words.slice(at + 1, at + (isMoved ? 3 : 2));
    for (const name of names) changes.set(name, head);
    at += 1 + names.length;
  }
  return changes;
}
