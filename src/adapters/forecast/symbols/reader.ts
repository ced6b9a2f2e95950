import { setImmediate as nextTurn } from "node:timers/promises";
import { textOfName } from "../../evidence/file-names.ts";
import type { Repository } from "../../git/repository.ts";
import { Memory } from "../../memory.ts";
import { type Change, type Changes, contentsOf } from "../changes.ts";
import { limits } from "../limits.ts";
import { type FileEffect, gatherEffects, type SideEffects } from "./collide.ts";
import { readContents } from "./contents.ts";
import { type Effect, readEffect } from "./effect.ts";
import { type Family, familyOf } from "./families.ts";

/** Reads what changes do to names, each pair of contents once. */
export class SymbolReader {
  readonly #effects = new Memory<Effect>(4_000);
  readonly #sides = new WeakMap<Changes, SideEffects>();

  /** Reads all that is not known yet, in one go. */
  async load(repository: Repository, sides: readonly Changes[]): Promise<void> {
    const unread = sides.filter((changes) => !this.#sides.has(changes));
    const files = unread.map((changes) => listPrograms(changes));
    const missing = new Map<string, Program>(
      files
        .flat()
        .flatMap((file) => (this.#effects.get(keyOf(file)) === undefined ? [[keyOf(file), file] as const] : [])),
    );
    const wanted = new Set([...missing.values()].flatMap(({ change }) => contentsOf(change)));
    const contents = await readContents(
      repository,
      [...wanted].filter((oid) => !/^0+$/.test(oid)),
    );
    for (const [key, { change, family }] of missing) {
      const [before, after] = contentsOf(change).map((oid) => (/^0+$/.test(oid) ? "" : contents.get(oid)));
      // What cannot be read says nothing.
      if (before === undefined || after === undefined) continue;
      this.#effects.set(key, readEffect(before, after, family));
      // Others may have been waiting meanwhile.
      await nextTurn();
    }
    for (const [at, changes] of unread.entries()) this.#sides.set(changes, this.#gather(files[at] ?? [], changes));
  }

  of(changes: Changes): SideEffects | undefined {
    return this.#sides.get(changes);
  }

  #gather(files: readonly Program[], changes: Changes): SideEffects {
    const effects = files.flatMap((file): FileEffect[] => {
      const effect = this.#effects.get(keyOf(file));
      return effect ? [{ path: textOfName(file.change.to), family: file.family, effect }] : [];
    });
    const gone = [...changes.values()].flatMap((change) => {
      const path = textOfName(change.from);
      const family = familyOf(path);
      const isGone = change.from !== change.to || change.head.endsWith(" D");
      return isGone && family !== undefined ? [{ path, family }] : [];
    });
    return gatherEffects(effects, gone);
  }
}

interface Program {
  readonly change: Change;
  readonly family: Family;
}

const keyOf = ({ change, family }: Program): string => `${family} ${contentsOf(change).join(" ")}`;

/** Files in a language that can be read; a renamed one is there under two names and counts once. */
function listPrograms(changes: Changes): Program[] {
  return [...new Set(changes.values())]
    .flatMap((change) => {
      const family = familyOf(textOfName(change.to));
      return family === undefined || isLink(change) ? [] : [{ change, family }];
    })
    .slice(0, limits.symbolFiles);
}

/** A link or another repository in place of a file. */
const isLink = ({ head }: Change): boolean => /1[26]0000/.test(head.slice(0, 14));
