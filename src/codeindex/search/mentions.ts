import { partsOf } from "./path-parts.ts";

/** A path or a dotted name that a text mentions, part by part, and how many of its parts must be those of a path. */
interface Mention {
  readonly parts: readonly string[];
  readonly least: number;
}

const mostMentions = 200;
/** What more files than this are called is no mention of any of them. */
const mostFiles = 3;
/** A dotted name may end in a class and a method. */
const mostMembers = 2;

/**
 * The files that a text names, by a path, in a stack trace or as a module: `lib/db/query.py` and `lib.db.query.Query.run`.
 * Each with how many parts of its path were named.
 */
export function findMentioned(text: string, paths: Iterable<string>): Map<string, number> {
  const mentions = listMentions(text);
  const found = new Map<string, number>();
  if (mentions.length === 0) return found;
  const ends = new Set(mentions.flatMap(({ parts }) => parts.slice(-1 - mostMembers)));
  const byEnd = new Map<string, string[]>();
  for (const path of paths) {
    const end = partsOf(path).module.at(-1) ?? "";
    if (!ends.has(end)) continue;
    const some = byEnd.get(end);
    if (some) some.push(path);
    else byEnd.set(end, [path]);
  }
  for (const { parts, least } of mentions) {
    for (let length = parts.length; length >= least && parts.length - length <= mostMembers; length -= 1) {
      const best = longestShared(parts.slice(0, length), byEnd, least);
      if (!best) continue;
      for (const path of best.paths) found.set(path, Math.max(found.get(path) ?? 0, best.shared));
      break;
    }
  }
  return found;
}

/** The paths that share most parts with a mention, counted from the end. */
function longestShared(parts: readonly string[], byEnd: ReadonlyMap<string, readonly string[]>, least: number) {
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

/** Endings are listed, since `module.name` would be a file as well; a length, since endless runs would be read again and again. */
const pathPattern =
  /[\w.\-/\\]{1,256}\.(?:py|pyx|pyi|go|rs|java|kt|scala|tsx?|jsx?|mjs|cjs|vue|svelte|rb|php|cs|cc?|cpp|cxx|hh?|hpp|swift|sh|css|scss|html)\b/g;

function listMentions(text: string): Mention[] {
  const mentions = new Map<string, Mention>();
  for (const [path] of text.matchAll(pathPattern)) {
    const parts = path
      .replace(/\.[a-z]+$/, "")
      .split(/[/\\]/)
      .filter((part) => !/^\.*$/.test(part));
    if (parts.length > 0) mentions.set(path, { parts, least: 1 });
  }
  for (const [name] of text.matchAll(/\b[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*)+/g)) {
    if (!mentions.has(name)) mentions.set(name, { parts: name.split(/\.|::/), least: 2 });
    if (mentions.size >= mostMentions) break;
  }
  return [...mentions.values()];
}
