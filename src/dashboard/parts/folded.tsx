import { useId, useState } from "react";
import { Markdown } from "./markdown.tsx";
import "./folded.css";

/** More than this is folded up at first: what comes below it matters too. */
const mostCharacters = 1_500;
const mostLines = 20;

const isLong = (text: string): boolean => text.length > mostCharacters || text.split("\n").length > mostLines;

/** Markdown of any length, of which the beginning is shown until more is wanted. */
export function Folded({ text, what }: { text: string; what: string }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  if (!isLong(text)) return <Markdown text={text} />;
  return (
    <div className="folded" data-open={isOpen}>
      <div id={id} className="folded-text">
        <Markdown text={text} />
      </div>
      <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        {isOpen ? "Show less" : `Show all of ${what}`}
      </button>
    </div>
  );
}
