import { type ComponentProps, useId } from "react";

interface FieldProps {
  readonly label: string;
  readonly value: string;
  onChange(value: string): void;
}

type LineProps = FieldProps & Pick<ComponentProps<"input">, "required" | "maxLength">;
type TextProps = FieldProps & Pick<ComponentProps<"textarea">, "required" | "minLength" | "maxLength" | "rows" | "ref">;

/** One line of text below its label. */
export function LineField({ label, onChange, ...input }: LineProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input {...input} id={id} autoComplete="off" onChange={(event) => onChange(event.target.value)} />
    </div>
  );
}

/** Several lines of text. */
export function TextField({ label, onChange, ...area }: TextProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea rows={3} {...area} id={id} onChange={(event) => onChange(event.target.value)} />
    </div>
  );
}

interface ChoiceProps extends FieldProps {
  readonly choices: readonly (string | { readonly value: string; readonly label: string })[];
  /** What it says when nothing is chosen; without it something always is. */
  readonly none?: string;
}

/** One of several. */
export function ChoiceField({ label, choices, none, value, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} required={none === undefined} onChange={(event) => onChange(event.target.value)}>
        {none !== undefined && <option value="">{none}</option>}
        {choices
          .map((choice) => (typeof choice === "string" ? { value: choice, label: choice } : choice))
          .map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
      </select>
    </div>
  );
}
