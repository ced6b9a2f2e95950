import {
  BrokenJson,
  type JsonList,
  type JsonMember,
  type JsonNode,
  meaningOf,
  parseJson,
  skipTrivia,
} from "./json-tree.ts";

/** One entry of ours: the value of a key, or an item at the end of an array. */
export interface JsonEntry {
  /** Keys from the root; with `isItem` they lead to the array. */
  readonly path: readonly string[];
  readonly value: unknown;
  readonly isItem: boolean;
  /** Stays as it is where somebody has set it, and is nobody's to remove unless we made it. */
  readonly isDefault?: true;
}

/** Whether a value in a file is an entry of ours, whatever version wrote it. */
type IsOurs = (value: unknown) => boolean;

/** Somebody else has something in the place of ours. */
export class TakenPlace extends Error {
  override readonly name = "TakenPlace";
}

/** Whether the file holds these entries and no other of ours. */
export function holdsEntries(text: string, entries: readonly JsonEntry[], isOurs: IsOurs): boolean {
  const root = rootOf(text);
  const wanted = new Map(entries.filter((entry) => !entry.isDefault).map((entry) => [placeOf(entry), entry]));
  const found = findOurs(text, root, isOurs);
  return (
    found.length === wanted.size &&
    found.every(({ path, isItem, value }) => {
      const entry = wanted.get(placeOf({ path, isItem, value }));
      return entry !== undefined && JSON.stringify(entry.value) === JSON.stringify(value);
    })
  );
}

/** An event has one group of ours for each matcher. */
const placeOf = ({ path, isItem, value }: Pick<JsonEntry, "path" | "isItem" | "value">): string =>
  JSON.stringify([path, isItem ? ((value as { matcher?: unknown }).matcher ?? null) : null]);

/** The text with the entries in it, and which parts had to be made for them. Everything else keeps its bytes. */
export function addEntries(
  text: string,
  entries: readonly JsonEntry[],
  isOurs: IsOurs,
): { text: string; made: readonly (readonly string[])[] } {
  const made: (readonly string[])[] = [];
  let next = text;
  for (const entry of entries) next = addEntry(next, entry, isOurs, made);
  return { text: next, made };
}

function addEntry(text: string, entry: JsonEntry, isOurs: IsOurs, made: (readonly string[])[]): string {
  const { path, value, isItem } = entry;
  let at: JsonNode = rootOf(text);
  for (const [depth, key] of path.entries()) {
    if (at.kind !== "object") throw new TakenPlace(`\`${path.slice(0, depth).join(".")}\` is not an object`);
    const found = memberOf(at, key);
    if (found === undefined) {
      const rest = path.slice(depth + 1);
      for (let to = depth + 1; to < path.length; to += 1) made.push(path.slice(0, to));
      if (isItem || entry.isDefault) made.push(path);
      const inner = rest.reduceRight<unknown>((built, name) => ({ [name]: built }), isItem ? [value] : value);
      return insert(text, at, key, inner);
    }
    at = found.value;
  }
  if (isItem) {
    if (at.kind !== "array") throw new TakenPlace(`\`${path.join(".")}\` is not a list`);
    return insert(text, at, undefined, value);
  }
  if (entry.isDefault) return text;
  if (!isOurs(meaningOf(text, at))) throw new TakenPlace(`\`${path.join(".")}\` is set by somebody else`);
  return splice(text, at.start, at.end, JSON.stringify(value));
}

/** The text without any entry of ours; what was made for them goes with them once it is empty. */
export function removeEntries(text: string, isOurs: IsOurs, made: readonly (readonly string[])[]): string {
  let next = text;
  for (;;) {
    const root = rootOf(next);
    const [first] = findOurs(next, root, isOurs);
    if (first === undefined) break;
    next = removeAt(next, first.holder, first.member);
  }
  // From the inside out, so that what becomes empty is seen empty.
  const inward = [...made].sort((one, other) => other.length - one.length);
  for (const path of inward) next = removeIfEmpty(next, path);
  return next;
}

function removeIfEmpty(text: string, path: readonly string[]): string {
  let at: JsonNode = rootOf(text);
  for (const [depth, key] of path.entries()) {
    if (at.kind !== "object") return text;
    const member = memberOf(at, key);
    if (member === undefined) return text;
    if (depth === path.length - 1) {
      const isEmpty = member.value.kind === "scalar" || isHollow(text, member.value);
      return isEmpty ? removeAt(text, at, member) : text;
    }
    at = member.value;
  }
  return text;
}

const isHollow = (text: string, list: JsonList): boolean =>
  list.members.length === 0 && text.slice(list.start + 1, list.end - 1).trim() === "";

interface Found extends Pick<JsonEntry, "path" | "isItem" | "value"> {
  readonly holder: JsonList;
  readonly member: JsonMember;
}

