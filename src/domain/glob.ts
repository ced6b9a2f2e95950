import { Refusal } from "../contract/refusal.ts";

/**
 * Patterns of files, matched with names and with each other without a file system. `**` stands for any number of
 * folders, `*` and `?` for characters within a name. Brackets are plain characters: routes like `app/[id]` are common.
 * No text becomes a regular expression, and no comparison takes more steps than both lengths multiplied.
 */

export interface GlobOptions {
  /** Letters are the same in either case. */
  readonly ignoresCase?: boolean;
  /** `{a,b}` stands for either; otherwise braces are plain characters. */
  readonly opensBraces?: boolean;
  /**
   * Which patterns stand for what lies below them too: those whose last name is plain and may be a folder's, or those
   * that are plain from end to end. One that ends in a slash always does.
   */
  readonly standsForBelow: "folder-names" | "plain-paths";
  /**
   * Where a pattern without a slash fits: at the top, or at any folder or file of that name, for which a plain name
   * may leave out endings: `auth` fits `auth.test.ts`.
   */
  readonly bareNames: "at-top" | "anywhere";
}

/** Every way to read a pattern, each as its names. */
export type Glob = readonly Names[];
type Names = readonly string[];

/** More alternatives than anyone writes by hand. */
export const mostAlternatives = 64;

/** One way of writing for the same files. */
export function tidyGlob(text: string): string {
  const slashed = withSlashes(text);
  if (slashed.startsWith("!")) {
    throw new Refusal("INVALID_INPUT", "A pattern says what is meant, not what is left out.", "Leave out the first !.");
  }
  const names = namesOf(slashed);
  return (names.length === 0 ? [many] : names).join("/");
}

export function readGlob(text: string, options: GlobOptions): Glob {
  const { ignoresCase, opensBraces, standsForBelow, bareNames } = options;
  const slashed = withSlashes(ignoresCase ? text.toLowerCase() : text);
  const isPlainPath = isPlain(slashed);
  return (opensBraces ? spellOut(slashed) : [slashed]).flatMap((one): Glob => {
    if (bareNames === "anywhere" && !one.includes("/")) {
      return isPlain(one)
        ? [
            [many, one, many],
            [many, `${one}.*`],
          ]
        : [joinMany([many, one, many])];
    }
    const names = joinMany(namesOf(one));
    const isBelowMeant = standsForBelow === "plain-paths" ? isPlainPath : mayBeFolder(names.at(-1) ?? many);
    return [isBelowMeant ? joinMany([...names, many]) : names];
  });
}

/** Whether the file is one of those that are meant. Its own name is plain, whatever characters are in it. */
export function fitsGlob(glob: Glob, file: string, options: Pick<GlobOptions, "ignoresCase">): boolean {
  const names = withSlashes(options.ignoresCase ? file.toLowerCase() : file)
    .split("/")
    .filter(isName);
  return glob.some((pattern) => fitsRow(pattern, names, many, fitsName));
}

/** Whether some file fits both. */
export const doGlobsMeet = (one: Glob, other: Glob): boolean =>
  one.some((left) => other.some((right) => !isElsewhere(left, right) && shareOne(left, right, many, doNamesMeet)));

/** What it costs to compare: all characters, and those in names that have signs. */
export const measureGlob = (glob: Glob): { signs: number; loose: number } => ({
  signs: glob.reduce((sum, names) => sum + names.join("/").length, 0),
  loose: glob.flat().reduce((sum, name) => (isPlain(name) || name === many ? sum : sum + name.length), 0),
});

const many = "**";

const withSlashes = (text: string): string => text.normalize("NFC").replaceAll("\\", "/");

const isName = (name: string): boolean => name !== "" && name !== ".";

/** Signs are left as they are: inside braces, which are still to be opened, they may be names of their own. */
function namesOf(text: string): string[] {
  const names = text.split("/").filter(isName);
  return text.endsWith("/") ? [...names, many] : names;
}

/** Signs that say the same twice are written once. */
const joinMany = (names: readonly string[]): Names =>
  names
    .map((name) => (name === many ? name : name.replaceAll(/\*+/g, "*")))
    .filter((name, place, all) => name !== many || all[place - 1] !== many);

/** One with an ending is a file, or else `src/a.ts` would meet every `**` there is. */
const mayBeFolder = (name: string): boolean => isPlain(name) && name.indexOf(".", 1) === -1;

const isPlain = (name: string): boolean => !name.includes("*") && !name.includes("?");

