/** What the engine is held against: plain TF-IDF of titles, compared by cosine, nothing else. */
export class TitleIndex {
  #vectors = new Map();
  #postings = new Map();

  constructor(docs) {
    const counts = new Map();
    const words = docs.map(({ id, title }) => ({ id, terms: new Set(title.toLowerCase().match(/[a-z0-9]+/g) ?? []) }));
    for (const { terms } of words) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    const weigh = (term) => Math.log((1 + docs.length) / (1 + counts.get(term))) + 1;
    for (const { id, terms } of words) {
      const length = Math.hypot(...[...terms].map(weigh)) || 1;
      const vector = new Map([...terms].map((term) => [term, weigh(term) / length]));
      this.#vectors.set(id, vector);
      for (const [term, weight] of vector) {
        if (!this.#postings.has(term)) this.#postings.set(term, []);
        this.#postings.get(term).push({ id, weight });
      }
    }
  }

  search(id, limit) {
    const sums = new Map();
    for (const [term, mine] of this.#vectors.get(id)) {
      for (const { id: other, weight } of this.#postings.get(term))
        sums.set(other, (sums.get(other) ?? 0) + mine * weight);
    }
    sums.delete(id);
    return [...sums]
      .sort((a, b) => b[1] - a[1])
      .slice(0, limit)
      .map(([other, score]) => ({ id: other, score }));
  }
}
