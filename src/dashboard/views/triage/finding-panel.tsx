import { useMemo } from "react";
import { useReading } from "../../data/use-reading.ts";
import { LineField } from "../../parts/field.tsx";
import { Link } from "../../parts/link.tsx";
import { Show } from "../../parts/states.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import {
  choices,
  evidenceReading,
  type Finding,
  type FindingDetail,
  findingReading,
  isState,
  placeOfHit,
  sayPackage,
  sayState,
  severityTone,
  severityWords,
  stateWords,
} from "./triage-model.ts";

interface PanelProps {
  readonly finding: Finding;
  readonly why: string;
  onWhy(why: string): void;
  onDecide(choice: (typeof choices)[number]): void;
  onPlan(): void;
  onClose(): void;
}

/** One finding: what it is, what was decided before, where the code is concerned, and what to do about it. */
export function FindingPanel({ finding, why, onWhy, onDecide, onPlan, onClose }: PanelProps) {
  const shown = useReading(useMemo(() => findingReading(finding.id), [finding.id]));
  return (
    <section className="triage-panel stack" aria-label="Finding">
      <div className="stack triage-head">
        <h2>{finding.title}</h2>
        <p className="wrap">
          <span className="chip" data-tone={severityTone(finding.severity)}>
            {severityWords[finding.severity]}
          </span>
          <span>{sayState(finding)}</span>
          {finding.task_id && <Link to={`/tasks/${finding.task_id}`}>Show the fix’s task</Link>}
          <button type="button" className="plain triage-close" onClick={onClose}>
            Close
          </button>
        </p>
      </div>
      <div className="stack">
        <LineField label="Justification (optional)" maxLength={5_000} value={why} onChange={onWhy} />
        <div className="wrap">
          {!finding.task_is_open && (
            <button type="button" className="primary" onClick={onPlan}>
              Plan a fix <kbd>f</kbd>
            </button>
          )}
          {choices.map((choice) => (
            <button key={choice.key} type="button" onClick={() => onDecide(choice)}>
              {choice.label} <kbd>{choice.key}</kbd>
            </button>
          ))}
        </div>
      </div>
      <Show shown={shown} what="the finding" isEmpty={() => false} empty={null}>
        {(detail) => <Details detail={detail} />}
      </Show>
      <Evidence finding={finding} />
    </section>
  );
}

function Details({ detail }: { detail: FindingDetail }) {
  const { vuln } = detail.record;
  return (
    <>
      <dl className="facts">
        {facts(detail).map(([name, value]) => (
          <div key={name} className="triage-fact">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {vuln.description && <p className="triage-words">{vuln.description.slice(0, 2_000)}</p>}
      {detail.decisions.length > 0 && <History title="Decisions" entries={detail.decisions} />}
    </>
  );
}

function facts(detail: FindingDetail): [string, string][] {
  const { vuln, package: pack, scanner } = detail.record;
  const all: [string, string | number | null][] = [
    ["Package", sayPackage(detail)],
    ["Manifest", detail.manifest_path],
    ["Vulnerability", [vuln.vulnId, vuln.cve].filter((one, at, both) => one && both.indexOf(one) === at).join(", ")],
    ["CVSS", vuln.cvss],
    ["Affected", pack.affectedRange],
    ["Service", [detail.service, detail.env].filter(Boolean).join(" · ")],
    ["Source", detail.source],
    ["Scanner", scanner ? [scanner.state, scanner.reason].filter(Boolean).join(": ") : null],
    ["Imported by", detail.developer],
  ];
  return all.flatMap(([name, value]) => (value === null || value === "" ? [] : [[name, String(value)]]));
}

function History({ title, entries }: { title: string; entries: FindingDetail["decisions"] }) {
  return (
    <section className="stack">
      <h3>{title}</h3>
      <ul className="triage-history">
        {entries.map((entry) => (
          <li key={entry.id}>
            <span className="strong">{isState(entry.status) ? stateWords[entry.status] : entry.status}</span>{" "}
            <span className="muted small">
              {[
                entry.developer,
                entry.reviewer === entry.developer ? "" : entry.reviewer && `reviewed by ${entry.reviewer}`,
              ]
                .filter(Boolean)
                .join(" · ")}{" "}
              · <TimeAgo at={entry.created_at} />
              {entry.expires && ` · expires ${new Date(entry.expires).toLocaleDateString()}`}
            </span>
            {entry.justification && <p>{entry.justification}</p>}
            {entry.codes.length > 0 && <p className="muted small">{entry.codes.join(", ")}</p>}
            {entry.evidence.length > 0 && (
              <ul className="small">
                {entry.evidence.map((one) => (
                  <li key={one}>
                    <code>{one}</code>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Evidence({ finding: { id, repository } }: { finding: Finding }) {
  const shown = useReading(useMemo(() => evidenceReading(id), [id]));
  return (
    <section className="stack" aria-label="Evidence">
      <h3>In the code</h3>
      <Show
        shown={shown}
        what="evidence"
        isEmpty={({ hits, warnings }) => hits.length === 0 && warnings.length === 0}
        empty={<p>No match for {shown.value?.queries.join(", ")}.</p>}
      >
        {({ hits, warnings, history }) => (
          <>
            {warnings.map((warning) => (
              <p key={warning} className="muted">
                {warning}
              </p>
            ))}
            <ul className="triage-hits">
              {hits.map((hit) => (
                <li key={`${hit.query} ${hit.file} ${hit.line} ${hit.name}`}>
                  <Link to={placeOfHit(repository, hit)}>
                    <code>
                      {hit.file}:{hit.line}
                    </code>
                  </Link>
                  <pre>{hit.snippet}</pre>
                </li>
              ))}
            </ul>
            {history.length > 0 && <History title="Similar decisions" entries={history} />}
          </>
        )}
      </Show>
    </section>
  );
}
