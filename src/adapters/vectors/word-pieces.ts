/** How a model of the BERT family reads texts: small pieces of words, each by its number. */
interface WordPieces {
  /** The numbers of a text, with the marks at its beginning and end. */
  read(text: string): number[];
}

interface Marks {
  readonly unknown: string;
  readonly start: string;
  readonly end: string;
}

const marks: Marks = { unknown: "[UNK]", start: "[CLS]", end: "[SEP]" };
/** What such models read at most. */
const mostPieces = 256;
const longestWord = 100;

/** From `tokenizer.json`, or from `vocab.txt` with a piece to a line. */
export function readWordPieces(file: { readonly name: string; readonly text: string }): WordPieces {
  const { vocabulary, isFolded } = file.name.endsWith(".json") ? readJson(file.text) : readLines(file.text);
  const [unknown, start, end] = [marks.unknown, marks.start, marks.end].map((mark) => vocabulary.get(mark));
  if (unknown === undefined || start === undefined || end === undefined)
    throw new Error("its words are of another kind");
  return {
    read(text) {
      const pieces: number[] = [];
      for (const word of splitWords(isFolded ? fold(text) : text)) {
        if (pieces.length >= mostPieces - 2) break;
        pieces.push(...(splitWord(word, vocabulary) ?? [unknown]));
      }
      return [start, ...pieces.slice(0, mostPieces - 2), end];
    },
  };
}

interface Read {
  readonly vocabulary: ReadonlyMap<string, number>;
  readonly isFolded: boolean;
}

function readJson(text: string): Read {
  const { model, normalizer } = JSON.parse(text) as {
    model?: { type?: string; vocab?: Record<string, number> };
    normalizer?: { lowercase?: boolean } | null;
  };
  if (model?.vocab === undefined || Array.isArray(model.vocab) || model.type === "BPE") {
    throw new Error("its words are of another kind");
  }
  return { vocabulary: new Map(Object.entries(model.vocab)), isFolded: normalizer?.lowercase !== false };
}

const readLines = (text: string): Read => ({
  vocabulary: new Map(text.split(/\r?\n/).map((piece, number) => [piece, number])),
  isFolded: true,
});

const fold = (text: string): string =>
  text
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/\p{Mn}/gu, "");

/** Words, signs one by one, and ideographs one by one. */
const splitWords = (text: string): readonly string[] =>
  text.match(/[\p{P}\p{S}]|\p{Script=Han}|[^\s\p{P}\p{S}\p{Script=Han}\p{Cc}\p{Cf}]+/gu) ?? [];

/** The longest known piece first, then the longest that goes on from there. */
function splitWord(word: string, vocabulary: ReadonlyMap<string, number>): number[] | undefined {
  if (word.length > longestWord) return undefined;
  const pieces: number[] = [];
  for (let at = 0; at < word.length; ) {
    let end = word.length;
    let piece: number | undefined;
    for (; end > at && piece === undefined; end -= 1) {
      piece = vocabulary.get(`${at === 0 ? "" : "##"}${word.slice(at, end)}`);
    }
    if (piece === undefined) return undefined;
    pieces.push(piece);
    at = end + 1;
  }
  return pieces;
}
