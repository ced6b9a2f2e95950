import { useMemo } from "react";
import {
  type OutcomeGroup,
  type OutcomeGrouping,
  type OutcomeReport,
  outcomeGroupings,
  outcomeReading,
  type Range,
} from "../../data/usage.ts";
import { useReading } from "../../data/use-reading.ts";
import { changeQuery, usePlace } from "../../page/router.ts";
import { Link } from "../../parts/link.tsx";
import { sayCount } from "../../parts/say-amount.ts";
import { Select } from "../../parts/select.tsx";
import { Show } from "../../parts/states.tsx";
import { sayOutcome } from "./outcome-model.ts";

/** What proven results cost, beside what was spent for nothing. What nobody knows is said, and is no zero. */
export function OutcomeTotals({ range }: { range: Range }) {
  const { query } = usePlace();
  const by = outcomeGroupings.find((name) => name === query.get("outcomes")) ?? "task";
  const shown = useReading(useMemo(() => outcomeReading(range, by), [range, by]));
  return (
    <section className="stack" aria-label="Cost per reproduced result">
      <div className="wrap">
        <h2 className="usage-heading">Cost per reproduced result</h2>
        <Select
          label="Group results by"
          all="by task"
          value={by === "task" ? "" : by}
          choices={outcomeGroupings.slice(1).map((name) => ({ value: name, label: `by ${name}` }))}
          onChange={(to) => changeQuery({ outcomes: to })}
        />
      </div>
      <Show shown={shown} what="results" isEmpty={({ total }) => total === null} empty={<NoOutcomes />}>
        {(report) => <Outcomes report={report} by={by} />}
      </Show>
    </section>
  );
}

const NoOutcomes = () => <p className="muted">Nothing was used or reproduced in this period.</p>;

function Outcomes({ report, by }: { report: OutcomeReport; by: OutcomeGrouping }) {
  const { total, groups } = report;
  if (total === null) return null;
  const said = sayOutcome(total);
  return (
    <>
      <dl className="usage-totals">
        <Figure name="Reproduced results" value={sayCount(total.reproduced)} />
        <Figure name="Cost per result" value={said.costEach} />
        <Figure name="Tokens per result" value={said.tokensEach} />
        <Figure name="Spent on work that came to nothing" value={said.wasted} />
        <Figure name="Unknown" value={said.unknown} />
      </dl>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className="usage-scroll" aria-label={`Results by ${by}`} tabIndex={0}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col" className="usage-by">
                {by}
              </th>
              <Head name="Cost" />
              <Head name="Tokens" />
              <Head name="Reproduced" />
              <Head name="Cost per result" />
              <Head name="Tokens per result" />
              <Head name="Came to nothing" />
              <Head name="Unknown" />
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => (
              <OutcomeRow key={group.key ?? ""} group={group} by={by} />
            ))}
          </tbody>
        </table>
      </section>
      <p className="muted small">
        Unknown is the share of usage reports without a price or a task, and of results without usage.
        {report.truncated && " Only the most expensive are listed, or not all usage is counted."}
      </p>
    </>
  );
}

const Figure = ({ name, value }: { name: string; value: string }) => (
  <div className="card">
    <dt className="muted small">{name}</dt>
    <dd className="number">{value}</dd>
  </div>
);

const Head = ({ name }: { name: string }) => (
  <th scope="col" className="number">
    {name}
  </th>
);

function OutcomeRow({ group, by }: { group: OutcomeGroup; by: OutcomeGrouping }) {
  const name = group.label ?? group.key ?? `no ${by}`;
  const { cost, costEach, tokensEach, wasted, unknown } = sayOutcome(group);
  return (
    <tr>
      <th scope="row" className="usage-name">
        {by === "task" && group.key ? <Link to={`/tasks/${group.key}`}>{name}</Link> : name}
      </th>
      <td className="number">{cost}</td>
      <td className="number">{group.tokens === 0 ? "—" : sayCount(group.tokens)}</td>
      <td className="number">{sayCount(group.reproduced)}</td>
      <td className="number">{costEach}</td>
      <td className="number">{tokensEach}</td>
      <td className="number">{wasted}</td>
      <td className="number">{unknown}</td>
    </tr>
  );
}
