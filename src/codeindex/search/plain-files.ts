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
  name: 1.5,
  folders: 0.8,
  /** The text names the file: by its name alone, or for each part of its path, up to four. */
  mentionedName: 0.2,
  mentionedPart: 0.33,
  /** It gathers what others define. */
  isGathering: -0.3,
  isAside: -0.3,
} as const;
/** Tests say what was asked for in so many words, and are rarely what has to change. */
const testFactor = 0.6;
const decay: Best = [1, 0.5, 0.15];
const mostParts = 4;
/** Nothing that was found is worth less than nothing. */
const least = 0.001;

interface Question {
  readonly text: string;
  readonly scopes: readonly Scope[];
  /** For each scope the chunks that have any of its words. */
  readonly found: readonly Uint32Array[];
  readonly scores: PlainScores;
}

export function scorePlainFiles({ text, scopes, found, scores }: Question): Map<Entry, number> {
  const files: { readonly entry: Entry; readonly chunks: number; readonly whole: number }[] = [];
  let [mostChunks, mostWhole] = [0, 0];
  for (const [number, scope] of scopes.entries()) {
    const [here, chunkScores] = [found[number] ?? new Uint32Array(), scores.chunks[number] ?? new Float32Array()];
    eachFile(scope, here, (content, from, to) => {
      const best = bestOf(chunkScores, here, from, to);
      const whole = scores.files[number]?.[content] ?? 0;
      for (const entry of scope.entries[content] ?? []) {
        files.push({ entry, chunks: joinBest(best, decay), whole });
        if (partsOf(entry.path).isTest) continue;
        mostChunks = Math.max(mostChunks, best[0]);
        mostWhole = Math.max(mostWhole, whole);
      }
    });
  }
  const mentioned = findMentioned(
    text,
    files.map(({ entry }) => entry.path),
  );
  const most = { chunks: mostChunks || 1, whole: mostWhole || 1 };
  return new Map(
    files.map(({ entry, chunks, whole }) => {
      const { path } = entry;
      const words = (weights.bestChunks * chunks) / most.chunks + (weights.wholeFile * whole) / most.whole;
      const named = scorePath(path, scores.stems) / most.whole + worthOfMention(mentioned.get(path));
      const worth = words + named + kindOf(path);
      return [entry, Math.max(least, partsOf(path).isTest ? testFactor * worth : worth)];
    }),
  );
}

/** The best chunk stands for its file; the others come after the best of files that are worth nearly as much. */
export const worthInFile = (score: number, best: number): number => 0.5 + (0.5 * score) / (best || 1);

function scorePath(path: string, stems: ReadonlyMap<string, number>): number {
  const { name, folders } = partsOf(path);
  let score = 0;
  for (const stem of name) score += weights.name * (stems.get(stem) ?? 0);
  for (const stem of folders) score += weights.folders * (stems.get(stem) ?? 0);
  return score;
}

function worthOfMention(parts: number | undefined): number {
  if (parts === undefined) return 0;
  return parts === 1 ? weights.mentionedName : weights.mentionedPart * Math.min(parts, mostParts);
}

function kindOf(path: string): number {
  const { stem } = nameOf(path);
  const { isAside } = partsOf(path);
  return (stem === "__init__" ? weights.isGathering : 0) + (isAside ? weights.isAside : 0);
}
