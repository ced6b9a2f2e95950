import type { OutcomeGroup } from "../../data/usage.ts";
import { sayCount, sayMoney } from "../../parts/say-amount.ts";

/** A sum of nothing that is known is a dash: missing usage is no zero. */
export function sayOutcome(group: OutcomeGroup) {
  const { cost_usd, tokens, wasted_usd, wasted_tokens, unknown_share } = group;
  const { cost_per_reproduced_usd: costEach, tokens_per_reproduced: tokensEach } = group;
  // Tokens without any price: what they cost is not known.
  const sayCost = (dollars: number, used: number): string => (dollars === 0 && used > 0 ? "—" : sayMoney(dollars));
  return {
    cost: tokens === 0 ? "—" : sayCost(cost_usd, tokens),
    costEach: costEach === null ? "—" : sayCost(costEach, tokensEach ?? 0),
    tokensEach: tokensEach === null ? "—" : sayCount(tokensEach),
    wasted: sayCost(wasted_usd, wasted_tokens),
    unknown: sayShare(unknown_share),
  };
}

/** None and all are said only of none and all. */
function sayShare(share: number): string {
  const percent = Math.round(share * 100);
  if (percent === 0 && share > 0) return "<1%";
  return percent === 100 && share < 1 ? ">99%" : `${percent}%`;
}
