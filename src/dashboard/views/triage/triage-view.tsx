import { useEffect, useMemo, useState } from "react";
import { findingStates, severities } from "../../../contract/words.ts";
import { useReading } from "../../data/use-reading.ts";
import { useKeys } from "../../page/keys.ts";
import { changeQuery, usePlace } from "../../page/router.ts";
import { Command } from "../../parts/command.tsx";
import { listKeys } from "../../parts/list-keys.ts";
import { NoMatch } from "../../parts/no-match.tsx";
import { Page } from "../../parts/page.tsx";
import { Show } from "../../parts/states.tsx";
import { flushPending, usePending } from "../../parts/undo.ts";
import { VirtualList } from "../../parts/virtual-list.tsx";
import { FindingPanel } from "./finding-panel.tsx";
import { PlanFixDialog } from "./plan-fix-dialog.tsx";
import {
  choices,
  countOf,
  decide,
  type Finding,
  findingsReading,
  isSeverity,
  isState,
  rememberList,
  sayPackage,
  sayState,
  severityTone,
  severityWords,
  stateWords,
  wantMore,
} from "./triage-model.ts";
import "./triage.css";

/** Security findings, worst first, with the evidence beside them and one key for each decision. */
export function TriageView() {
  const { query } = usePlace();
  const given = query.get("state");
  const state = given === "all" || isState(given) ? given : "open";
  const wanted = query.get("severity");
  const severity = isSeverity(wanted) ? wanted : undefined;
  const reading = useMemo(() => findingsReading({ state, severity }), [state, severity]);
  const shown = useReading(reading);
  const pending = usePending();
  useEffect(() => flushPending, []);
  useEffect(() => rememberList(reading.key), [reading]);
  const findings = (shown.value?.findings ?? []).filter(({ id }) => !pending.has(id));
  const [place, setPlace] = useState(0);
  const opened = query.get("finding");
  const current = findings.find(({ id }) => id === opened) ?? findings[Math.min(place, findings.length - 1)];
  const at = current ? findings.indexOf(current) : 0;
  const [why, setWhy] = useState("");
  const [planned, setPlanned] = useState<Finding>();

  function open(next: number): void {
    setPlace(next);
    setWhy("");
    changeQuery({ finding: findings[next]?.id });
  }

  function act(choice: (typeof choices)[number]): void {
    if (!current) return;
    decide(current, choice.decision, why);
    setWhy("");
    changeQuery({ finding: findings[at + 1]?.id ?? findings[at - 1]?.id });
  }

  const isFiltered = severity !== undefined || (state !== "open" && state !== "all");
  const hidesAll = isFiltered && shown.value !== undefined && countOf(shown.value, {}) > 0;
  const plan = (): void => setPlanned(current?.task_is_open === false ? current : undefined);
  useKeys([
    ...listKeys({ count: findings.length, current: at, setCurrent: open }),
    { keys: "f", label: "Plan a fix", act: plan },
    ...choices.map((choice) => ({ keys: choice.key, label: choice.label, act: () => act(choice) })),
  ]);
  return (
    <Page title="Triage" note={shown.value && `${countOf(shown.value, { state: "open" })} open`} fills>
      <div className="filters">
        <select
          aria-label="State"
          value={state}
          onChange={(event) =>
            changeQuery({ state: event.target.value === "open" ? undefined : event.target.value, finding: undefined })
          }
        >
          {[...findingStates, "all" as const].map((one) => (
            <option key={one} value={one}>
              {one === "all" ? "All states" : stateWords[one]}
              {shown.value && ` (${countOf(shown.value, { state: one })})`}
            </option>
          ))}
        </select>
        {severities.map((one) => {
          const count = shown.value ? countOf(shown.value, { state, severity: one }) : 0;
          return count === 0 && one !== severity ? null : (
            <button
              key={one}
              type="button"
              aria-pressed={one === severity}
              onClick={() => changeQuery({ severity: one === severity ? undefined : one, finding: undefined })}
            >
              {severityWords[one]} <span className="muted number">{count}</span>
            </button>
          );
        })}
      </div>
      <Show
        shown={shown}
        what="findings"
        isEmpty={() => findings.length === 0}
        empty={
          hidesAll ? (
            <NoMatch what="findings" onClear={() => changeQuery({ state: undefined, severity: undefined })} />
          ) : (
            <Nothing isOpen={state === "open"} />
          )
        }
      >
        {(value) => (
          <div className="triage" data-open={opened !== null}>
            <VirtualList
              label="Findings"
              className="triage-list"
              items={findings}
              rowHeight={62}
              keyOf={({ id }) => id}
              current={at}
              onNearEnd={() => wantMore(value, { state, severity }) && shown.reload()}
            >
              {(finding, row) => <Row finding={finding} isCurrent={row === at} onOpen={() => open(row)} />}
            </VirtualList>
            {current && (
              <FindingPanel
                key={current.id}
                finding={current}
                why={why}
                onWhy={setWhy}
                onDecide={act}
                onPlan={plan}
                onClose={() => changeQuery({ finding: undefined })}
              />
            )}
          </div>
        )}
      </Show>
      {planned && <PlanFixDialog finding={planned} onClose={() => setPlanned(undefined)} />}
    </Page>
  );
}

function Row({ finding, isCurrent, onOpen }: { finding: Finding; isCurrent: boolean; onOpen(): void }) {
  return (
    <button type="button" className="row triage-row" data-current={isCurrent} aria-current={isCurrent} onClick={onOpen}>
      <span className="chip" data-tone={severityTone(finding.severity)}>
        {severityWords[finding.severity]}
      </span>
      <span className="triage-title">
        <span className="strong cut">{finding.title}</span>
        <span className="muted small cut">
          {[sayPackage(finding), finding.vuln_id, sayState(finding) === stateWords.open ? "" : sayState(finding)]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </span>
    </button>
  );
}

function Nothing({ isOpen }: { isOpen: boolean }) {
  return (
    <>
      <p className="strong">{isOpen ? "No open findings." : "No findings."}</p>
      <p>Import a scanner’s report to decide about what it found:</p>
      <Command text="crewdeck call triage_ingest --source dependabot --inputPath alerts.json" />
    </>
  );
}
