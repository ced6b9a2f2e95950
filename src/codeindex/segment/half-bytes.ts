/** Set in a half byte behind which the number goes on. */
export const goesOn = 8;
export const bitsOfHalf = 3;

/**
 * Whole numbers below 2^32, or below 2^30 where their differences are written, behind one another, three bits in each half byte: what an index keeps are mostly small
 * steps from one number to the next.
 */
export class HalfByteWriter {
  #bytes = new Uint8Array(1_024);
  /** In half bytes. */
  #length = 0;

  /** In bytes, the one that is begun included. */
  get length(): number {
    return (this.#length + 1) >>> 1;
  }

  push(number: number): void {
    if (this.length + 6 > this.#bytes.length) {
      const larger = new Uint8Array(Math.ceil(this.#bytes.length * 1.5));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    let rest = number >>> 0;
    for (; rest >= goesOn; rest >>>= bitsOfHalf) this.#put((rest & 7) | goesOn);
    this.#put(rest);
  }

  /** Lets the next number begin with a byte. What fills the last one is a number without an end, which is none. */
  fillByte(): void {
    if ((this.#length & 1) === 1) this.#put(goesOn);
  }

  toBytes(): Uint8Array {
    return this.#bytes.slice(0, this.length);
  }

  #put(half: number): void {
    const place = this.#length >>> 1;
    this.#bytes[place] = (this.#length & 1) === 0 ? half : (this.#bytes[place] ?? 0) | (half << 4);
    this.#length += 1;
  }
}

/** So many numbers from the start of `bytes`; fails where there are fewer. */
export function readHalfBytes(bytes: Uint8Array, count: number): Uint32Array {
  const numbers = new Uint32Array(count);
  const end = bytes.length * 2;
  let place = 0;
  let number = 0;
  let shift = 0;
  for (let at = 0; at < end && place < count; at += 1) {
    const half = ((bytes[at >>> 1] ?? 0) >>> ((at & 1) << 2)) & 15;
    number |= (half & 7) << shift;
    shift += bitsOfHalf;
    if (half >= goesOn) continue;
    numbers[place] = number;
    place += 1;
    number = 0;
    shift = 0;
  }
  if (place < count) throw new Error("the numbers end too soon");
  return numbers;
}

export function writeHalfBytes(numbers: ArrayLike<number>): Uint8Array {
  const writer = new HalfByteWriter();
  for (let place = 0; place < numbers.length; place += 1) writer.push(numbers[place] ?? 0);
  return writer.toBytes();
}

/** The same for numbers of which each is near to the one before it: what is written is the step, whichever way it goes. */
export function writeSteps(numbers: ArrayLike<number>): Uint8Array {
  const writer = new HalfByteWriter();
  let before = 0;
  for (let place = 0; place < numbers.length; place += 1) {
    const number = numbers[place] ?? 0;
    writer.push(unsigned(number - before));
    before = number;
  }
  return writer.toBytes();
}

export function readSteps(bytes: Uint8Array, count: number): Uint32Array {
  const numbers = readHalfBytes(bytes, count);
  let number = 0;
  for (let place = 0; place < count; place += 1) {
    number += signed(numbers[place] ?? 0);
    numbers[place] = number;
  }
  return numbers;
}

/** A difference as a number from 0: small where it is, whichever way it goes. */
export const unsigned = (difference: number): number => ((difference << 1) ^ (difference >> 31)) >>> 0;
export const signed = (number: number): number => (number >>> 1) ^ -(number & 1);
