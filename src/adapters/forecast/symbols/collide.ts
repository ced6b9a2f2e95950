import { dirname } from "node:path/posix";
import type { SymbolClash } from "../../../domain/forecast/port.ts";
import type { Effect } from "./effect.ts";
import type { Family } from "./families.ts";
import { isImportOf, leadsTo } from "./imports.ts";

/** One file that a side changes, and what that does to names. */
export interface FileEffect {
  readonly path: string;
  readonly family: Family;
  readonly effect: Effect;
}

/** What all of a side does to names. */
export interface SideEffects {
  readonly files: readonly FileEffect[];
  /** Files that are no longer where they were. */
  readonly gone: readonly { readonly path: string; readonly family: Family }[];
  /** Names that it defines somewhere: what it moved is not gone. */
  readonly defines: ReadonlySet<string>;
}

export function gatherEffects(files: readonly FileEffect[], gone: SideEffects["gone"]): SideEffects {
  return { files, gone, defines: new Set(files.flatMap(({ effect }) => effect.added)) };
}

/** Names that one side takes away, changes or adds, and that the other counts on: git merges them, and it is wrong. */
export function findClashes(one: SideEffects, other: SideEffects): SymbolClash[] {
  const found = [...findBroken(one, other), ...findBroken(other, one), ...findTwice(one, other)];
  const seen = new Map(found.map((clash) => [`${clash.name}\0${clash.path}`, clash]));
  return [...seen.values()];
}

function* findBroken(here: SideEffects, there: SideEffects): Iterable<SymbolClash> {
  for (const { path: definedIn, family, effect } of here.files) {
    for (const user of there.files) {
      if (user.family === family) yield* listBroken(effect, user, { definedIn, here, there });
    }
  }
  for (const { path, family } of here.gone) {
    for (const user of there.files) {
      if (user.family !== family) continue;
      const isNeeded = user.effect.newImports.some((wanted) => isImportOf(wanted, user.path, path, family));
      if (isNeeded) yield { name: path, why: "file-gone", definedIn: path, path: user.path };
    }
  }
}

interface Between {
  readonly definedIn: string;
  readonly here: SideEffects;
  readonly there: SideEffects;
}

function* listBroken(effect: Effect, user: FileEffect, { definedIn, here, there }: Between): Iterable<SymbolClash> {
  const isOurs = (name: string): boolean => !there.defines.has(name) && isRelated(name, user, definedIn);
  for (const name of effect.removed) {
    if (!here.defines.has(name) && user.effect.newWords.has(name) && isOurs(name))
      yield { name, why: "removed", definedIn, path: user.path };
  }
  for (const name of effect.changed) {
    if (user.effect.newCalls.has(name) && isOurs(name)) yield { name, why: "parameters", definedIn, path: user.path };
  }
}

/** A name can be anybody's: only a file nearby, or one that speaks of the other, means this one. */
function isRelated(name: string, user: FileEffect, definedIn: string): boolean {
  if (dirname(user.path) === dirname(definedIn) || isTelling(name)) return true;
  const { imports, words } = user.effect;
  const isNamed = imports.some(
    (one) => one.names.split(/[^\w$]+/).includes(name) || one.from.split(/\W+/).includes(name),
  );
  if (isNamed) return true;
  // Such as `Get`: every second file has one.
  if (name.length < 5) return false;
  if (imports.some((one) => leadsTo(one, definedIn, user.family))) return true;
  const stem = /([^/]+?)(?:\.d)?\.[a-z]+$/.exec(definedIn)?.[1]?.toLowerCase() ?? "";
  return user.family !== "go" && stem.length > 3 && words.includes(` ${stem} `);
}

/** A long name of several words is hardly anybody else's. */
const isTelling = (name: string): boolean => name.length > 9 && /[a-z][A-Z]|[A-Za-z\d]_[A-Za-z]/.test(name);

/** Both add the same name where there can be only one of it: in one file, in Go in one folder. */
function* findTwice(one: SideEffects, other: SideEffects): Iterable<SymbolClash> {
  for (const mine of one.files) {
    for (const theirs of other.files) {
      if (mine.family !== theirs.family) continue;
      const isSamePlace =
        mine.path === theirs.path || (mine.family === "go" && dirname(mine.path) === dirname(theirs.path));
      if (!isSamePlace) continue;
      for (const name of mine.effect.addedOuter) {
        if (theirs.effect.addedOuter.includes(name))
          yield { name, why: "twice", definedIn: mine.path, path: theirs.path };
      }
    }
  }
}