/** Entries stand at most three levels deep; below one of ours nothing is looked for. */
function findOurs(text: string, node: JsonNode, isOurs: IsOurs, path: readonly string[] = []): Found[] {
  if (node.kind === "scalar" || path.length > 3) return [];
  return node.members.flatMap((member): Found[] => {
    const isItem = node.kind === "array";
    const here = isItem ? path : [...path, member.key];
    const value = meaningOf(text, member.value);
    if (isEntryPlace(here, isItem) && isOurs(value)) return [{ path: here, isItem, value, holder: node, member }];
    return isItem ? [] : findOurs(text, member.value, isOurs, here);
  });
}

/** A server under its name, or an item of a list: never a whole section that has one of ours somewhere in it. */
const isEntryPlace = (path: readonly string[], isItem: boolean): boolean =>
  isItem || (path.length === 2 && path[0] !== "hooks");

const rootOf = (text: string): JsonList => {
  const root = parseJson(text);
  if (root.kind !== "object") throw new BrokenJson("the file holds no JSON object");
  return root;
};

/** A key that is there twice means its last one to every client; to change one of them would be a guess. */
function memberOf(list: JsonList, key: string): JsonMember | undefined {
  const found = list.members.filter((member) => member.key === key);
  if (found.length > 1) throw new BrokenJson(`the key \`${key}\` appears twice`);
  return found[0];
}

const splice = (text: string, from: number, to: number, put: string): string =>
  text.slice(0, from) + put + text.slice(to);

function insert(text: string, list: JsonList, key: string | undefined, value: unknown): string {
  const style = styleOf(text);
  const last = list.members.at(-1);
  const isSpread = last === undefined || /\n/.test(text.slice(list.start, list.members[0]?.start));
  const outer = lineIndent(text, list.start);
  const inner = last === undefined ? outer + style.unit : lineIndent(text, list.members[0]?.start ?? last.start);
  const name = key === undefined ? "" : `${JSON.stringify(key)}: `;
  if (!isSpread && last !== undefined) {
    const from = list.lastComma === undefined ? last.end : list.lastComma + 1;
    return splice(text, from, from, `${list.lastComma === undefined ? "," : ""} ${name}${JSON.stringify(value)}`);
  }
  const body = name + JSON.stringify(value, null, style.unit).replaceAll("\n", style.eol + inner);
  if (last === undefined) {
    const rest = text.slice(list.start + 1, list.end - 1);
    // What somebody noted inside stays before ours.
    if (rest.trim() !== "") {
      const from = list.start + 1 + rest.trimEnd().length;
      return splice(text, from, from, style.eol + inner + body);
    }
    return splice(text, list.start + 1, list.end - 1, `${style.eol}${inner}${body}${style.eol}${outer}`);
  }
  const from = endOfLine(text, list.lastComma === undefined ? last.end : list.lastComma + 1, list.end - 1);
  const added = splice(text, from, from, `${style.eol}${inner}${body}${list.lastComma === undefined ? "" : ","}`);
  return list.lastComma === undefined ? splice(added, last.end, last.end, ",") : added;
}

/** Behind a comment that stands on the same line, since it speaks of what is before it. */
function endOfLine(text: string, from: number, limit: number): number {
  const after = skipTrivia(text, from);
  const line = text.indexOf("\n", from);
  const end = Math.min(after, line === -1 ? limit : line, limit);
  return from + text.slice(from, end).trimEnd().length;
}

function removeAt(text: string, list: JsonList, member: JsonMember): string {
  const place = list.members.indexOf(member);
  const before = list.members[place - 1];
  const after = list.members[place + 1];
  if (after !== undefined) return splice(text, member.start, after.start, "");
  const from = startOfGap(text, list, member);
  const ownEnd = list.lastComma === undefined ? member.end : list.lastComma + 1;
  if (before === undefined) {
    const rest = text.slice(list.start + 1, from) + text.slice(ownEnd, list.end - 1);
    return rest.trim() === "" ? splice(text, list.start + 1, list.end - 1, "") : splice(text, from, ownEnd, "");
  }
  if (list.lastComma !== undefined) return splice(text, from, ownEnd, "");
  const comma = text.indexOf(",", skipTrivia(text, before.end));
  return splice(splice(text, from, ownEnd, ""), comma, comma + 1, "");
}

/** After whatever is written before the member, a comment included. */
const startOfGap = (text: string, list: JsonList, member: JsonMember): number =>
  list.start + 1 + text.slice(list.start + 1, member.start).trimEnd().length;

function styleOf(text: string): { unit: string; eol: string } {
  const [, unit = "  "] = /[{[][ \t]*\r?\n([ \t]+)\S/.exec(text) ?? [];
  return { unit, eol: text.includes("\r\n") ? "\r\n" : "\n" };
}

/** White space at the beginning of the line that a position is in. */
function lineIndent(text: string, at: number): string {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, at))?.[0] ?? "";
}
