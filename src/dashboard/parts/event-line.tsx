import type { LiveEvent } from "../data/event.ts";
import { actorOf, placeOf, sayEvent } from "../data/say-event.ts";
import { Link } from "./link.tsx";
import { Name } from "./name.tsx";
import { useNarrow } from "./use-narrow.ts";
import { Who } from "./who.tsx";
import "./event-line.css";

interface EventLineProps {
  readonly event: LiveEvent;
  readonly isCurrent?: boolean;
  /** On the page of what it is about, which need not be said again. */
  readonly isAlone?: boolean;
}

/** Trouble gets the colour of trouble. */
const troubled = new Set(["failed", "blocked"]);

const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
const day = { month: "short", day: "numeric" } as const;
const formats = {
  today: new Intl.DateTimeFormat([], { ...clock, second: "2-digit" }),
  before: new Intl.DateTimeFormat([], { ...day, ...clock }),
  todayInShort: new Intl.DateTimeFormat([], clock),
  beforeInShort: new Intl.DateTimeFormat([], day),
};

/** Of today the time says enough. */
function sayTime(at: Date, isNarrow: boolean): string {
  const isToday = at.toDateString() === new Date().toDateString();
  return formats[`${isToday ? "today" : "before"}${isNarrow ? "InShort" : ""}`].format(at);
}

/** One entry of the ledger in a line: when, what about, what happened. */
export function EventLine({ event, isCurrent = false, isAlone = false }: EventLineProps) {
  const { about, what, more } = sayEvent(event);
  const isNarrow = useNarrow();
  const isTrouble = troubled.has(String(event.data["to"])) || event.kind === "note.raised";
  return (
    <div className="row event-line" data-current={isCurrent} data-trouble={isTrouble} data-alone={isAlone}>
      <time className="muted small" dateTime={event.ts} title={new Date(event.ts).toLocaleString()}>
        {sayTime(new Date(event.ts), isNarrow)}
      </time>
      {!isAlone && <span className="muted small cut event-noun">{event.kind.split(".")[0]?.replaceAll("_", " ")}</span>}
      <span className="event-words">
        {!isAlone && ("id" in about ? <Subject id={about.id} /> : about.words)}{" "}
        <span className="event-what">{what}</span>
        {more && <span className="muted">, {more}</span>}
        <Actor event={event} about={"id" in about ? about.id : about.words} />
      </span>
    </div>
  );
}

/** Every line names who did it; a line that begins with them has done so. */
function Actor({ event, about }: { event: LiveEvent; about: string }) {
  const actor = actorOf(event);
  if (about === ("words" in actor ? actor.words : actor.id)) return null;
  if ("words" in actor) return <span className="muted event-actor"> · {actor.words}</span>;
  return (
    <span className="event-actor">
      <span className="muted"> · </span>
      <Who id={actor.id} isBrief />
    </span>
  );
}

function Subject({ id }: { id: string }) {
  if (id.startsWith("ag_")) return <Who id={id} />;
  const place = placeOf(id);
  if (place === undefined) return <Name id={id} />;
  return (
    <Link to={place}>
      <Name id={id} />
    </Link>
  );
}
