import { GrowingList } from "../../search/growing-list.ts";
import { eachIn, eachWithExtra } from "../segment/frozen-lists.ts";
import { mostWeight } from "../segment/segment.ts";
import { listStems } from "../segment/stems.ts";
import { countIn, type Scope } from "./scope.ts";
import { averageLengths, saturate, weighRarity } from "./weighing.ts";

/** Words of questions that say nothing about code. */
const stopWords = new Set(
  (
    "a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my no not of on " +
    "or our should so some such than that the their them then there these they this to was we were what when where which while " +
    "who why will with would you your also just like use using used get got make made want need please see get issue bug expected actual behavior version"
  ).split(" "),
);
const mostStems = 256;

/** The first line says what it is about. Chosen on issues of open-source projects and the files that fixed them. */
const titleWeight = 1.5;
/** A name out of the code says more than a word of prose. */
const nameWeight = 1.5;

/** What a text is worth to chunks and to whole files, and how much each of its stems says. */
export interface PlainScores {
  readonly chunks: readonly Float32Array[];
  readonly files: readonly Float32Array[];
  readonly stems: ReadonlyMap<string, number>;
}

/** Scores chunks by how much they have of the words of a text, rare ones above all; none of them is required. */
export function findPlainText(text: string, scopes: readonly Scope[]): PlainScores {
  const chunks = scopes.map(({ allowed }) => new Float32Array(allowed.length));
  const files = scopes.map(({ segment }) => new Float32Array(segment.contents.keys.length));
  const stems = new Map<string, number>();
  const average = averageLengths(scopes);
  const drafts = scopes.map((scope) => new StemDraft(scope));
  const allChunks = scopes.reduce((sum, { allowed }) => sum + countIn(allowed), 0);
  const allFiles = scopes.reduce((sum, { entries }) => sum + entries.filter((some) => some !== undefined).length, 0);
  for (const [stem, said] of stemsOf(text)) {
    for (const draft of drafts) draft.fill(stem);
    const havingChunks = drafts.reduce((sum, draft) => sum + draft.chunks.length, 0);
    const havingFiles = drafts.reduce((sum, draft) => sum + draft.files.length, 0);
    const rarity = weighRarity(havingChunks, allChunks) * said;
    const fileRarity = weighRarity(havingFiles, allFiles) * said;
    stems.set(stem, fileRarity);
    for (const [number, { segment }] of scopes.entries()) {
      const draft = drafts[number];
      if (!draft) continue;
      addScores(chunks[number], draft.chunks, { of: draft.inChunks, rarity }, segment.chunks.length, average.chunk);
      addScores(
        files[number],
        draft.files,
        { of: draft.inFiles, rarity: fileRarity },
        segment.contents.lengths,
        average.file,
      );
    }
  }
  return { chunks, files, stems };
}

function addScores(
  scores: Float32Array | undefined,
  places: GrowingList,
  { of, rarity }: { readonly of: Float32Array; readonly rarity: number },
  lengths: Uint32Array,
  average: number,
): void {
  if (!scores) return;
  for (let at = 0; at < places.length; at += 1) {
    const place = places.at(at);
    scores[place] = (scores[place] ?? 0) + rarity * saturate(of[place] ?? 0, lengths[place] ?? 0, average);
  }
}

/** Where one stem occurs and how much, in chunks and in files. Used again for the next: only what was touched is wiped. */
class StemDraft {
  readonly chunks = new GrowingList(1_024);
  readonly files = new GrowingList(256);
  readonly inChunks: Float32Array;
  readonly inFiles: Float32Array;
  readonly #scope: Scope;

  constructor(scope: Scope) {
    this.#scope = scope;
    this.inChunks = new Float32Array(scope.allowed.length);
    this.inFiles = new Float32Array(scope.segment.contents.keys.length);
  }

  fill(stem: string): void {
    for (const chunk of this.chunks.view()) this.inChunks[chunk] = 0;
    for (const file of this.files.view()) this.inFiles[file] = 0;
    this.chunks.cutTo(0);
    this.files.cutTo(0);
    const { segment, allowed } = this.#scope;
    for (const number of segment.stems.find(stem, { isWhole: true, isCased: true })) {
      eachIn(segment.stemLists, number, (term) => {
        eachWithExtra(segment.termLists, term, (chunk, extra) => {
          if (allowed[chunk] === 1) this.#add(chunk, extra & mostWeight);
        });
      });
    }
  }

  #add(chunk: number, weight: number): void {
    const file = this.#scope.segment.chunks.content[chunk] ?? 0;
    const [known, inFile] = [this.inChunks[chunk] ?? 0, this.inFiles[file] ?? 0];
    if (known === 0) this.chunks.push(chunk);
    if (inFile === 0) this.files.push(file);
    this.inChunks[chunk] = known + weight;
    this.inFiles[file] = inFile + weight;
  }
}

/** What a text is about, with how much it says so. */
export function stemsOf(text: string): Map<string, number> {
  const title = text.trimStart().split("\n", 1)[0] ?? "";
  const found = new Map<string, { times: number; factor: number }>();
  const take = (part: string, weight: number): void => {
    for (const word of part.match(/[\w$\u0080-\uffff]+/g) ?? []) {
      if (stopWords.has(word.toLowerCase())) continue;
      const factor = weight * (/[a-z][A-Z]|_/.test(word) ? nameWeight : 1);
      for (const stem of listStems(word)) {
        if (stem.length < 2 || stopWords.has(stem)) continue;
        const known = found.get(stem);
        if (known) Object.assign(known, { times: known.times + 1, factor: Math.max(known.factor, factor) });
        else if (found.size < mostStems) found.set(stem, { times: 1, factor });
      }
    }
  };
  const rest = text.trimStart().slice(title.length);
  take(title, rest.trim() === "" ? 1 : titleWeight);
  take(rest, 1);
  return new Map([...found].map(([stem, { times, factor }]) => [stem, Math.log2(1 + times) * factor]));
}
