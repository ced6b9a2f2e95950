import { Refusal } from "../../contract/refusal.ts";

/**
 * Patterns of files, compared with each other without a file system. `**` stands for any number of folders, `*` and `?`
 * for characters within a name, `{a,b}` for either. Brackets are plain characters: routes like `app/[id]` are common.
 */

/** More alternatives than anyone writes by hand. */
export const mostAlternatives = 64;

/** How many characters there are in names that have signs: what it costs to compare them. */
export const countLooseSigns = (patterns: readonly Segments[]): number =>
  patterns.flat().reduce((sum, name) => (isPlain(name) || name === many ? sum : sum + name.length), 0);

/** One way of writing for the same files. */
export function tidyPattern(text: string): string {
  const slashed = text.normalize("NFC").replaceAll("\\", "/");
  if (slashed.startsWith("!")) {
    throw new Refusal("INVALID_INPUT", "A pattern says what is meant, not what is left out.", "Leave out the first !.");
  }
  const names = namesOf(slashed);
  return (names.length === 0 ? [many] : names).join("/");
}

/** Every way through the braces of a tidy pattern, each as its segments. */
export function readPattern(text: string): readonly Segments[] {
  return spellOut(text).map(segmentsOf).map(withEverythingBelow);
}

/** One file of that name, whatever characters it has. */
export const readFileName = (path: string): readonly Segments[] => [segmentsOf(path.replaceAll("\\", "/"))];

/** Whether some file fits both. */
export const doPatternsMeet = (one: readonly Segments[], other: readonly Segments[]): boolean =>
  one.some((left) => other.some((right) => !isElsewhere(left, right) && shareOne(left, right, many, doNamesMeet)));

export type Segments = readonly string[];

/** Most patterns part in a plain folder name; that is seen at once. */
function isElsewhere(left: Segments, right: Segments): boolean {
  const shorter = Math.min(left.length, right.length);
  for (let at = 0; at < shorter; at += 1) {
    const [one = many, other = many] = [left[at], right[at]];
    if (!isPlain(one) || !isPlain(other)) return false;
    if (one !== other) return true;
  }
  return false;
}

const many = "**";

/** Signs are left as they are: inside braces, which are still to be opened, they may be names of their own. */
function namesOf(text: string): string[] {
  const names = text.split("/").filter((name) => name !== "" && name !== ".");
  return text.endsWith("/") ? [...names, many] : names;
}

const segmentsOf = (text: string): string[] =>
  namesOf(text)
    .map((name) => (name === many ? name : name.replaceAll(/\*+/g, "*")))
    .filter((name, place, all) => name !== many || all[place - 1] !== many);

/**
 * A plain name at the end may be a folder: then it stands for all that is in it too. One with an ending is a file, or
 * else `src/a.ts` would meet every `**` there is.
 */
const withEverythingBelow = (segments: string[]): Segments =>
  mayBeFolder(segments.at(-1) ?? many) ? [...segments, many] : segments;

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
