import { type Definition, readDefinitions } from "./definitions.ts";
import { commonWords, type Family, stripText } from "./families.ts";
import { type Import, readImports } from "./imports.ts";
import { breaksCallers } from "./parameters.ts";

/** What a change of one file does to the names in it: a pure function of the two contents. */
export interface Effect {
  readonly removed: readonly string[];
  /** Still defined, but no longer called as before. */
  readonly changed: readonly string[];
  readonly added: readonly string[];
  /** Those of the added that can be there only once. */
  readonly addedOuter: readonly string[];
  readonly newWords: ReadonlySet<string>;
  readonly newCalls: ReadonlySet<string>;
  readonly imports: readonly Import[];
  readonly newImports: readonly Import[];
  /** Every word of the file as it is now, in small letters, between blanks. */
  readonly words: string;
}

export function readEffect(oldFile: string, newFile: string, family: Family): Effect {
  const [before, after] = [tidy(oldFile), tidy(newFile)];
  const [oldText, newText] = [stripText(before, family), stripText(after, family)];
  const [old, now] = [readDefinitions(oldText, family), readDefinitions(newText, family)];
  const imports = readImports(after, family);
  const known = new Set(readImports(before, family).map(({ from }) => from));
  const [gone, come] = compareLines(oldText, newText);
  const added = [...now].filter(([name]) => !old.has(name));
  return {
    removed: [...old.keys()].filter((name) => !now.has(name)),
    changed: [...old].flatMap(([name, definition]) => (isBroken(definition, now.get(name), family) ? [name] : [])),
    added: added.map(([name]) => name),
    addedOuter: added.flatMap(([name, { isOuter }]) => (isOuter ? [name] : [])),
    newWords: without(wordsOf(come, anyWord), wordsOf(gone, anyWord), now),
    newCalls: without(wordsOf(come, anyCall), wordsOf(gone, anyCall), now),
    imports,
    newImports: imports.filter(({ from }) => !known.has(from)),
    words: ` ${[...new Set((newText.match(anyWord) ?? []).map((word) => word.toLowerCase()))].join(" ")} `,
  };
}

const longestLine = 1_000;

/**
 * What nobody types is left out, so that no pattern has much to try again: lines that a program has made, and more than
 * one blank or empty line in a row.
 */
const tidy = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.replace(/\s+/g, " "))
    .filter((line) => line.length <= longestLine && line.trim() !== "")
    .join("\n");

const isBroken = (before: Definition, after: Definition | undefined, family: Family): boolean =>
  after !== undefined && breaksCallers(before, after, family);

const anyWord = /[A-Za-z_$][\w$]*/g;
const anyCall = /(?<![\w$])[A-Za-z_$][\w$]*(?![\w$])(?=\s*(?:(?:::)?<[^()\n]{0,100}>)?\()/g;

const wordsOf = (text: string, look: RegExp): ReadonlySet<string> => new Set(text.match(look) ?? []);

function without(
  words: ReadonlySet<string>,
  known: ReadonlySet<string>,
  own: ReadonlyMap<string, Definition>,
): ReadonlySet<string> {
  return new Set(
    [...words].filter((word) => word.length > 2 && !known.has(word) && !own.has(word) && !commonWords.has(word)),
  );
}

/** Lines that only one of the two has, wherever they stand. */
function compareLines(before: string, after: string): [gone: string, come: string] {
  const counts = new Map<string, number>();
  for (const line of before.split("\n")) counts.set(line.trim(), (counts.get(line.trim()) ?? 0) + 1);
  const come: string[] = [];
  for (const line of after.split("\n")) {
    const left = counts.get(line.trim()) ?? 0;
    if (left > 0) counts.set(line.trim(), left - 1);
    else come.push(line);
  }
  return [[...counts].flatMap(([line, left]) => (left > 0 ? [line] : [])).join("\n"), come.join("\n")];
}
