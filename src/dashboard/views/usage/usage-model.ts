import type { UseGroup } from "../../data/usage.ts";

/** How long a group's bar is, in hundredths of the longest: by cost, or by tokens where nothing has a price. */
export function shareOf(group: UseGroup, groups: readonly UseGroup[]): number {
  const hasPrices = groups.some((one) => one.cost_usd > 0);
  const weigh = (one: UseGroup): number => (hasPrices ? one.cost_usd : one.total);
  const longest = Math.max(...groups.map(weigh), 0);
  return longest === 0 ? 0 : (100 * weigh(group)) / longest;
}

interface Day {
  readonly day: string;
  readonly amount: number;
}

const dayMs = 86_400_000;

/** Every day of the range up to today, days without use included: by cost, or by tokens where nothing has a price. */
export function daysOf(groups: readonly UseGroup[], length: number, now: number): { days: Day[]; isMoney: boolean } {
  const isMoney = groups.some((group) => group.cost_usd > 0);
  const byDay = new Map(groups.map((group) => [group.key, isMoney ? group.cost_usd : group.total]));
  const days = Array.from({ length: length + 1 }, (_, place) => {
    const day = new Date(now - (length - place) * dayMs).toISOString().slice(0, 10);
    return { day, amount: byDay.get(day) ?? 0 };
  });
  return { days, isMoney };
}
