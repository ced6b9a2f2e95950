import type { LiveEvent } from "../data/event.ts";
import { placeOf, sayEvent, subjectOf } from "../data/say-event.ts";
import { Link } from "./link.tsx";
import { Name } from "./name.tsx";
import "./event-line.css";

interface EventLineProps {
  readonly event: LiveEvent;
  readonly isCurrent?: boolean;
  /** On the page of what it is about, which need not be said again. */
  readonly isAlone?: boolean;
}

/** Trouble gets the colour of trouble. */
const troubled = new Set(["failed", "blocked"]);

const clock = new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });

/** One entry of the ledger in a line: when, what about, what happened. */
export function EventLine({ event, isCurrent = false, isAlone = false }: EventLineProps) {
  const { what, more } = sayEvent(event);
  const isTrouble = troubled.has(String(event.data["to"])) || event.kind === "note.raised";
  return (
    <div className="row event-line" data-current={isCurrent} data-trouble={isTrouble} data-alone={isAlone}>
      <time className="muted small" dateTime={event.ts} title={new Date(event.ts).toLocaleString()}>
        {clock.format(new Date(event.ts))}
      </time>
      {!isAlone && <span className="muted small cut event-noun">{event.kind.split(".")[0]}</span>}
      <span className="cut">
        {!isAlone && event.kind !== "message.sent" && <Subject id={subjectOf(event)} />}{" "}
        <span className="event-what">{what}</span> <span className="muted">{more}</span>
      </span>
    </div>
  );
}

function Subject({ id }: { id: string }) {
  const place = placeOf(id);
  if (place === undefined) return <Name id={id} />;
  return (
    <Link to={place}>
      <Name id={id} />
    </Link>
  );
}
