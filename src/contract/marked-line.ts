/** A line in pieces: those that match what was asked for stand out. */
export function splitLine(line: string, query: string): { readonly text: string; readonly isMatch: boolean }[] {
  const words = (query.match(/"[^"]+"|[^\s()"]+/g) ?? [])
    .filter((word) => !/^(AND|OR|NOT)$|^[-!/]/.test(word))
    .map((word) => word.replaceAll('"', "").toLowerCase())
    .filter((word) => word !== "");
  const pieces: { text: string; isMatch: boolean }[] = [];
  const small = line.toLowerCase();
  let at = 0;
  while (at < line.length) {
    let [start, end] = [line.length, line.length];
    for (const word of words) {
      const place = small.indexOf(word, at);
      if (place >= 0 && place < start) [start, end] = [place, place + word.length];
    }
    if (start > at) pieces.push({ text: line.slice(at, start), isMatch: false });
    if (end > start) pieces.push({ text: line.slice(start, end), isMatch: true });
    at = end;
  }
  return pieces;
}
