import { useDeck } from "../data/use-reading.ts";
import "./demo-note.css";

/** Says on every page that nothing here is real. */
export function DemoNote() {
  const { person } = useDeck();
  if (!person?.demo) return null;
  const { command, options } = person.program;
  // The example lies beside the home that it is an example for.
  const words = [command, "demo --remove", options.replace(/-demo('?)$/, "$1")].filter(Boolean).join(" ");
  return (
    <p className="demo-note small">
      Example data. Remove it with <code>{words}</code>.
    </p>
  );
}
