import type { LiveEvent } from "../data/event.ts";
import { placeOf, sayEvent } from "../data/say-event.ts";
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
const day = new Intl.DateTimeFormat([], {
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** Of today the time says enough. */
const sayTime = (at: Date): string =>
  at.toDateString() === new Date().toDateString() ? clock.format(at) : day.format(at);

/** One entry of the ledger in a line: when, what about, what happened. */
export function EventLine({ event, isCurrent = false, isAlone = false }: EventLineProps) {
  const { about, what, more } = sayEvent(event);
  const isTrouble = troubled.has(String(event.data["to"])) || event.kind === "note.raised";
  return (
    <div className="row event-line" data-current={isCurrent} data-trouble={isTrouble} data-alone={isAlone}>
      <time className="muted small" dateTime={event.ts} title={new Date(event.ts).toLocaleString()}>
        {sayTime(new Date(event.ts))}
      </time>
      {!isAlone && <span className="muted small cut event-noun">{event.kind.split(".")[0]?.replaceAll("_", " ")}</span>}
      <span className="cut">
        {!isAlone && ("id" in about ? <Subject id={about.id} /> : about.words)}{" "}
        <span className="event-what">{what}</span>
        {more && <span className="muted">, {more}</span>}
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
