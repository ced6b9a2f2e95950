import { useMemo } from "react";
import { ranges, reportReading, type UseQuestion } from "../../data/usage.ts";
import { useReading } from "../../data/use-reading.ts";
import { sayCount, sayMoney } from "../../parts/say-amount.ts";
import { daysOf } from "./usage-model.ts";

const height = 96;
const step = 10;

/** What each day cost; the same figures are in the table by day. */
export function CostChart({ range, provenance }: Pick<UseQuestion, "range" | "provenance">) {
  const { value } = useReading(useMemo(() => reportReading({ by: "day", range, provenance }), [range, provenance]));
  const { days, isMoney } = useMemo(() => daysOf(value?.groups ?? [], ranges[range], Date.now()), [value, range]);
  const highest = Math.max(...days.map(({ amount }) => amount));
  if (range === "day" || !(highest > 0)) return null;
  const say = isMoney ? sayMoney : sayCount;
  const [first, last] = [days[0]?.day, days.at(-1)?.day];
  return (
    <figure className="card usage-chart">
      <figcaption className="wrap small">
        <span className="strong">{isMoney ? "Cost per day" : "Tokens per day"}</span>
        <span className="muted number">highest {say(highest)}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${days.length * step} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${isMoney ? "Cost" : "Tokens"} per day from ${first} to ${last}, highest ${say(highest)}`}
      >
        {days.map(({ day, amount }, place) => (
          <rect
            key={day}
            x={place * step + 1}
            y={height - barOf(amount, highest)}
            width={step - 2}
            height={barOf(amount, highest)}
          >
            <title>{`${day}: ${say(amount)}`}</title>
          </rect>
        ))}
      </svg>
      <p className="usage-chart-ends muted small number" aria-hidden="true">
        <span>{first}</span>
        <span>{last}</span>
      </p>
    </figure>
  );
}

/** Whatever cost something can be seen. */
const barOf = (amount: number, highest: number): number =>
  amount === 0 ? 0 : Math.max(2, (height * amount) / highest);
