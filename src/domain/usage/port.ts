import type { ModelPrice } from "../../contract/price.ts";

export interface UsagePorts {
  /** Prices of models that this installation was told of; they go before the published ones. */
  listPrices(): readonly ModelPrice[];
}
