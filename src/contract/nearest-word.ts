/** The one of these words that somebody most likely meant, or undefined where none is near. */
export function nearestWord(meant: string, words: readonly string[]): string | undefined {
  const ranked = words
    .map((word) => ({ word, distance: distanceOf(meant, word) }))
    .filter(({ distance }) => distance <= farthest)
    .sort((one, other) => one.distance - other.distance);
  return ranked[0]?.word;
}

/** Two of five letters may be wrong. */
const farthest = 0.4;
/** Words that share a part, such as `agent` and `agent_name`, are near whatever their lengths. */
const sharedPart = 0.3;

/** From 0 for the same word to 1 for one that has nothing in common with it. */
function distanceOf(one: string, other: string): number {
  const [a, b] = [plain(one), plain(other)];
  if (a.length > longest || b.length > longest || a === "" || b === "") return 1;
  const edits = countEdits(a, b) / Math.max(a.length, b.length);
  const parts = new Set(partsOf(other));
  return partsOf(one).some((part) => parts.has(part)) ? Math.min(edits, sharedPart) : edits;
}

/** Longer words are no typing mistakes, and comparing them would take time. */
const longest = 64;

const partsOf = (word: string): string[] =>
  word
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part.length > 2);

const plain = (word: string): string => word.toLowerCase().replace(/[^a-z0-9]/g, "");

/** Letters to insert, remove or replace. */
function countEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let line = 1; line <= one.length; line += 1) {
    const next = [line];
    for (let at = 1; at <= other.length; at += 1) {
      const replaced = (row[at - 1] ?? 0) + (one[line - 1] === other[at - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
