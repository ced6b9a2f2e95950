import type { SearchWarning } from "../../domain/codeindex/model.ts";
import { splitPhrases } from "../query/filter-values.ts";
import type { HistoryLook } from "./histories.ts";
import { listContents, type Scope } from "./scope.ts";

/** Git takes a quarter of a second to say who wrote the lines of a file with a long history. */
const mostFiles = 100;
const filesAtOnce = 4;

/**
 * Keeps the chunks with a line by one of these people. Files that none of them ever touched are not looked at; beyond the
 * limit, and where something is not committed, the file's last author counts.
 */
export async function keepChunksBy(
  given: string,
  scopes: readonly Scope[],
  { look, signal }: { readonly look: HistoryLook; readonly signal: AbortSignal },
): Promise<SearchWarning | undefined> {
  const names = splitPhrases(given.toLowerCase());
  const isOne = (author: string): boolean => names.some((name) => author.toLowerCase().includes(name));
  const asked = scopes.flatMap((scope) =>
    listContents(scope.segment, scope.allowed).map((content) => ({ scope, content })),
  );
  const doubtful = asked.filter(({ scope, content }) => {
    const path = scope.entries[content]?.[0]?.path ?? "";
    const isPossible = look.of(path)?.authors.some(isOne) === true;
    if (!isPossible) keep(scope, content, () => false);
    return isPossible;
  });
  for (let at = 0; at < doubtful.length; at += filesAtOnce) {
    signal.throwIfAborted();
    await Promise.all(
      doubtful.slice(at, at + filesAtOnce).map(async ({ scope, content }) => {
        const entry = scope.entries[content]?.[0];
        const lines = entry && at < mostFiles ? await look.linesOf(entry) : undefined;
        const isLast = isOne((entry && look.of(entry.path)?.authors[0]) ?? "");
        keep(scope, content, (first, last) => (lines ? lines.slice(first - 1, last).some(isOne) : isLast));
      }),
    );
  }
  return doubtful.length > mostFiles ? estimated : undefined;
}

const estimated: SearchWarning = {
  code: "chunk_author_estimated",
  message: `More than ${mostFiles} files could match \`chunkAuthor\`. For the rest the last author of the file was used; narrow the search by path to be exact.`,
};

/** Lines are counted from 1, both included. */
function keep({ segment, allowed }: Scope, content: number, passes: (first: number, last: number) => boolean): void {
  const { chunks, contents } = segment;
  const end = contents.firstChunks[content + 1] ?? allowed.length;
  for (let chunk = contents.firstChunks[content] ?? 0; chunk < end; chunk += 1) {
    if (allowed[chunk] === 1 && !passes(chunks.startLine[chunk] ?? 0, chunks.endLine[chunk] ?? 0)) allowed[chunk] = 0;
  }
}
