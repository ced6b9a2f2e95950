import { listMentions, type Mention } from "./listed-mentions.ts";
import { partsOf } from "./path-parts.ts";

/** What more files than this are called is no mention of any of them. */
const mostFiles = 3;
/** A dotted name may end in a class and a method. */
const mostMembers = 2;
/** Longer paths say no more than this. */
const mostParts = 4;

/**
 * What each part of a path is worth that was named, by how it was. Of the files whose path was written out nine in ten were
 * changed, of those where a trace ends every other one, of those that were only imported one in seven.
 */
const worths = { path: 0.4, frame: 0.33, module: 0.25, import: 0.15 } as const;
/** The name of a file without a folder. */
const worthOfName = 0.35;
/** What a call in a stack trace is worth of the one that it made. */
const outward = 0.7;

/**
 * The files that a text names, by a path, in a stack trace or as a module: `lib/db/query.py` and `lib.db.query.Query.run`.
 * Each with what that is worth.
 */
export function findMentioned(text: string, paths: Iterable<string>): Map<string, number> {
  const { named, traces } = listMentions(text);
  const found = new Map<string, number>();
  const byEnd = gatherByEnd([...named, ...traces.flat()], paths);
  const take = (files: Files, worth: number): void => {
    for (const path of files.paths) found.set(path, Math.max(found.get(path) ?? 0, worth));
  };
  for (const mention of named) {
    const files = findFiles(mention, byEnd);
    if (!files) continue;
    const isName = mention.kind === "path" && files.shared === 1;
    take(files, isName ? worthOfName : worths[mention.kind] * Math.min(files.shared, mostParts));
  }
  for (const trace of traces) {
    // Calls of other programs stand between those of this one.
    const calls = trace.flatMap((call) => findFiles(call, byEnd) ?? []).filter(isNamedWell);
    for (const [distance, files] of calls.entries()) {
      take(files, worths.frame * outward ** distance * Math.min(files.shared, mostParts));
    }
  }
  return found;
}

interface Files {
  readonly paths: readonly string[];
  /** How many parts of their paths were named. */
  readonly shared: number;
}

/** A file of another program may have the same name. */
const isNamedWell = ({ paths, shared }: Files): boolean =>
  shared > 1 || paths.every((path) => partsOf(path).module.length === 1);

/** The paths by their last part, of those that any mention may mean. */
function gatherByEnd(mentions: readonly Mention[], paths: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const ends = new Set(mentions.flatMap(({ parts }) => parts.slice(-1 - mostMembers)));
  const byEnd = new Map<string, string[]>();
  if (ends.size === 0) return byEnd;
  for (const path of paths) {
    const end = partsOf(path).module.at(-1) ?? "";
    if (!ends.has(end)) continue;
    const some = byEnd.get(end);
    if (some) some.push(path);
    else byEnd.set(end, [path]);
  }
  return byEnd;
}

function findFiles({ kind, parts }: Mention, byEnd: ReadonlyMap<string, readonly string[]>): Files | undefined {
  const isPath = parts.length > 0 && kind === "path";
  const shortest = isPath ? parts.length : Math.max(2, parts.length - mostMembers);
  for (let length = parts.length; length >= shortest; length -= 1) {
    const best = longestShared(parts.slice(0, length), byEnd, isPath ? 1 : 2);
    if (best) return best;
  }
  return undefined;
}

/** The paths that share most parts with a mention, counted from the end. */
function longestShared(
  parts: readonly string[],
  byEnd: ReadonlyMap<string, readonly string[]>,
  least: number,
): Files | undefined {
  let shared = least;
  let paths: string[] = [];
  for (const path of byEnd.get(parts.at(-1) ?? "") ?? []) {
    const count = countShared(parts, partsOf(path).module);
    if (count < shared) continue;
    if (count > shared) paths = [];
    shared = count;
    paths.push(path);
  }
  return paths.length === 0 || paths.length > mostFiles ? undefined : { paths, shared };
}

function countShared(one: readonly string[], other: readonly string[]): number {
  let count = 0;
  while (count < one.length && count < other.length && one.at(-1 - count) === other.at(-1 - count)) count += 1;
  return count;
}
