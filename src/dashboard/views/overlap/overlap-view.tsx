import { useMemo } from "react";
import { type Comparison, comparisonReading } from "../../data/doubts.ts";
import { useReading } from "../../data/use-reading.ts";
import type { ViewProps } from "../../page/router.ts";
import { Compare, Likeness } from "../../parts/compare.tsx";
import { Link } from "../../parts/link.tsx";
import { NearestWork } from "../../parts/nearest-work.tsx";
import { Page } from "../../parts/page.tsx";
import { sayLength } from "../../parts/say-age.ts";
import { Show } from "../../parts/states.tsx";
import { StatusMark } from "../../parts/status-mark.tsx";
import { TimeAgo, useNow } from "../../parts/time-ago.tsx";
import { goToDecision, JudgeForm } from "./judge-form.tsx";
import { canConfirm, canDismiss, markOf, type Other, sayState, sayVerdict, stateAt } from "./overlap-model.ts";
import "./overlap.css";

/** One check or warning: both pieces of work side by side, why they are alike, and what to do about it. */
export function OverlapView({ params }: ViewProps) {
  const id = params["id"] ?? "";
  const shown = useReading(useMemo(() => comparisonReading(id), [id]));
  return (
    <Page title="Overlap" note={<Link to="/overlap">All overlaps</Link>}>
      <Show shown={shown} what="both sides" isEmpty={() => false} empty={null}>
        {(comparison) => <Both key={comparison.id} comparison={comparison} />}
      </Show>
    </Page>
  );
}

function Both({ comparison }: { comparison: Comparison }) {
  const now = useNow();
  return (
    <div className="stack overlap">
      <Standing comparison={comparison} now={now} />
      {comparison.others.map((other) => (
        <OtherCard key={other.id} comparison={comparison} other={other} />
      ))}
      {(canConfirm(comparison, now) || canDismiss(comparison)) && (
        <JudgeForm comparison={comparison} mayConfirm={canConfirm(comparison, now)} />
      )}
      {comparison.check_id !== null && (
        <NearestWork id={comparison.check_id} without={comparison.others.map(({ id }) => id)} />
      )}
      <History comparison={comparison} />
    </div>
  );
}

/** Where it stands, in one line that says who has to do what. */
function Standing({ comparison, now }: { comparison: Comparison; now: number }) {
  const state = stateAt(comparison, now);
  return (
    <div className="overlap-standing card" data-state={state}>
      <p className="wrap">
        <span className="overlap-what">
          <StatusMark status={markOf(state)} label="spoken" />
          <span className="strong">{comparison.title}</span>
        </span>
        <span className="muted">{sayState(state)}</span>
        {canConfirm(comparison, now) && (
          <button type="button" className="overlap-decide" onClick={goToDecision}>
            Decide <kbd>c</kbd>
          </button>
        )}
      </p>
      <p className="muted small">{advise(comparison, now)}</p>
      {comparison.confirmation && (
        <p className="overlap-words">
          Confirmed <TimeAgo at={comparison.confirmation.confirmed_at} />: {comparison.confirmation.reason}
        </p>
      )}
      {comparison.warning_reason && (
        <p className="overlap-words">
          Warning {comparison.warning_status}: {comparison.warning_reason}
        </p>
      )}
    </div>
  );
}

function advise(comparison: Comparison, now: number): string {
  const { mine, developer, expires_at } = comparison;
  switch (stateAt(comparison, now)) {
    case "waits":
      if (expires_at === null) return "This is planned. Whoever starts it will be asked to decide.";
      return `${mine ? "You or your agent can decide" : `Only ${developer} can decide`}. The check is valid for ${sayLength(Date.parse(expires_at) - now)}.`;
    case "expired":
      return mine
        ? "The check has expired. Your decision applies to the next check of this work."
        : `The check has expired. ${developer}’s agent has to check again.`;
    case "confirmed":
      return "The agent can start with this check without being asked again.";
    case "noted":
      return "For information only. No decision needed.";
    case "settled":
      return "Decided: the work has started, was refused or joined other work, or the warning is closed.";
  }
}

function OtherCard({ comparison, other }: { comparison: Comparison; other: Other }) {
  const { work } = comparison;
  return (
    <section className="card overlap-other" aria-label={`Compared with ${other.title}`}>
      <div className="wrap">
        <Likeness score={other.score} reasons={other.reasons} suppressedBy={other.suppressed_by} />
        {other.same_developer && <span className="chip">same owner</span>}
      </div>
      <Compare
        label={`${work.title}, compared with ${other.title}`}
        left={{ heading: "New work", work }}
        right={{ heading: "Existing", work: other }}
        sharedFiles={other.shared_files}
      />
    </section>
  );
}

function History({ comparison }: { comparison: Comparison }) {
  const { verdicts, others } = comparison;
  const titleOf = (id: string): string => others.find((other) => other.id === id)?.title ?? "";
  if (verdicts.length === 0) return <p className="muted small">No earlier decisions.</p>;
  return (
    <section className="stack overlap-history">
      <h2>Earlier decisions</h2>
      <ul className="stack">
        {verdicts.map((verdict) => (
          <li key={`${verdict.check_id} ${verdict.candidate_id}`}>
            <p>
              <span className="strong">{verdict.developer}</span> judged it {sayVerdict(verdict.verdict)}
              {others.length > 1 && ` as “${titleOf(verdict.candidate_id)}”`},{" "}
              <span className="muted">
                <TimeAgo at={verdict.judged_at} />
              </span>
            </p>
            <p className="overlap-words muted">{verdict.reason}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
