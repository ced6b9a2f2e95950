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

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly (Value | { readonly value: Value; readonly label: string })[];
  /** What it says when nothing is chosen; without it something always is. */
  readonly none?: string;
  onChange(value: Value): void;
}

/** One of several. */
export function ChoiceField<const Value extends string>({ label, choices, none, value, onChange }: ChoiceProps<Value>) {
  const id = useId();
  // The page's own choices are all that a browser lets anybody choose from.
  const choose = (chosen: string): void => onChange(chosen as Value);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} required={none === undefined} onChange={(event) => choose(event.target.value)}>
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
