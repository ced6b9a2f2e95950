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
  const [these, those] = [inFours(mask), inFours(other)];
  for (let four = 0; four < these.length; four += 1) these[four] = (these[four] ?? 0) & (those[four] ?? 0);
  for (let chunk = these.length * 4; chunk < mask.length; chunk += 1) {
    mask[chunk] = (mask[chunk] ?? 0) & (other[chunk] ?? 0);
  }
  return mask;
}

export function unite(mask: Mask, other: Mask): Mask {
  const [these, those] = [inFours(mask), inFours(other)];
  for (let four = 0; four < these.length; four += 1) these[four] = (these[four] ?? 0) | (those[four] ?? 0);
  for (let chunk = these.length * 4; chunk < mask.length; chunk += 1) {
    mask[chunk] = (mask[chunk] ?? 0) | (other[chunk] ?? 0);
  }
  return mask;
}

/** What is in both is in the mask: so taking that away leaves the rest. */
export function without(mask: Mask, other: Mask): Mask {
  const left = mask.slice();
  const [these, those] = [inFours(left), inFours(other)];
  for (let four = 0; four < these.length; four += 1) these[four] = (these[four] ?? 0) & ~(those[four] ?? 0);
  for (let chunk = these.length * 4; chunk < left.length; chunk += 1) if (other[chunk] === 1) left[chunk] = 0;
  return left;
}

/** Four chunks at once. What is left over at the end is not in it; each mask has memory of its own. */
const inFours = (mask: Mask): Uint32Array => new Uint32Array(mask.buffer, mask.byteOffset, mask.length >>> 2);

/** The chunks of a mask in their order, so that whoever ranks need not go through all others again and again. */
export function listChunks(mask: Mask): Uint32Array {
  const found = new Uint32Array(countIn(mask));
  const fours = inFours(mask);
  let at = 0;
  for (let four = 0; four < fours.length; four += 1) {
    if (fours[four] === 0) continue;
    for (let chunk = four * 4; chunk < four * 4 + 4; chunk += 1) if (mask[chunk] === 1) found[at++] = chunk;
  }
  for (let chunk = fours.length * 4; chunk < mask.length; chunk += 1) if (mask[chunk] === 1) found[at++] = chunk;
  return found;
}

function countIn(mask: Mask): number {
  const fours = inFours(mask);
  let count = 0;
  for (let four = 0; four < fours.length; four += 1) count += Math.imul(fours[four] ?? 0, 0x01010101) >>> 24;
  for (let chunk = fours.length * 4; chunk < mask.length; chunk += 1) count += mask[chunk] ?? 0;
  return count;
}

/** The contents that have a chunk in the mask. */
export function listContents({ chunks }: Segment, mask: Mask): number[] {
  const found: number[] = [];
  let last = -1;
  for (const chunk of listChunks(mask)) {
    const content = chunks.content[chunk] ?? 0;
    if (content !== last) found.push(content);
    last = content;
  }
  return found;
}
