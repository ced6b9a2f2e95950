import { ChoiceField, LineField, TextField } from "../../parts/field.tsx";
import { actions, type PlanForm, type PlanKind, priorities, taskTypes } from "./plan-model.ts";
import { WorkstreamField } from "./workstream-field.tsx";

interface PlanFieldsProps {
  readonly kind: PlanKind;
  readonly form: PlanForm;
  onChange(form: PlanForm): void;
}

/** What a plan says. The title is enough; the more is said, the better it is compared. */
export function PlanFields({ kind, form, onChange }: PlanFieldsProps) {
  const field = <Name extends keyof PlanForm>(name: Name) => ({
    value: form[name],
    onChange: (value: PlanForm[Name]) => onChange({ ...form, [name]: value }),
  });
  return (
    <>
      <LineField label="Title" required {...field("title")} maxLength={300} />
      {kind === "task" && <ChoiceField label="Kind" choices={taskTypes} {...field("task_type")} />}
      {kind === "task" && <WorkstreamField {...field("workstream_id")} />}
      <TextField label="Description" {...field("description")} maxLength={20_000} />
      <details className="plan-more">
        <summary>More details</summary>
        <div className="plan-grid">
          <TextField label="Scope" {...field("scope")} maxLength={2_000} />
          {kind === "task" && <TextField label="Files, one per line" {...field("target_files")} maxLength={50_000} />}
          <LineField label="Repository" {...field("repo")} maxLength={500} />
          <LineField label="Branch" {...field("branch")} maxLength={250} />
          <LineField label="Component" {...field("component")} maxLength={40} />
          <ChoiceField label="Action" choices={actions} none="—" {...field("action")} />
          <ChoiceField label="Priority" choices={priorities} none="—" {...field("priority")} />
        </div>
      </details>
    </>
  );
}
