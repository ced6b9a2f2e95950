import { chunkModes } from "../segment/builder.ts";
import type { Entry } from "../tree/entry.ts";
import { eachFile } from "./files-of-chunks.ts";
import { least, type PlainFiles, scorePlainFiles } from "./plain-files.ts";
import type { TopList } from "./top-list.ts";

/** So many files come before the second chunk of any of them: whoever asks reads a page, and wants to know which files. */
const filesFirst = 20;

/**
 * Fills the lists, one for each mode, with the chunks that a question in prose found, and says how many these are. The best
 * chunk of a file stands for it.
 */
export function rankQuestion(
  lists: readonly TopList[],
  question: PlainFiles,
  /** What definitions count, once the files have their scores. */
  addDefinitions: (number: number, found: Uint32Array, score: Float32Array) => void,
): number {
  const { scopes, found, scores } = question;
  const files = scorePlainFiles(question);
  const page = pageOf(files);
  let total = 0;
  for (const [number, scope] of scopes.entries()) {
    const here = found[number] ?? new Uint32Array();
    const score = scores.chunks[number] ?? new Float32Array();
    const { mode } = scope.segment.chunks;
    addDefinitions(number, here, score);
    eachFile(scope, here, (content, from, to) => {
      const best = bestInModes(mode, score, here.subarray(from, to));
      for (const entry of scope.entries[content] ?? []) {
        total += to - from;
        const file = files.get(entry) ?? least;
        for (let at = from; at < to; at += 1) {
          const chunk = here[at] ?? 0;
          const first = best[mode[chunk] ?? 0] ?? chunk;
          const isFirst = first === chunk;
          const worth = isFirst
            ? file
            : Math.min(file, page) * (0.5 + (0.5 * (score[chunk] ?? 0)) / (score[first] || 1));
          const list = lists[mode[chunk] ?? 0];
          if (list?.mayTake(worth)) list.add({ scope, chunk, entry, score: worth });
        }
      }
    });
  }
  return total;
}

/** The best of some chunks of one file, for each mode. */
function bestInModes(mode: Uint8Array, score: Float32Array, chunks: Uint32Array): (number | undefined)[] {
  const best = chunkModes.map((): number | undefined => undefined);
  for (const chunk of chunks) {
    const known = best[mode[chunk] ?? 0];
    if (known === undefined || (score[chunk] ?? 0) > (score[known] ?? 0)) best[mode[chunk] ?? 0] = chunk;
  }
  return best;
}

/** What the last file is worth that comes before second chunks. */
function pageOf(files: ReadonlyMap<Entry, number>): number {
  const worths = Float64Array.from(files.values()).sort();
  return worths[Math.max(0, worths.length - filesFirst)] ?? 0;
}
