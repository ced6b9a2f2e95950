import { post } from "../../data/api.ts";
import { useReading } from "../../data/use-reading.ts";
import { Command } from "../../parts/command.tsx";
import { download } from "../../parts/download.ts";
import { Link } from "../../parts/link.tsx";
import { Markdown } from "../../parts/markdown.tsx";
import { Page } from "../../parts/page.tsx";
import { Show } from "../../parts/states.tsx";
import { StatusMark } from "../../parts/status-mark.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import { attempt } from "../../parts/toast.tsx";
import { type Audit, type Pair, placeOf, relationWords, summaryReading, type WorkRef } from "./summary-model.ts";
import "./summary.css";

/** The week in words, and what was done twice. */
export function SummaryView() {
  const shown = useReading(summaryReading);
  const summary = shown.value?.summary;
  return (
    <Page
      title="Summary"
      actions={
        <>
          {summary && (
            <button
              type="button"
              onClick={() => download(`week-${summary.until.slice(0, 10)}.md`, summary.markdown, "text/markdown")}
            >
              Save
            </button>
          )}
          <button type="button" onClick={() => void attempt(() => post("/api/audit", {}), "Audit complete.")}>
            Find duplicates
          </button>
          <button
            type="button"
            className="primary"
            onClick={() => void attempt(() => post("/api/summary", {}), "Weekly summary created.")}
          >
            Generate summary
          </button>
        </>
      }
    >
      <Show
        shown={shown}
        what="the summary"
        isEmpty={(page) => page.summary === null && page.audit === undefined}
        empty={<NoSummary />}
      >
        {(page) => (
          <div className="summary-columns">
            {page.summary ? (
              <article className="card">
                <p className="muted small">
                  Created by {page.summary.developer} <TimeAgo at={page.summary.until} />
                </p>
                <Markdown text={page.summary.markdown} />
              </article>
            ) : (
              <p className="muted">No summary yet.</p>
            )}
            {page.audit && <AuditPart audit={page.audit} />}
          </div>
        )}
      </Show>
    </Page>
  );
}

function AuditPart({ audit }: { audit: Audit }) {
  return (
    <aside className="stack" aria-label="Audit of parallel work">
      <h2>Duplicates</h2>
      <p className="muted small">
        {audit.compared} pieces of work compared <TimeAgo at={audit.created_at} />
      </p>
      {audit.conflicts.length === 0 && <p>No duplicates.</p>}
      <ul className="stack">
        {audit.conflicts.map((pair) => (
          <PairItem key={`${pair.one.id} ${pair.other.id}`} pair={pair} />
        ))}
      </ul>
      {audit.omitted > 0 && <p className="muted small">and {audit.omitted} more</p>}
    </aside>
  );
}

function PairItem({ pair }: { pair: Pair }) {
  return (
    <li className="card summary-pair">
      <p className="wrap small">
        <span className="chip" data-tone={pair.relation === "completed_vs_completed" ? undefined : "attention"}>
          {relationWords(pair.relation)}
        </span>
        <span className="muted number">score {Math.round(pair.score * 100)}%</span>
      </p>
      <Side work={pair.one} />
      <Side work={pair.other} />
      {pair.reasons.length > 0 && <p className="muted small">{pair.reasons.join(" · ")}</p>}
    </li>
  );
}

function Side({ work }: { work: WorkRef }) {
  const to = placeOf(work);
  return (
    <p className="wrap">
      <StatusMark status={work.status} label="spoken" />
      {to ? <Link to={to}>{work.title}</Link> : <span>{work.title}</span>}
      <span className="muted small">{work.developer}</span>
    </p>
  );
}

function NoSummary() {
  return (
    <>
      <p className="strong">No summary yet.</p>
      <p>It covers what was finished, what is in progress, what was decided and which duplicates were caught.</p>
      <Command text="crewdeck summary" />
    </>
  );
}
