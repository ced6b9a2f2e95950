import { useId } from "react";
import { actions, type PlanForm, type PlanKind, priorities, taskTypes } from "./plan-model.ts";
import { StreamField } from "./stream-field.tsx";

interface PlanFieldsProps {
  readonly kind: PlanKind;
  readonly form: PlanForm;
  onChange(form: PlanForm): void;
}

/** What a plan says. The title is enough; the more is said, the better it is compared. */
export function PlanFields({ kind, form, onChange }: PlanFieldsProps) {
  const field = (name: keyof PlanForm) => ({
    value: form[name],
    onChange: (value: string) => onChange({ ...form, [name]: value }),
  });
  return (
    <>
      <Line label="Title" required {...field("title")} maxLength={300} />
      {kind === "task" && <Choice label="Kind" choices={taskTypes} required {...field("task_type")} />}
      {kind === "task" && <StreamField {...field("workstream_id")} />}
      <Text label="Description" {...field("description")} maxLength={20_000} />
      <details className="plan-more">
        <summary>More about it</summary>
        <div className="plan-grid">
          <Text label="Scope" {...field("scope")} maxLength={2_000} />
          {kind === "task" && <Text label="Files, one for each line" {...field("target_files")} maxLength={50_000} />}
          <Line label="Repository" {...field("repo")} maxLength={500} />
          <Line label="Branch" {...field("branch")} maxLength={250} />
          <Line label="Component" {...field("component")} maxLength={40} />
          <Choice label="Action" choices={actions} {...field("action")} />
          <Choice label="Priority" choices={priorities} {...field("priority")} />
        </div>
      </details>
    </>
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly required?: boolean;
  onChange(value: string): void;
}

function Line({ label, value, required = false, onChange, maxLength }: FieldProps & { maxLength: number }) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        value={value}
        required={required}
        maxLength={maxLength}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

function Text({ label, value, onChange, maxLength }: FieldProps & { maxLength: number }) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={3}
        value={value}
        maxLength={maxLength}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

function Choice({ label, choices, value, required = false, onChange }: FieldProps & { choices: readonly string[] }) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} required={required} onChange={(event) => onChange(event.target.value)}>
        {!required && <option value="">not said</option>}
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    </div>
  );
}
