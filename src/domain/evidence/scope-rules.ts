/** Which files lie outside what a task said it would touch (M2). No areas: everything matches. */
export function findUnexpected(files: readonly string[], areas: readonly string[]): string[] {
  if (areas.length === 0) return [];
  const wanted = areas.map((area) => area.trim().toLowerCase()).filter((area) => area !== "");
  return files.filter((file) => !wanted.some((area) => isInArea(file.toLowerCase(), area)));
}

/** `/src` and `./src` both begin at the top of the repository. */
const rootMark = /^(?:\.?\/)+/;

function isInArea(file: string, area: string): boolean {
  if (/[*?]/.test(area)) return matchesGlob(file, area);
  const segments = file.split("/");
  const path = area.replace(rootMark, "").replace(/\/+$/, "");
  if (area.includes("/")) {
    const wanted = path === "" ? [] : path.split("/");
    return wanted.every((segment, at) => segments[at] === segment);
  }
  const name = segments.at(-1) ?? "";
  return segments.includes(path) || stemsOf(name).includes(path);
}

/** `auth` is the stem of `auth.ts` and of `auth.test.ts`, not of `author.ts`. */
function stemsOf(name: string): string[] {
  const parts = name.split(".");
  return parts.map((_, count) => parts.slice(0, count + 1).join(".")).slice(0, -1);
}

/** `*` and `?` within a segment, `**` for any number of segments; a pattern without a slash fits any segment's file. */
export function matchesGlob(file: string, pattern: string): boolean {
  const wanted = pattern.replace(rootMark, "").split("/");
  const segments = file.split("/");
  if (wanted.length === 1) return segments.some((segment) => matchesSegment(segment, wanted[0] ?? ""));
  return matchesSegments(segments, wanted);
}

function matchesSegments(segments: readonly string[], wanted: readonly string[]): boolean {
  // One row of "can the first n segments be matched by the pattern so far", updated pattern part by pattern part.
  let reachable = segments.map(() => false);
  reachable = [true, ...reachable];
  for (const part of wanted) {
    const next = reachable.map(() => false);
    for (let at = 0; at <= segments.length; at += 1) {
      if (part === "**") next[at] = Boolean(reachable[at]) || (at > 0 && Boolean(next[at - 1]));
      else if (at > 0 && reachable[at - 1]) next[at] = matchesSegment(segments[at - 1] ?? "", part);
    }
    reachable = next;
  }
  return Boolean(reachable.at(-1));
}

/** Greedy with one step back: linear in practice, and never worse than both lengths multiplied. */
function matchesSegment(text: string, pattern: string): boolean {
  let at = 0;
  let place = 0;
  let star = -1;
  let resume = 0;
  while (at < text.length) {
    if (place < pattern.length && (pattern[place] === "?" || (pattern[place] !== "*" && pattern[place] === text[at]))) {
      at += 1;
      place += 1;
    } else if (pattern[place] === "*") {
      star = place;
      resume = at;
      place += 1;
    } else if (star !== -1) {
      place = star + 1;
      resume += 1;
      at = resume;
    } else return false;
  }
  while (pattern[place] === "*") place += 1;
  return place === pattern.length;
}
