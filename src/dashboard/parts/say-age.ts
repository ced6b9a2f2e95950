const steps: readonly [unit: string, ms: number][] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
];

/** A length of time in one unit, as short as it can be said. */
export function sayLength(ms: number): string {
  for (const [unit, size] of steps) if (ms >= size) return `${Math.floor(ms / size)} ${unit}`;
  return "0 s";
}

export const sayAge = (ms: number): string => (ms < 5_000 ? "just now" : `${sayLength(ms)} ago`);
