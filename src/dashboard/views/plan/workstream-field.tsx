import { useId, useMemo, useState } from "react";
import { useReading } from "../../data/use-reading.ts";
import { findWorkstreams, workstreamChoices, workstreamsReading } from "./plan-model.ts";

interface WorkstreamFieldProps {
  readonly value: string;
  onChange(id: string): void;
}

/** As many as are found in a list at a glance; beyond, typing narrows it. */
const mostAtAGlance = 10;

/** The workstream a task goes into; without a choice the server finds or makes one. */
export function WorkstreamField({ value, onChange }: WorkstreamFieldProps) {
  const id = useId();
  const { value: workstreams = [], failure } = useReading(workstreamsReading);
  const [typed, setTyped] = useState("");
  const choices = useMemo(() => workstreamChoices(workstreams), [workstreams]);
  const found = findWorkstreams(choices, typed, value);
  const isLong = choices.length > mostAtAGlance;
  return (
    <div className="field">
      <label htmlFor={id}>
        Workstream<span className="muted"> (optional)</span>
      </label>
      {isLong && (
        <input
          type="search"
          aria-label="Find a workstream"
          aria-controls={id}
          placeholder="Find a workstream…"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          // Enter here means "look there", not "plan it".
          onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
        />
      )}
      <select
        id={id}
        className="plan-stream"
        value={value}
        aria-describedby={`${id}-help`}
        onChange={(event) => onChange(event.target.value)}
      >
        <option value="">Choose automatically</option>
        {found.map((choice) => (
          <option key={choice.id} value={choice.id}>
            {choice.label}
          </option>
        ))}
      </select>
      {isLong && (
        <output className="muted small">
          {found.length} of {choices.length} open workstreams
        </output>
      )}
      <p id={`${id}-help`} className="muted small">
        {failure
          ? `Can’t load your workstreams: ${failure.message}`
          : "One of your open workstreams. If you choose none, the best match is used, or a new one is created."}
      </p>
    </div>
  );
}
