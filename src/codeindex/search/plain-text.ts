import { GrowingList } from "../../search/growing-list.ts";
import type { PlainText } from "../query/grammar.ts";
import { eachWithExtra } from "../segment/frozen-lists.ts";
import { mostWeight } from "../segment/segment.ts";
import { eachTermOf } from "../segment/terms-of-stem.ts";
import { type Counted, countCounted, countedIn } from "./counted-chunks.ts";
import { stemsOf } from "./question.ts";
import type { Scope } from "./scope.ts";
import { averageLengths, curves, saturate, weighRarity } from "./weighing.ts";

/** Rare words say even more than their rarity. */
const rarityPower = 1.15;

/** What a text is worth to chunks and to whole files, and how much each of its stems says. */
export interface PlainScores {
  readonly chunks: readonly Float32Array[];
  readonly files: readonly Float32Array[];
  readonly stems: ReadonlyMap<string, number>;
  readonly isCounted: Counted;
}

/** Scores chunks by how much they have of the words of a text, rare ones above all; none of them is required. */
export function findPlainText(question: PlainText, scopes: readonly Scope[]): PlainScores {
  const chunks = scopes.map(({ allowed }) => new Float32Array(allowed.length));
  const files = scopes.map(({ segment }) => new Float32Array(segment.contents.keys.length));
  const stems = new Map<string, number>();
  const average = averageLengths(scopes);
  const isCounted = countedIn(scopes);
  const drafts = scopes.map((scope) => new StemDraft(scope, isCounted));
  const allChunks = countCounted(scopes, isCounted);
  const allFiles = scopes.reduce((sum, { entries }) => sum + entries.filter((some) => some !== undefined).length, 0);
  for (const [stem, said] of stemsOf(question)) {
    for (const draft of drafts) draft.fill(stem);
    const havingChunks = drafts.reduce((sum, draft) => sum + draft.counted, 0);
    const havingFiles = drafts.reduce((sum, draft) => sum + draft.files.length, 0);
    const rarity = weighRarity(havingChunks, allChunks) ** rarityPower * said;
    const fileRarity = weighRarity(havingFiles, allFiles) ** rarityPower * said;
    stems.set(stem, fileRarity);
    for (const [number, { segment }] of scopes.entries()) {
      const draft = drafts[number];
      if (!draft) continue;
      addScores(chunks[number], {
        places: draft.chunks,
        weightOf: (chunk) =>
          saturate(
            draft.inChunks[chunk] ?? 0,
            segment.chunks.length[chunk] ?? 0,
            average.chunk,
            curves.questionInChunk,
          ),
        rarity,
      });
      addScores(files[number], {
        places: draft.files,
        weightOf: (file) =>
          saturate(draft.inFiles[file] ?? 0, segment.contents.lengths[file] ?? 0, average.file, curves.questionInFile),
        rarity: fileRarity,
      });
    }
  }
  return { chunks, files, stems, isCounted };
}

interface StemScores {
  readonly places: GrowingList;
  readonly rarity: number;
  weightOf(place: number): number;
}

function addScores(scores: Float32Array | undefined, { places, rarity, weightOf }: StemScores): void {
  if (!scores) return;
  for (let at = 0; at < places.length; at += 1) {
    const place = places.at(at);
    scores[place] = (scores[place] ?? 0) + rarity * weightOf(place);
  }
}

/** Where one stem occurs and how much, in chunks and in files. Used again for the next: only what was touched is wiped. */
class StemDraft {
  readonly chunks = new GrowingList(1_024);
  readonly files = new GrowingList(256);
  readonly inChunks: Float32Array;
  readonly inFiles: Float32Array;
  /** How many of the chunks count for their files. */
  counted = 0;
  readonly #scope: Scope;
  readonly #isCounted: Counted;

  constructor(scope: Scope, isCounted: Counted) {
    this.#scope = scope;
    this.#isCounted = isCounted;
    this.inChunks = new Float32Array(scope.allowed.length);
    this.inFiles = new Float32Array(scope.segment.contents.keys.length);
  }

  fill(stem: string): void {
    for (const chunk of this.chunks.view()) this.inChunks[chunk] = 0;
    for (const file of this.files.view()) this.inFiles[file] = 0;
    this.chunks.cutTo(0);
    this.files.cutTo(0);
    this.counted = 0;
    const { segment, allowed } = this.#scope;
    eachTermOf(segment, stem, (term) => {
      eachWithExtra(segment.termLists, term, (chunk, extra) => {
        if (allowed[chunk] === 1) this.#add(chunk, extra & mostWeight);
      });
    });
  }

  #add(chunk: number, weight: number): void {
    const isCounted = this.#isCounted(this.#scope, chunk);
    const known = this.inChunks[chunk] ?? 0;
    if (known === 0) {
      this.chunks.push(chunk);
      if (isCounted) this.counted += 1;
    }
    this.inChunks[chunk] = known + weight;
    if (!isCounted) return;
    const file = this.#scope.segment.chunks.content[chunk] ?? 0;
    const inFile = this.inFiles[file] ?? 0;
    if (inFile === 0) this.files.push(file);
    this.inFiles[file] = inFile + weight;
  }
}
