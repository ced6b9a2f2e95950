import { Refusal } from "./refusal.ts";

/** Nobody reads what is nested deeper, and writing it as JSON would exhaust the stack. */
const mostLevels = 64;

/** What agents write in a form of their own (metadata, bodies) is kept as JSON text, so it is measured as such first. */
export function checkFits(what: string, value: unknown, mostBytes: number): void {
  if (isNestedDeeper(value, mostLevels)) {
    throw new Refusal(
      "TOO_LARGE",
      `The ${what} is nested deeper than ${mostLevels} levels.`,
      "Send a flatter object, or text.",
    );
  }
  const size = Buffer.byteLength(typeof value === "string" ? value : JSON.stringify(value));
  if (size <= mostBytes) return;
  throw new Refusal(
    "TOO_LARGE",
    `The ${what} has ${size} bytes; at most ${mostBytes} are kept.`,
    "Send a summary and name the file or record that holds the rest.",
  );
}

function isNestedDeeper(value: unknown, levels: number): boolean {
  let level = childrenOf(value);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    level = level.flatMap(childrenOf);
  }
  return false;
}

const childrenOf = (value: unknown): unknown[] =>
  typeof value === "object" && value !== null ? Object.values(value) : [];
