/** What the engine is held against: plain TF-IDF of the title, counted twice, and the description, compared by cosine. */
export class TextIndex {
  #vectors = new Map();
  #postings = new Map();

  constructor(docs) {
    const counts = new Map();
    const texts = docs.map((doc) => ({ id: doc.id, times: countWords(doc) }));
    for (const { times } of texts) for (const term of times.keys()) counts.set(term, (counts.get(term) ?? 0) + 1);
    const weigh = (term) => Math.log((1 + docs.length) / (1 + counts.get(term))) + 1;
    for (const { id, times } of texts) {
      const weights = [...times].map(([term, count]) => [term, (1 + Math.log(count)) * weigh(term)]);
      const length = Math.hypot(...weights.map(([, weight]) => weight)) || 1;
      const vector = new Map(weights.map(([term, weight]) => [term, weight / length]));
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

function countWords({ title, description }) {
  const times = new Map();
  for (const text of [title, title, description ?? ""]) {
    for (const word of text.toLowerCase().match(/[a-z0-9]+/g) ?? []) times.set(word, (times.get(word) ?? 0) + 1);
  }
  return times;
}
