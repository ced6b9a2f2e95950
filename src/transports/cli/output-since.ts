const anchorLines = 20;

/**
 * What an output has beyond the one seen before it. Both may be no more than the end of a long one, so the place is known
 * by the last lines seen. Of a terminal that was drawn anew it is the lines that were not there.
 */
export function outputSince(seen: string, now: string): string {
  if (now.startsWith(seen)) return now.slice(seen.length);
  const lines = seen.split("\n");
  const anchor = lines.slice(-anchorLines).join("\n");
  const at = anchor.trim() === "" ? -1 : now.lastIndexOf(anchor);
  if (at >= 0) return now.slice(at + anchor.length);
  const known = new Set(lines);
  return now
    .split("\n")
    .filter((line) => !known.has(line))
    .join("\n");
}
