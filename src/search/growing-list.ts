/** There are many short lists, and making room costs more than having it; of the few long ones it is the reverse. */
const small = 4_096;

/** A list of whole numbers from 0 to 2^32 - 1 that grows at its end and costs four bytes each. */
export class GrowingList {
  #items: Uint32Array;
  #length = 0;

  constructor(room = 4) {
    this.#items = new Uint32Array(room);
  }

  get length(): number {
    return this.#length;
  }

  at(place: number): number {
    return this.#items[place] ?? 0;
  }

  set(place: number, value: number): void {
    this.#items[place] = value;
  }

  push(value: number): void {
    if (this.#length === this.#items.length) this.#grow(this.#length + 1);
    this.#items[this.#length] = value;
    this.#length += 1;
  }

  append(values: Uint32Array): void {
    if (this.#length + values.length > this.#items.length) this.#grow(this.#length + values.length);
    this.#items.set(values, this.#length);
    this.#length += values.length;
  }

  cutTo(length: number): void {
    this.#length = length;
  }

  /** The items themselves, not a copy. */
  view(from = 0, to = this.#length): Uint32Array {
    return this.#items.subarray(from, to);
  }

  #grow(least: number): void {
    const factor = this.#items.length < small ? 2 : 1.5;
    const larger = new Uint32Array(Math.max(least, Math.ceil(this.#items.length * factor)));
    larger.set(this.#items.subarray(0, this.#length));
    this.#items = larger;
  }
}
