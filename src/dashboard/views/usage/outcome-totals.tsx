import { useMemo } from "react";
import { outcomeReading, type Range } from "../../data/usage.ts";
import { useReading } from "../../data/use-reading.ts";
import { sayCount, sayMoney } from "../../parts/say-amount.ts";

/** What proven results cost, beside what was spent for nothing. What nobody knows is said, and is no zero. */
export function OutcomeTotals({ range }: { range: Range }) {
  const { value } = useReading(useMemo(() => outcomeReading(range), [range]));
  const total = value?.total;
  if (!total) return null;
  const { cost_per_reproduced_usd: cost, tokens_per_reproduced: tokens } = total;
  const each = cost === null ? "—" : `${sayMoney(cost)} · ${sayCount(tokens ?? 0)} tokens`;
  return (
    <section aria-label="Cost per reproduced result">
      <dl className="usage-totals">
        <Figure name="Reproduced results" value={sayCount(total.reproduced)} />
        <Figure name="Cost per reproduced result" value={each} />
        <Figure name="Spent on cancelled or failed tasks" value={sayMoney(total.wasted_usd)} />
        <Figure name="Unknown" value={`${Math.round(total.unknown_share * 100)}%`} />
      </dl>
    </section>
  );
}

const Figure = ({ name, value }: { name: string; value: string }) => (
  <div className="card">
    <dt className="muted small">{name}</dt>
    <dd className="number">{value}</dd>
  </div>
);
