import { Refusal } from "../contract/refusal.ts";

/** Deeper than this is no call: recursive code below us would run out of stack. */
const deepestNesting = 100;

/** The largest frame or body that is read (C7). */
export const largestFrame = 8 * 1024 * 1024;

/**
 * Parses JSON that came from outside. Nesting is measured before parsing, and a key that could reach a prototype is
 * refused whatever it holds.
 */
export function parseJson(text: string): unknown {
  if (text.length > 2 * deepestNesting && isTooDeep(text)) {
    throw new Refusal("INVALID_REQUEST", `The JSON is nested more than ${deepestNesting} levels deep.`, "Send flatter data.");
  }
  try {
    return text.includes("__proto__") ? JSON.parse(text, refusePrototypeKey) : JSON.parse(text);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal("INVALID_REQUEST", "That is not valid JSON.", "Send one JSON object.");
  }
}

function refusePrototypeKey(key: string, value: unknown): unknown {
  if (key === "__proto__") throw new Refusal("INVALID_REQUEST", "A key must not be called __proto__.", "Use another key.");
  return value;
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (isInString) {
      if (char === 0x5c) at += 1;
      else if (char === 0x22) isInString = false;
    } else if (char === 0x22) isInString = true;
    else if (char === 0x5b || char === 0x7b) {
      depth += 1;
      if (depth > deepestNesting) return true;
    } else if (char === 0x5d || char === 0x7d) depth -= 1;
  }
  return false;
}
