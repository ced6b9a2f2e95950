import type { JsonSchema, ObjectSchema } from "../../contract/json-schema.ts";
import { Refusal } from "../../contract/refusal.ts";

/**
 * Reads `--key value` words into a tool's arguments, guided by its published schema (C1). `--agent-id` and `--agent_id`
 * are the same key; a list takes its flag several times or as JSON; an object is JSON.
 */
export function readFlags(words: readonly string[], schema: ObjectSchema | undefined): Record<string, unknown> {
  const args: Record<string, unknown> = {};
  for (let at = 0; at < words.length; at += 1) {
    const flag = splitFlag(words[at] ?? "");
    const { key, property, isDenied } = findKey(flag.name, schema);
    const isSwitch = typesOf(property).includes("boolean");
    const next = words[at + 1];
    const takesNext = flag.value === undefined && !isDenied && next !== undefined && !isLoneSwitch(isSwitch, next);
    if (takesNext) at += 1;
    const value = isDenied ? "false" : (flag.value ?? (takesNext ? next : isSwitch ? "true" : undefined));
    if (value === undefined) throw wrongUse(`--${flag.name} needs a value.`);
    put(args, key, property, value);
  }
  return args;
}

/** A switch takes the next word only if that says true or false. */
const isLoneSwitch = (isSwitch: boolean, next: string): boolean => isSwitch && next !== "true" && next !== "false";

function splitFlag(word: string): { name: string; value: string | undefined } {
  if (!word.startsWith("--") || word.length === 2) {
    throw wrongUse(`"${word}" is not understood here; arguments are given as --key value.`);
  }
  const equals = word.indexOf("=");
  return equals === -1
    ? { name: word.slice(2), value: undefined }
    : { name: word.slice(2, equals), value: word.slice(equals + 1) };
}

interface FoundKey {
  readonly key: string;
  readonly property: JsonSchema | undefined;
  /** `--no-key` for a switch. */
  readonly isDenied: boolean;
}

function findKey(name: string, schema: ObjectSchema | undefined): FoundKey {
  const properties = schema?.properties ?? {};
  const known = [name, name.replaceAll("-", "_")].find((key) => Object.hasOwn(properties, key));
  if (known !== undefined) return { key: known, property: properties[known], isDenied: false };
  const denied = name.startsWith("no-") ? name.slice(3).replaceAll("-", "_") : "";
  if (typesOf(properties[denied]).includes("boolean"))
    return { key: denied, property: properties[denied], isDenied: true };
  if (schema === undefined) return { key: name.replaceAll("-", "_"), property: undefined, isDenied: false };
  const flags = Object.keys(properties).map((key) => `--${key.replaceAll("_", "-")}`);
  throw wrongUse(
    `There is no --${name}.`,
    flags.length === 0 ? "The tool takes no arguments." : `It takes ${flags.join(", ")}.`,
  );
}

function put(args: Record<string, unknown>, key: string, property: JsonSchema | undefined, value: string): void {
  if (typesOf(property).includes("array")) {
    const more = value.trimStart().startsWith("[") ? parseJson(key, value) : [convert(key, property?.items, value)];
    args[key] = [...((args[key] as unknown[] | undefined) ?? []), ...(more as unknown[])];
    return;
  }
  if (Object.hasOwn(args, key)) throw wrongUse(`--${key.replaceAll("_", "-")} is given twice.`);
  args[key] = convert(key, property, value);
}

function convert(key: string, property: JsonSchema | undefined, value: string): unknown {
  const types = typesOf(property);
  if (types.includes("object") && /^\s*\{/.test(value)) return parseJson(key, value);
  if (types.length === 0) return guess(value);
  if (types.includes("string")) return value;
  if (types.includes("number") || types.includes("integer")) return readNumber(key, value);
  if (types.includes("boolean")) return readSwitch(key, value);
  return parseJson(key, value);
}

function readNumber(key: string, value: string): number {
  const number = Number(value);
  if (value.trim() === "" || !Number.isFinite(number)) throw wrongUse(`--${key} is a number.`);
  return number;
}

function readSwitch(key: string, value: string): boolean {
  if (value !== "true" && value !== "false") throw wrongUse(`--${key} is true or false.`);
  return value === "true";
}

function parseJson(key: string, value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    throw wrongUse(`--${key} is not valid JSON.`);
  }
}

/** Without a schema JSON is taken for JSON and anything else for text. */
function guess(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** Every type a value may have. */
function typesOf(schema: JsonSchema | undefined): string[] {
  if (!schema) return [];
  const own = schema.type === undefined ? [] : [schema.type].flat();
  return [...own, ...(schema.anyOf ?? []).flatMap(typesOf)];
}

const wrongUse = (message: string, hint?: string): Refusal =>
  new Refusal("INVALID_REQUEST", message, hint ?? "See `crewdeck call TOOL --help`.");
