import { readsOf } from "../parse/languages.ts";
import type { Entry } from "../tree/entry.ts";
import { type Best, bestOf, eachFile, joinBest } from "./files-of-chunks.ts";
import { findMentioned } from "./mentions.ts";
import { nameOf, partsOf } from "./path-parts.ts";
import type { PlainScores } from "./plain-text.ts";
import type { Scope } from "./scope.ts";

/**
 * A question in prose is rather about files than about chunks. What a file is worth to it, where 1 is the most that any
 * file has of the words, in its best chunks or as a whole. Chosen on issues of open-source projects and the files that fixed
 * them; docs/code-facts.md says how, and what did not help.
 */
const weights = {
  bestChunks: 1,
  wholeFile: 0.8,
  /** The words of its name and of its folders, on the scale of the whole file. */
  name: 2,
  folders: 1.2,
  /** It gathers what others define. */
  isGathering: -0.3,
  isAside: -0.5,
} as const;
/** Tests, documents and data say what was asked for in so many words, and are rarely what has to change. */
const factors = { test: 0.4, prose: 0.6, data: 0.5 } as const;
const decay: Best = [1, 0.5, 0.15];
/** Nothing that was found is worth less than nothing. */
export const least = 0.001;

export interface PlainFiles {
  readonly text: string;
  readonly scopes: readonly Scope[];
  /** For each scope the chunks that have any of its words. */
  readonly found: readonly Uint32Array[];
  readonly scores: PlainScores;
}

export function scorePlainFiles({ text, scopes, found, scores }: PlainFiles): Map<Entry, number> {
  const files: FileWords[] = [];
  for (const [number, scope] of scopes.entries()) {
    const { contents } = scope.segment;
    const here = (found[number] ?? new Uint32Array()).filter((chunk) => scores.isCounted(scope, chunk));
    const chunkScores = scores.chunks[number] ?? new Float32Array();
    eachFile(scope, here, (content, from, to) => {
      const chunks = bestOf(chunkScores, here, from, to);
      const whole = scores.files[number]?.[content] ?? 0;
      const language = contents.languages[content] ?? "";
      for (const entry of scope.entries[content] ?? []) files.push({ entry, language, chunks, whole });
    });
  }
  const mentioned = findMentioned(
    text,
    files.map(({ entry }) => entry.path),
  );
  const most = mostOf(files.some(isOfProject) ? files.filter(isOfProject) : files);
  return new Map(
    files.map((file) => {
      const { path } = file.entry;
      const words =
        (weights.bestChunks * joinBest(file.chunks, decay)) / most.chunks +
        (weights.wholeFile * file.whole) / most.whole;
      const named = scorePath(path, scores.stems) / most.whole + (mentioned.get(path) ?? 0);
      return [file.entry, Math.max(least, factorOf(file) * (words + named + kindOf(path)))];
    }),
  );
}

interface FileWords {
  readonly entry: Entry;
  readonly language: string;
  readonly chunks: Best;
  readonly whole: number;
}

/** What has most of the words sets the scale for the others; tests, data and documents have them for other reasons. */
const isOfProject = (file: FileWords): boolean => factorOf(file) === 1;

function mostOf(files: readonly FileWords[]): { readonly chunks: number; readonly whole: number } {
  let [chunks, whole] = [0, 0];
  for (const file of files) {
    chunks = Math.max(chunks, file.chunks[0]);
    whole = Math.max(whole, file.whole);
  }
  return { chunks: chunks || 1, whole: whole || 1 };
}

function factorOf({ entry, language }: FileWords): number {
  const reads = readsOf(language);
  if (reads === "prose") return factors.prose;
  return (reads === "data" ? factors.data : 1) * (partsOf(entry.path).isTest ? factors.test : 1);
}

function scorePath(path: string, stems: ReadonlyMap<string, number>): number {
  const { name, folders } = partsOf(path);
  let score = 0;
  for (const stem of name) score += weights.name * (stems.get(stem) ?? 0);
  for (const stem of folders) score += weights.folders * (stems.get(stem) ?? 0);
  return score;
}

function kindOf(path: string): number {
  const { stem } = nameOf(path);
  const { isAside } = partsOf(path);
  return (stem === "__init__" ? weights.isGathering : 0) + (isAside ? weights.isAside : 0);
}
