import { useMemo } from "react";
import {
  type Grouping,
  groupings,
  provenances,
  type Range,
  ranges,
  readCsv,
  reportReading,
  type UseGroup,
  type UseQuestion,
  type UseReport,
} from "../../data/usage.ts";
import { useReading } from "../../data/use-reading.ts";
import { changeQuery, usePlace } from "../../page/router.ts";
import { Command } from "../../parts/command.tsx";
import { download } from "../../parts/download.ts";
import { Link } from "../../parts/link.tsx";
import { NoMatch } from "../../parts/no-match.tsx";
import { Page } from "../../parts/page.tsx";
import { sayCount, sayMoney } from "../../parts/say-amount.ts";
import { Select } from "../../parts/select.tsx";
import { Show } from "../../parts/states.tsx";
import { attempt } from "../../parts/toast.tsx";
import { CostChart } from "./cost-chart.tsx";
import { OutcomeTotals } from "./outcome-totals.tsx";
import { shareOf } from "./usage-model.ts";
import "./usage.css";

/** What the models were paid, for what, and how far the figures can be trusted. */
export function UsageView() {
  const question = useQuestion();
  const { by, range, provenance } = question;
  const reading = useMemo(() => reportReading({ by, range, provenance }), [by, range, provenance]);
  const shown = useReading(reading);
  const exportCsv = () =>
    void attempt(async () => download(`usage-by-${by}-${range}.csv`, await readCsv(question), "text/csv"));
  return (
    <Page
      title="Usage and cost"
      actions={
        <button type="button" onClick={exportCsv}>
          Export CSV
        </button>
      }
    >
      <div className="filters">
        <Select
          label="Group by"
          all="by model"
          value={by === "model" ? "" : by}
          choices={groupings.slice(1).map((name) => ({ value: name, label: `by ${name}` }))}
          onChange={(to) => changeQuery({ by: to })}
        />
        <Select
          label="Time"
          all="last 30 days"
          value={range === "month" ? "" : range}
          choices={[
            { value: "day", label: "last day" },
            { value: "week", label: "last week" },
            { value: "quarter", label: "last quarter" },
          ]}
          onChange={(to) => changeQuery({ range: to })}
        />
        <Select
          label="Trust"
          all="all figures"
          value={provenance ?? ""}
          choices={provenances.map((name) => ({ value: name, label: `${name} only` }))}
          onChange={(to) => changeQuery({ trust: to })}
        />
      </div>
      <Show
        shown={shown}
        what="usage"
        isEmpty={(report) => report.groups.length === 0}
        empty={provenance === undefined ? <NoUsage /> : <NoneOfThisTrust by={by} range={range} />}
      >
        {(report) => <Report report={report} question={question} />}
      </Show>
    </Page>
  );
}

function useQuestion(): UseQuestion {
  const { query } = usePlace();
  const by = groupings.find((name) => name === query.get("by")) ?? "model";
  const range = (Object.keys(ranges) as Range[]).find((name) => name === query.get("range")) ?? "month";
  const provenance = provenances.find((name) => name === query.get("trust"));
  return { by, range, provenance };
}

function Report({ report, question }: { report: UseReport; question: UseQuestion }) {
  const { total } = report;
  const { by, range, provenance } = question;
  return (
    <div className="stack">
      <dl className="usage-totals">
        <Total name="Cost" value={sayMoney(total.cost_usd)} />
        <Total name="Tokens" value={sayCount(total.total)} />
        <Total name="Cached tokens" value={sayCount(total.cache_read)} />
        <Total name="Reports" value={sayCount(total.spans)} />
        <Total name="No price" value={sayCount(total.unpriced)} isDoubtful={total.unpriced > 0} />
        <Total name="Cost mismatch" value={sayCount(total.mismatches)} isDoubtful={total.mismatches > 0} />
      </dl>
      <OutcomeTotals range={range} />
      <CostChart range={range} provenance={provenance} />
      <div className="usage-scroll">
        <table className="table">
          <thead>
            <tr>
              <th scope="col" className="usage-by">
                {by}
              </th>
              <th scope="col" className="number">
                Cost
              </th>
              <th scope="col" className="usage-bar-head">
                Share
              </th>
              <th scope="col" className="number">
                In
              </th>
              <th scope="col" className="number">
                Out
              </th>
              <th scope="col" className="number">
                Cached
              </th>
              <th scope="col">Trust</th>
            </tr>
          </thead>
          <tbody>
            {report.groups.map((group) => (
              <GroupRow key={group.key ?? "unknown"} group={group} groups={report.groups} by={by} />
            ))}
          </tbody>
        </table>
      </div>
      {(report.truncated || report.excludes_private) && (
        <p className="muted small">
          {report.truncated && "Only the most expensive are listed. Totals include everything. "}
          {report.excludes_private && "Private people are not included."}
        </p>
      )}
    </div>
  );
}

function Total({ name, value, isDoubtful = false }: { name: string; value: string; isDoubtful?: boolean }) {
  return (
    <div className="card" data-doubtful={isDoubtful}>
      <dt className="muted small">{name}</dt>
      <dd className="number">{value}</dd>
    </div>
  );
}

function GroupRow({ group, groups, by }: { group: UseGroup; groups: readonly UseGroup[]; by: Grouping }) {
  const name = group.label ?? group.key ?? "unknown";
  return (
    <tr>
      <th scope="row" className="usage-name">
        {by === "task" && group.key ? <Link to={`/tasks/${group.key}`}>{name}</Link> : name}
      </th>
      <td className="number">{group.unpriced === group.spans ? "—" : sayMoney(group.cost_usd)}</td>
      <td className="usage-bar-cell">
        <svg className="usage-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
          <rect width={shareOf(group, groups)} height="8" rx="1" />
        </svg>
      </td>
      <td className="number">{sayCount(group.input)}</td>
      <td className="number">{sayCount(group.output)}</td>
      <td className="number">{sayCount(group.cache_read)}</td>
      <td>
        {group.mismatches > 0 ? (
          <span className="chip" data-tone="attention">
            {group.mismatches} {group.mismatches === 1 ? "mismatch" : "mismatches"}
          </span>
        ) : group.unpriced > 0 ? (
          <span className="chip">{group.unpriced} without price</span>
        ) : (
          <span className="muted small">measured</span>
        )}
      </td>
    </tr>
  );
}

/** Nothing of the chosen provenance: whether there is any other is said, too. */
function NoneOfThisTrust({ by, range }: Pick<UseQuestion, "by" | "range">) {
  const { value } = useReading(useMemo(() => reportReading({ by, range, provenance: undefined }), [by, range]));
  if (!value || value.groups.length === 0) return <NoUsage />;
  return <NoMatch what="figures" onClear={() => changeQuery({ trust: undefined })} />;
}

function NoUsage() {
  return (
    <>
      <p className="strong">No usage in this period.</p>
      <p>
        Clients report usage with <code>covibe_ingest_agent_telemetry</code>: counters only, never content.
      </p>
      <Command text="crewdeck call covibe_ingest_agent_telemetry --source claude --payload @usage.json" />
    </>
  );
}
