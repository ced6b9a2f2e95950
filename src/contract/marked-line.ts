interface Piece {
  readonly text: string;
  readonly isMatch: boolean;
}

/** `/source/flags`, as it stands in a query. */
interface PatternText {
  readonly source: string;
  readonly flags: string;
}

/** Says where a text has something from a place on. */
type Finder = (text: string, from: number) => readonly [start: number, end: number] | undefined;

/** What is used of re2js. This room has no packages, so who compiles patterns brings it along. */
export interface PatternEngine<Compiled extends CompiledPattern = CompiledPattern> {
  readonly MULTILINE: number;
  readonly CASE_INSENSITIVE: number;
  readonly DOTALL: number;
  translateRegExp(source: string): string;
  compile(source: string, bits: number): Compiled;
}

interface CompiledPattern {
  matcher(text: string): { find(from: number): boolean; start(): number; end(): number };
}

/** A pattern as search means it, wherever it is compiled. */
export function compileWith<Compiled extends CompiledPattern>(
  engine: PatternEngine<Compiled>,
  { source, flags }: PatternText,
): Compiled {
  const bits =
    engine.MULTILINE | (flags.includes("i") ? engine.CASE_INSENSITIVE : 0) | (flags.includes("s") ? engine.DOTALL : 0);
  return engine.compile(engine.translateRegExp(source), bits);
}

/** A word, a phrase or a pattern of a query, with the sign that negates it. */
const atoms = /([-!]?)(?:"([^"]+)"|\/((?:\\.|[^\\]){1,1000}?)\/([a-z]*)(?=[\s)]|$)|([^\s()"]+))/gsu;

function readSought(query: string): { readonly words: readonly string[]; readonly patterns: readonly PatternText[] } {
  const words: string[] = [];
  const patterns: PatternText[] = [];
  for (const [, sign, phrase, source, flags = "", word = ""] of query.matchAll(atoms)) {
    if (sign) continue;
    if (source !== undefined) patterns.push({ source, flags });
    else if (phrase !== undefined) words.push(phrase.toLowerCase());
    else if (!/^(AND|OR|NOT)$|^[-!/]/.test(word)) words.push(word.toLowerCase());
  }
  return { words, patterns };
}

export const hasPatterns = (query: string): boolean => readSought(query).patterns.length > 0;

/** Finds what a query asks for. Without an engine its patterns find nothing, and one that isn't valid never does. */
export function listFinders(query: string, engine?: PatternEngine): readonly Finder[] {
  const { words, patterns } = readSought(query);
  return [...words.map(findWord), ...patterns.flatMap((pattern) => (engine ? findPattern(engine, pattern) : []))];
}

const findWord =
  (word: string): Finder =>
  (text, from) => {
    const place = text.toLowerCase().indexOf(word, from);
    return place < 0 ? undefined : [place, place + word.length];
  };

function findPattern(engine: PatternEngine, pattern: PatternText): Finder[] {
  try {
    const compiled = compileWith(engine, pattern);
    return [
      (text, from) => {
        const matcher = compiled.matcher(text);
        let at = from;
        // What is found without a letter can't be marked; something behind it can.
        while (at < text.length && matcher.find(at)) {
          if (matcher.end() > matcher.start()) return [matcher.start(), matcher.end()];
          at = matcher.end() + 1;
        }
        return undefined;
      },
    ];
  } catch {
    return [];
  }
}

/** A line in pieces: those that match what was asked for stand out. */
export function splitLine(line: string, finders: readonly Finder[]): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  while (at < line.length) {
    let [start, end] = [line.length, line.length];
    for (const find of finders) {
      const place = find(line, at);
      if (place && place[0] < start) [start, end] = place;
    }
    if (start > at) pieces.push({ text: line.slice(at, start), isMatch: false });
    if (end > start) pieces.push({ text: line.slice(start, end), isMatch: true });
    at = end;
  }
  return pieces;
}
