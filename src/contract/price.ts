/** Dollars for a million tokens of one model. A name that ends in `*` stands for all that begin so. */
export interface ModelPrice {
  readonly model: string;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheCreation: number;
  /** For what a cache keeps an hour instead of minutes. */
  readonly longCacheCreation: number;
}
