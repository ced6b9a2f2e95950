/**
 * Many ascending lists of numbers in one run of bytes: the steps from one to the next, seven bits to a byte. A list may
 * carry one more byte with each number, such as how often a word occurs there.
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
  let bytes = new Uint8Array(Math.max(64, sorted.length * 2));
  let at = 0;
  for (let list = 0; list < count; list += 1) {
    starts[list] = at;
    let before = 0;
    for (let place = places[list] ?? 0; place < (places[list + 1] ?? 0); place += 1) {
      if (at + 6 > bytes.length) bytes = enlarge(bytes);
      const number = sorted[place] ?? 0;
      let step = number - before;
      before = number;
      while (step >= 128) {
        bytes[at++] = (step & 127) | 128;
        step >>>= 7;
      }
      bytes[at++] = step;
      if (extras) bytes[at++] = extras[place] ?? 0;
    }
  }
  starts[count] = at;
  return { bytes: bytes.slice(0, at), starts };
}

function enlarge(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.ceil(bytes.length * 1.5));
  larger.set(bytes);
  return larger;
}

/** Calls `visit` for every number of a list. */
export function eachIn({ bytes, starts }: FrozenLists, list: number, visit: (number: number) => void): void {
  const end = starts[list + 1] ?? 0;
  let number = 0;
  for (let at = starts[list] ?? 0; at < end; ) {
    let byte = bytes[at++] ?? 0;
    let step = byte & 127;
    for (let shift = 7; byte >= 128; shift += 7) {
      byte = bytes[at++] ?? 0;
      step |= (byte & 127) << shift;
    }
    number += step;
    visit(number);
  }
}

/** The same for lists that carry one more byte with each number. */
export function eachWithExtra(
  { bytes, starts }: FrozenLists,
  list: number,
  visit: (number: number, extra: number) => void,
): void {
  const end = starts[list + 1] ?? 0;
  let number = 0;
  for (let at = starts[list] ?? 0; at < end; ) {
    let byte = bytes[at++] ?? 0;
    let step = byte & 127;
    for (let shift = 7; byte >= 128; shift += 7) {
      byte = bytes[at++] ?? 0;
      step |= (byte & 127) << shift;
    }
    number += step;
    visit(number, bytes[at++] ?? 0);
  }
}
