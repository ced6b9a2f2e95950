import { useEffect, useRef, useState } from "react";
import { useKeys } from "../page/keys.ts";

interface SearchProps {
  readonly label: string;
  readonly value: string;
  onChange(value: string): void;
}

/** The filter of a list. `/` goes to it, Escape leaves it. */
export function Search({ label, value, onChange }: SearchProps) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useKeys([{ keys: "/", label, act: () => input.current?.focus() }]);
  return (
    <input
      ref={input}
      type="search"
      aria-label={label}
      placeholder={`${label}…`}
      value={text}
      onChange={(event) => {
        setText(event.target.value);
        onChange(event.target.value);
      }}
      onKeyDown={(event) => event.key === "Escape" && input.current?.blur()}
    />
  );
}