/** Opens one pair of braces after the other, in all texts alike: what becomes the same is counted once. */
function spellOut(text: string): string[] {
  let spelled = new Set([text]);
  for (let isOpening = true; isOpening; ) {
    isOpening = false;
    const next = new Set<string>();
    for (const one of spelled) {
      const braces = findBraces(one);
      if (braces) isOpening = true;
      for (const choice of braces ? open(one, braces) : [one]) next.add(choice);
    }
    if (next.size > mostAlternatives) throw tooManyAlternatives();
    spelled = next;
  }
  return [...spelled];
}

interface Braces {
  readonly from: number;
  readonly to: number;
}

const open = (text: string, { from, to }: Braces): string[] =>
  text
    .slice(from + 1, to)
    .split(",")
    .map((choice) => text.slice(0, from) + choice + text.slice(to + 1));

/** The first pair that offers a choice and holds no other that does; a pair without a comma is plain characters. */
function findBraces(text: string): Braces | undefined {
  const opened: { from: number; hasChoice: boolean }[] = [];
  for (let to = 0; to < text.length; to += 1) {
    const sign = text[to];
    const inner = opened.at(-1);
    if (sign === "{") opened.push({ from: to, hasChoice: false });
    else if (sign === "," && inner) inner.hasChoice = true;
    else if (sign === "}" && opened.pop()?.hasChoice) return { from: inner?.from ?? 0, to };
  }
  return undefined;
}

const tooManyAlternatives = () =>
  new Refusal(
    "TOO_LARGE",
    `The braces of a pattern stand for more than ${mostAlternatives} patterns.`,
    "Name the folder instead.",
  );

function fitsName(pattern: string, name: string): boolean {
  if (isPlain(pattern)) return pattern === name;
  const head = pattern.slice(0, pattern.search(/[*?]/));
  const tail = pattern.slice(Math.max(pattern.lastIndexOf("*"), pattern.lastIndexOf("?")) + 1);
  if (!name.startsWith(head) || !name.endsWith(tail)) return false;
  return fitsRow([...pattern], [...name], "*", (sign, letter) => sign === "?" || sign === letter);
}

/** Each `any` takes as little as it can, and only the latest is ever asked to take more: nothing is tried twice over. */
function fitsRow(
  pattern: readonly string[],
  row: readonly string[],
  any: string,
  doesFit: (sign: string, thing: string) => boolean,
): boolean {
  let place = 0;
  let latest = -1;
  let taken = 0;
  for (let at = 0; at < row.length; ) {
    const sign = pattern[place];
    const thing = row[at];
    if (sign === any) {
      latest = place;
      taken = at;
      place += 1;
    } else if (sign !== undefined && thing !== undefined && doesFit(sign, thing)) {
      place += 1;
      at += 1;
    } else if (latest !== -1) {
      taken += 1;
      place = latest + 1;
      at = taken;
    } else return false;
  }
  return pattern.slice(place).every((sign) => sign === any);
}

/** Most patterns part in a plain folder name; that is seen at once. */
function isElsewhere(left: Names, right: Names): boolean {
  const shorter = Math.min(left.length, right.length);
  for (let at = 0; at < shorter; at += 1) {
    const [one = many, other = many] = [left[at], right[at]];
    if (!isPlain(one) || !isPlain(other)) return false;
    if (one !== other) return true;
  }
  return false;
}

function doNamesMeet(one: string, other: string): boolean {
  if (isPlain(one) && isPlain(other)) return one === other;
  return shareOne([...one], [...other], "*", (left, right) => left === right || left === "?" || right === "?");
}

/**
 * Whether two rows of signs, in which `any` stands for any number of things, can be read as the same things. Walks all
 * pairs of places that reading both in step can reach; every step goes forward, so that one pass sees them all.
 */
function shareOne(
  one: readonly string[],
  other: readonly string[],
  any: string,
  doMeet: (left: string, right: string) => boolean,
): boolean {
  let here = new Uint8Array(other.length + 2);
  here[0] = 1;
  for (let i = 0; i <= one.length; i += 1) {
    const next = new Uint8Array(here.length);
    let goesOn = false;
    for (let j = 0; j <= other.length; j += 1) {
      if (here[j] !== 1) continue;
      const [left, right] = [one[i], other[j]];
      if (left === undefined && right === undefined) return true;
      if (left === any || right === any) {
        if (left !== undefined) next[j] = 1;
        if (right !== undefined) here[j + 1] = 1;
      } else if (left !== undefined && right !== undefined && doMeet(left, right)) next[j + 1] = 1;
      goesOn ||= next[j] === 1 || next[j + 1] === 1;
    }
    if (!goesOn) return false;
    here = next;
  }
  return false;
}
