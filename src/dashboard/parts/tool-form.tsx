import { useId, useState } from "react";
import type { ToolEntry } from "../../contract/plain-routes.ts";
import { callListed } from "../data/api.ts";
import { Form } from "./form.tsx";
import { attempt } from "./toast.tsx";
import { type Field, fieldsOf, readForm } from "./tool-form-model.ts";

interface ToolFormProps {
  readonly tool: ToolEntry;
  /** Values that are known already. */
  readonly given?: Readonly<Record<string, string>>;
  onDone(answer: unknown): void;
}

/** A form for any tool, derived from its published schema: nothing here knows a tool by name. */
export function ToolForm({ tool, given = {}, onDone }: ToolFormProps) {
  const fields = fieldsOf(tool.inputSchema);
  const [values, setValues] = useState<Readonly<Record<string, string>>>(given);
  const [problem, setProblem] = useState("");
  const [isRunning, setRunning] = useState(false);

  async function send(): Promise<void> {
    const form = readForm(fields, values);
    if ("problem" in form) return setProblem(form.problem);
    setProblem("");
    setRunning(true);
    await attempt(async () => onDone(await callListed(tool, form.args)));
    setRunning(false);
  }

  return (
    <Form send={send}>
      {tool.description && <p className="muted">{tool.description}</p>}
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          value={values[field.name] ?? ""}
          onChange={(value) => setValues({ ...values, [field.name]: value })}
        />
      ))}
      {problem && (
        <p role="alert" className="form-problem">
          {problem}
        </p>
      )}
      <div className="dialog-actions">
        <button type="submit" className={tool.effect === "destroy" ? "danger" : "primary"} disabled={isRunning}>
          {isRunning ? "Working…" : tool.title}
        </button>
      </div>
    </Form>
  );
}

interface FieldInputProps {
  readonly field: Field;
  readonly value: string;
  onChange(value: string): void;
}

function FieldInput({ field, value, onChange }: FieldInputProps) {
  const id = useId();
  const shared = { id, value, required: field.isRequired, "aria-describedby": `${id}-help` };
  return (
    <div className="field">
      <label htmlFor={id}>
        {field.label}
        {!field.isRequired && <span className="muted"> (optional)</span>}
      </label>
      {field.kind === "choice" || field.kind === "yes-no" ? (
        <select {...shared} onChange={(event) => onChange(event.target.value)}>
          <option value="">{field.isRequired ? "Choose…" : (field.fallback ?? "—")}</option>
          {field.choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice.replaceAll("_", " ")}
            </option>
          ))}
        </select>
      ) : field.kind === "long" || field.kind === "json" || field.kind === "list" ? (
        <textarea {...shared} rows={field.kind === "long" ? 4 : 3} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <input
          {...shared}
          type={field.kind === "number" ? "number" : "text"}
          placeholder={field.fallback}
          step="any"
          autoComplete="off"
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      <p id={`${id}-help`} className="muted small">
        {field.description}
        {field.kind === "list" && " One per line."}
        {field.kind === "json" && " As JSON."}
      </p>
    </div>
  );
}
