import { bitsOfHalf, goesOn, HalfByteWriter } from "./half-bytes.ts";

/**
 * Many ascending lists of numbers below 2^31 in one run of bytes: the steps from one to the next in half bytes, each list
 * from a byte of its own. A list may carry an extra below 256 with each number, such as how often a word occurs there; then
 * each step is doubled, and one more says that an extra follows which is not the usual one.
 */
export interface FrozenLists {
  readonly bytes: Uint8Array;
  /** Where each list begins, and behind the last one the end. */
  readonly starts: Uint32Array;
}

/** Numbers that belong to lists, one pair each; within a list they ascend. */
interface Pairs {
  readonly lists: Uint32Array;
  readonly numbers: Uint32Array;
  /** With each number, where lists carry one. */
  readonly extras?: Uint8Array | undefined;
}

/** The extra of a word that stands in a text once. */
const usualExtra = 129;

/** Brings pairs in the order of their lists, by counting. */
export function freezeLists(count: number, { lists, numbers, extras }: Pairs): FrozenLists {
  const places = new Uint32Array(count + 1);
  for (const list of lists) places[list + 1] = (places[list + 1] ?? 0) + 1;
  for (let list = 0; list < count; list += 1) places[list + 1] = (places[list + 1] ?? 0) + (places[list] ?? 0);
  const sorted = new Uint32Array(numbers.length);
  const sortedExtras = extras && new Uint8Array(numbers.length);
  const next = places.slice(0, count);
  for (let pair = 0; pair < lists.length; pair += 1) {
    const list = lists[pair] ?? 0;
    const place = next[list] ?? 0;
    sorted[place] = numbers[pair] ?? 0;
    if (sortedExtras && extras) sortedExtras[place] = extras[pair] ?? 0;
    next[list] = place + 1;
  }
  return packLists(places, sorted, sortedExtras);
}

function packLists(places: Uint32Array, sorted: Uint32Array, extras: Uint8Array | undefined): FrozenLists {
  const count = places.length - 1;
  const starts = new Uint32Array(count + 1);
  const writer = new HalfByteWriter();
  for (let list = 0; list < count; list += 1) {
    starts[list] = writer.length;
    let before = 0;
    for (let place = places[list] ?? 0; place < (places[list + 1] ?? 0); place += 1) {
      const number = sorted[place] ?? 0;
      const step = number - before;
      before = number;
      if (!extras) writer.push(step);
      else {
        const extra = extras[place] ?? 0;
        writer.push(step * 2 + (extra === usualExtra ? 0 : 1));
        if (extra !== usualExtra) writer.push(extra ^ usualExtra);
      }
    }
    writer.fillByte();
  }
  starts[count] = writer.length;
  return { bytes: writer.toBytes(), starts };
}

/** Calls `visit` for every number of a list. */
export function eachIn({ bytes, starts }: FrozenLists, list: number, visit: (number: number) => void): void {
  const end = (starts[list + 1] ?? 0) * 2;
  let number = 0;
  let step = 0;
  let shift = 0;
  for (let at = (starts[list] ?? 0) * 2; at < end; at += 1) {
    const half = ((bytes[at >>> 1] ?? 0) >>> ((at & 1) << 2)) & 15;
    step |= (half & 7) << shift;
    shift += bitsOfHalf;
    if (half >= goesOn) continue;
    number += step;
    visit(number);
    step = 0;
    shift = 0;
  }
}

/** The same for lists that carry an extra with each number. */
export function eachWithExtra(
  { bytes, starts }: FrozenLists,
  list: number,
  visit: (number: number, extra: number) => void,
): void {
  const end = (starts[list + 1] ?? 0) * 2;
  let number = 0;
  let read = 0;
  let shift = 0;
  let isExtra = false;
  for (let at = (starts[list] ?? 0) * 2; at < end; at += 1) {
    const half = ((bytes[at >>> 1] ?? 0) >>> ((at & 1) << 2)) & 15;
    read |= (half & 7) << shift;
    shift += bitsOfHalf;
    if (half >= goesOn) continue;
    if (isExtra) visit(number, read ^ usualExtra);
    else number += read >>> 1;
    const isNext: boolean = !isExtra && (read & 1) === 1;
    if (!isExtra && !isNext) visit(number, usualExtra);
    isExtra = isNext;
    read = 0;
    shift = 0;
  }
}
