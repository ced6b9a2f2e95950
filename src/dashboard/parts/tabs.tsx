import { type KeyboardEvent, type ReactNode, useId } from "react";
import { bringIntoView } from "../page/into-view.ts";
import "./tabs.css";

interface TabsProps<Name extends string> {
  readonly label: string;
  readonly tabs: Readonly<Record<Name, string>>;
  readonly current: Name;
  onChoose(name: Name): void;
  readonly children: ReactNode;
}

/** A few views of one thing; arrows move between them, the address remembers which. */
export function Tabs<Name extends string>({ label, tabs, current, onChoose, children }: TabsProps<Name>) {
  const id = useId();
  const names = Object.keys(tabs) as Name[];

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = names[(names.indexOf(current) + step + names.length) % names.length];
    if (next === undefined) return;
    onChoose(next);
    document.getElementById(`${id}-${next}`)?.focus();
  }

  return (
    <div className="tabbed">
      <div role="tablist" aria-label={label} className="tabs" onKeyDown={onKeyDown}>
        {names.map((name) => (
          <button
            key={name}
            id={`${id}-${name}`}
            type="button"
            role="tab"
            aria-selected={name === current}
            aria-controls={`${id}-panel`}
            tabIndex={name === current ? 0 : -1}
            // On a phone the tabs are a strip that may have to be scrolled.
            ref={name === current ? bringIntoView : null}
            onClick={() => onChoose(name)}
          >
            {tabs[name]}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${current}`}>
        {children}
      </div>
    </div>
  );
}
