import type { CliCommand, CliFlag } from "../../contract/projections/cli.ts";
import { Refusal } from "../../contract/refusal.ts";

/**
 * Reads `--key value` words into a tool's arguments. The key's own spelling works as well as the flag's; a list takes
 * its flag several times or as JSON, and words to choose from also with commas. Without a command, JSON is taken for
 * JSON and anything else for text.
 */
export function readFlags(words: readonly string[], command: CliCommand | undefined): Record<string, unknown> {
  const args: Record<string, unknown> = {};
  for (let at = 0; at < words.length; at += 1) {
    const { name, value } = splitWord(words[at] ?? "");
    const { flag, isDenied } = findFlag(name, command);
    const next = words[at + 1];
    const isSwitch = flag.type === "boolean" && !flag.isList;
    const takesNext = value === undefined && !isDenied && next !== undefined && (!isSwitch || isTruth(next));
    if (takesNext) at += 1;
    const text = isDenied ? "false" : (value ?? (takesNext ? next : isSwitch ? "true" : undefined));
    if (text === undefined) throw wrongUse(`${flag.flag} needs a value.`);
    put(args, flag, text);
  }
  return args;
}

/** What is needed to read a flag; of a tool that is not published nothing is known. */
type Flag = Pick<CliFlag, "flag" | "key" | "isList" | "choices"> & { readonly type: CliFlag["type"] | "unknown" };

function splitWord(word: string): { name: string; value: string | undefined } {
  if (!word.startsWith("--") || word.length === 2) {
    throw wrongUse(`"${word}" is not understood here; arguments are given as --key value.`);
  }
  const equals = word.indexOf("=");
  return equals === -1
    ? { name: word.slice(2), value: undefined }
    : { name: word.slice(2, equals), value: word.slice(equals + 1) };
}

/** `--no-key` turns a switch off. */
function findFlag(name: string, command: CliCommand | undefined): { flag: Flag; isDenied: boolean } {
  if (command === undefined) return { flag: unknownFlag(name), isDenied: false };
  const named = command.flags.find(({ flag, key }) => flag === `--${name}` || key === name);
  if (named) return { flag: named, isDenied: false };
  const denied = command.flags.find(({ flag, type }) => type === "boolean" && flag === `--${name.replace(/^no-/, "")}`);
  if (denied) return { flag: denied, isDenied: true };
  const known = command.flags.map(({ flag }) => flag).join(", ");
  throw wrongUse(`${command.name} has no --${name}.`, known === "" ? "It takes no arguments." : `It takes ${known}.`);
}

function put(args: Record<string, unknown>, flag: Flag, text: string): void {
  const { key } = flag;
  if (flag.isList) {
    args[key] = [...((args[key] as unknown[] | undefined) ?? []), ...readList(flag, text)];
  } else if (Object.hasOwn(args, key)) {
    throw wrongUse(`${flag.flag} is given twice.`);
  } else {
    args[key] = readValue(flag, text);
  }
}

/** Commas divide only what cannot hold one: a sentence in a list must stay whole. */
function readList(flag: Flag, text: string): unknown[] {
  if (text.trimStart().startsWith("[")) {
    const list = parseJson(flag, text);
    if (Array.isArray(list)) return list;
  }
  const parts = flag.choices || flag.type !== "string" ? text.split(",") : [text];
  return parts.map((part) => readValue(flag, part));
}

function readValue(flag: Flag, text: string): unknown {
  switch (flag.type) {
    case "string":
      return text;
    case "integer":
    case "number": {
      const number = Number(text);
      if (text.trim() === "" || !Number.isFinite(number)) throw wrongUse(`${flag.flag} is a number.`);
      return number;
    }
    case "boolean":
      if (!isTruth(text)) throw wrongUse(`${flag.flag} is true or false.`);
      return text === "true";
    case "json":
      return /^\s*[[{"]/.test(text) ? parseJson(flag, text) : text;
    case "unknown":
      return guess(text);
  }
}

function parseJson(flag: Flag, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrongUse(`What follows ${flag.flag} is not valid JSON.`);
  }
}

/** Where nothing is known of the argument, what is no JSON is plain text. */
function guess(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const isTruth = (word: string): boolean => word === "true" || word === "false";

const unknownFlag = (name: string): Flag => ({
  flag: `--${name}`,
  key: name.replaceAll("-", "_"),
  type: "unknown",
  isList: false,
});

const wrongUse = (message: string, hint = "See `crewdeck call TOOL --help`."): Refusal =>
  new Refusal("INVALID_REQUEST", message, hint);
