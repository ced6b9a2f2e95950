import { Fragment, useEffect, useState } from "react";
import { useDeck } from "../data/use-reading.ts";
import "./command.css";

/** A command of the program, ready to be copied: it runs as it is, wherever the program is installed. */
export function Command({ text }: { text: string }) {
  return <Copied text={useCall(text.replace(/^crewdeck /, ""))} />;
}

/** Connects a client that starts the program by itself. */
export function ConnectCommand({ client }: { client: "claude" | "codex" }) {
  return <Copied text={`${client} mcp add crewdeck -- ${useCall("mcp")}`} />;
}

/** The program called with these words. */
function useCall(words: string): string {
  const { command, options } = useDeck().person?.program ?? { command: "crewdeck", options: "" };
  return [command, words, options].filter(Boolean).join(" ");
}

/** Something to be copied as it is. */
export function Copied({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    const timer = isCopied ? setTimeout(() => setCopied(false), 2_000) : undefined;
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <div className="command">
      <code>
        {text.split(" ").map((word, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the words of a command stay where they are and may be said twice.
          <Fragment key={place}>
            {place > 0 && " "}
            <span className="command-word">{word}</span>
          </Fragment>
        ))}
      </code>
      <button
        type="button"
        className="plain"
        onClick={() => void navigator.clipboard?.writeText(text).then(() => setCopied(true))}
      >
        {isCopied ? "Copied" : "Copy"}
        <span className="only-spoken"> {text}</span>
      </button>
    </div>
  );
}
