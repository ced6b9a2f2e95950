import { countChunks, type Segment } from "../segment/segment.ts";
import type { Entry } from "../tree/entry.ts";

/** A segment as one search sees it. Masks have a byte for each chunk: 1 where it may be a hit. */
export interface Scope {
  readonly segment: Segment;
  /** For each content the paths it has and that pass the filters. */
  readonly entries: readonly (readonly Entry[] | undefined)[];
  readonly allowed: Mask;
}

export type Mask = Uint8Array;

export const emptyMask = ({ segment }: Scope): Mask => new Uint8Array(countChunks(segment));

/** Keeps in `mask` what is in the other as well. */
export function intersect(mask: Mask, other: Mask): Mask {
  for (let chunk = 0; chunk < mask.length; chunk += 1) mask[chunk] = (mask[chunk] ?? 0) & (other[chunk] ?? 0);
  return mask;
}

export function unite(mask: Mask, other: Mask): Mask {
  for (let chunk = 0; chunk < mask.length; chunk += 1) mask[chunk] = (mask[chunk] ?? 0) | (other[chunk] ?? 0);
  return mask;
}

export function without(mask: Mask, other: Mask): Mask {
  const left = mask.slice();
  for (let chunk = 0; chunk < left.length; chunk += 1) if (other[chunk] === 1) left[chunk] = 0;
  return left;
}

/** The chunks of a mask in their order, so that whoever ranks need not go through all others again and again. */
export function listChunks(mask: Mask): Uint32Array {
  const found = new Uint32Array(countIn(mask));
  let at = 0;
  for (let chunk = 0; chunk < mask.length; chunk += 1) if (mask[chunk] === 1) found[at++] = chunk;
  return found;
}

export function countIn(mask: Mask): number {
  let count = 0;
  for (let chunk = 0; chunk < mask.length; chunk += 1) count += mask[chunk] ?? 0;
  return count;
}

/** The contents that have a chunk in the mask. */
export function listContents({ chunks }: Segment, mask: Mask): number[] {
  const found: number[] = [];
  let last = -1;
  for (let chunk = 0; chunk < mask.length; chunk += 1) {
    if (mask[chunk] !== 1) continue;
    const content = chunks.content[chunk] ?? 0;
    if (content !== last) found.push(content);
    last = content;
  }
  return found;
}
