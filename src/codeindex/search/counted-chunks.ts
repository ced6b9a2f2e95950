import { chunkModes } from "../segment/builder.ts";
import type { Scope } from "./scope.ts";

const comments = chunkModes.indexOf("extracted-prose");

/** Whether a chunk counts for its file. */
export type Counted = (scope: Scope, chunk: number) => boolean;

/**
 * Comments lie inside of other chunks, so their words would count twice, for some files and not for others: they count
 * only where nothing else is searched.
 */
export function countedIn(scopes: readonly Scope[]): Counted {
  const isWhole = ({ segment, allowed }: Scope): boolean =>
    allowed.some((is, chunk) => is === 1 && segment.chunks.mode[chunk] !== comments);
  return scopes.some(isWhole) ? ({ segment }, chunk) => segment.chunks.mode[chunk] !== comments : () => true;
}

export function countCounted(scopes: readonly Scope[], isCounted: Counted): number {
  let count = 0;
  for (const scope of scopes) {
    const { allowed } = scope;
    for (let chunk = 0; chunk < allowed.length; chunk += 1)
      if (allowed[chunk] === 1 && isCounted(scope, chunk)) count += 1;
  }
  return count;
}
