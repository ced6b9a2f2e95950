interface SelectProps {
  readonly label: string;
  /** What no choice means. */
  readonly all: string;
  readonly value: string;
  readonly choices: readonly { value: string; label: string }[];
  onChange(value: string): void;
}

/** A filter with a few choices; one that is in the address but no longer among them stays visible. */
export function Select({ label, all, value, choices, onChange }: SelectProps) {
  const isKnown = value === "" || choices.some((choice) => choice.value === value);
  return (
    <select aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{all}</option>
      {!isKnown && <option value={value}>{value}</option>}
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </select>
  );
}
