/** How the command line writes: plain words, aligned columns, no control characters that came from elsewhere. */

/** Text from agents on one line: nothing in it can move the cursor, colour the screen or turn the reading direction. */
export const cleanText = (text: string): string =>
  text
    .replace(/\p{Cf}/gu, "")
    .replace(/\s+/g, " ")
    .replace(/\p{Cc}/gu, "");

/** JSON that loses nothing and is as harmless on a terminal: what could steer one is written as an escape. */
export function toJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? "null";
  return text.replace(/[\p{Cf}\u007f-\u009f\u2028\u2029]/gu, escapeUnits);
}

const escapeUnits = (symbol: string): string =>
  Array.from({ length: symbol.length }, (_, at) => `\\u${symbol.charCodeAt(at).toString(16).padStart(4, "0")}`).join(
    "",
  );

/** Columns as wide as their widest cell, two spaces apart. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const clean = rows.map((row) => row.map(cleanText));
  const columns = Math.max(0, ...clean.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, at) => Math.max(...clean.map((row) => row[at]?.length ?? 0)));
  return clean.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

export function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

const units = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1_000, "s"],
] as const;

/** A length of time in its largest whole unit. */
export function durationText(ms: number): string {
  const [size, unit] = units.find(([unitMs]) => ms >= unitMs) ?? [1_000, "s"];
  return `${Math.floor(ms / size)} ${unit}`;
}

export const count = (amount: number, noun: string): string => `${amount} ${noun}${amount === 1 ? "" : "s"}`;
