/** A list of numbers in single precision that grows at its end. */
export class GrowingFloats {
  #items = new Float32Array(1_024);
  #length = 0;

  at(place: number): number {
    return this.#items[place] ?? 0;
  }

  push(value: number): void {
    if (this.#length === this.#items.length) {
      const larger = new Float32Array(this.#items.length * 2);
      larger.set(this.#items);
      this.#items = larger;
    }
    this.#items[this.#length] = value;
    this.#length += 1;
  }

  cutTo(length: number): void {
    this.#length = length;
  }
}
