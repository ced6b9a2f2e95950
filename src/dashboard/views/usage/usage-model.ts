import type { UseGroup } from "../../data/usage.ts";

/** How long a group's bar is, in hundredths of the longest: by cost, or by tokens where nothing has a price. */
export function shareOf(group: UseGroup, groups: readonly UseGroup[]): number {
  const hasPrices = groups.some((one) => one.cost_usd > 0);
  const weigh = (one: UseGroup): number => (hasPrices ? one.cost_usd : one.total);
  const longest = Math.max(...groups.map(weigh), 0);
  return longest === 0 ? 0 : (100 * weigh(group)) / longest;
}
