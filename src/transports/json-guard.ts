import { Refusal } from "../contract/refusal.ts";

/** Deeper than this is no call: recursive code below us would run out of stack. */
const deepestNesting = 100;

/** A body of nothing but tiny values takes many times its size in memory once it is read. */
const mostValues = 200_000;

/** The largest frame or body that is read (MC31, HT13). */
export const largestFrame = 8 * 1024 * 1024;

/** Text that is no JSON at all, as opposed to JSON that is refused. */
export class NotJson extends Refusal {
  constructor() {
    super("INVALID_REQUEST", "That is not valid JSON.", "Send one JSON object.");
  }
}

/** JSON that is refused for what it holds. Where it was read before that showed, `value` tells whom to answer. */
export class UnsafeJson extends Refusal {
  readonly value: unknown;

  constructor(message: string, hint: string, value?: unknown) {
    super("INVALID_REQUEST", message, hint);
    this.value = value;
  }
}

/**
 * Parses JSON that came from outside. Its size is measured before it is parsed; what readers would understand
 * differently (a key given twice, a number that is infinite) or what could reach a prototype is refused.
 */
export function parseJson(text: string): unknown {
  const { depth, values, members } = measure(text);
  if (depth > deepestNesting) {
    throw new UnsafeJson(`The JSON is nested more than ${deepestNesting} levels deep.`, "Send flatter data.");
  }
  if (values > mostValues) throw new UnsafeJson(`The JSON has more than ${mostValues} values.`, "Send less at once.");
  const value = parse(text);
  const fault = faultIn(value) ?? (countMembers(value) === members ? undefined : "An object has the same key twice.");
  if (fault !== undefined) throw new UnsafeJson(fault, "Correct the JSON and send it again.", value);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NotJson();
  }
}

/** Counts without building anything. Of text that is no JSON the figures mean nothing, and nobody reads them. */
function measure(text: string): { depth: number; values: number; members: number } {
  let level = 0;
  let depth = 0;
  let values = 1;
  let members = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = endOfString(text, at);
        break;
      case 0x5b: // [
      case 0x7b: // {
        level += 1;
        values += 1;
        if (level > depth) depth = level;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        level -= 1;
        break;
      case 0x2c: // ,
        values += 1;
        break;
      case 0x3a: // :
        members += 1;
    }
  }
  return { depth, values, members };
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (let char = text.charCodeAt(at); at < text.length && char !== 0x22; char = text.charCodeAt(at)) {
    at += char === 0x5c ? 2 : 1;
  }
  return at;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

function faultIn(value: unknown): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : "A number is too large to be kept.";
  if (Array.isArray(value)) return firstFault(value);
  if (!isObject(value)) return undefined;
  if (Object.hasOwn(value, "__proto__")) return "A key must not be called __proto__.";
  const { constructor: maker } = value as { constructor: unknown };
  if (Object.hasOwn(value, "constructor") && isObject(maker) && Object.hasOwn(maker, "prototype")) {
    return "A constructor must not have a prototype.";
  }
  return firstFault(Object.values(value));
}

function firstFault(values: readonly unknown[]): string | undefined {
  for (const value of values) {
    const fault = faultIn(value);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function countMembers(value: unknown): number {
  if (!isObject(value)) return 0;
  const children = Array.isArray(value) ? value : Object.values(value);
  let count = Array.isArray(value) ? 0 : children.length;
  for (const child of children) count += countMembers(child);
  return count;
}
