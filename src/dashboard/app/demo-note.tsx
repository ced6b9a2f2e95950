import { useDeck } from "../data/use-reading.ts";
import "./demo-note.css";

/** Says on every page that nothing here is real. */
export function DemoNote() {
  const { person } = useDeck();
  if (!person?.demo) return null;
  return (
    <p className="demo-note small">
      An example team: none of this is yours. Remove it with <code>crewdeck demo --remove</code>.
    </p>
  );
}
